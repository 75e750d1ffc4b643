// SPDX-License-Identifier: Apache-2.0
#include "capi/group.h"

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/thread_local.h"
#include "capi/enter.h"
#include "capi/entry_log.h"
#include "capi/handles.h"
#include "comm/data_type.h"
#include "comm/p2p/items.h"

namespace tandem::capi {
namespace {

struct Job {
  const char* call;
  std::function<Status()> run;
};

// Groups that are open on this thread, one in the other: apart from the rest, since every transfer asks.
TANDEM_FAST_THREAD_LOCAL uint32_t depth = 0;

struct Group {
  std::vector<GroupedTransfer> transfers;
  std::vector<Job> jobs;
};

Group& Current() {
  static thread_local Group group;
  return group;
}

// What one communicator has in a group: a batch, on the stream that came first.
struct GroupBatch {
  std::shared_ptr<Communicator> communicator;
  ManagedStream* stream = nullptr;
  std::vector<P2pItem> items;
  std::vector<uint32_t> positions;
};

GroupBatch& BatchOf(std::vector<GroupBatch>& batches, const std::shared_ptr<Communicator>& communicator) {
  for (GroupBatch& batch : batches) {
    if (batch.communicator == communicator) return batch;
  }
  batches.push_back({communicator, nullptr, {}, {}});
  return batches.back();
}

// The checks that HcclSend and HcclRecv leave to the end of the group, in their order.
Status Append(const GroupedTransfer& transfer, uint32_t position, std::vector<GroupBatch>& batches) {
  TANDEM_RETURN_IF_ERROR(CheckType(transfer.type));
  Result<ManagedStream*> stream = ResolveStreamToQuery(transfer.stream);
  if (!stream) return std::move(stream).status();
  TANDEM_RETURN_IF_ERROR(CheckPeer(transfer.peer, transfer.peer_name, transfer.communicator->size()));
  GroupBatch& batch = BatchOf(batches, transfer.communicator);
  if (batch.stream == nullptr) batch.stream = *stream;
  if (batch.stream != *stream) {
    TANDEM_LOG(
        kWarn,
        "a group has calls of communicator %s on several streams; all of them are queued on the first, "
        "so synchronize that one",
        transfer.communicator->name().c_str());
  }
  batch.items.push_back({transfer.direction, transfer.buffer, transfer.count, transfer.type,
                         transfer.count * FindDataType(transfer.type)->bytes, transfer.peer});
  batch.positions.push_back(position);
  if (EntryLogWanted()) LogTransfer(transfer.call, batch.items.back(), *transfer.communicator, **stream);
  return Status::Ok();
}

// Nothing is queued when anything is wrong.
Status Launch(const std::vector<GroupedTransfer>& transfers) {
  std::vector<GroupBatch> batches;
  for (uint32_t i = 0; i < transfers.size(); ++i) {
    if (Status valid = Append(transfers[i], i, batches); !valid.ok()) {
      return std::move(valid).Annotate("call " + std::to_string(i) + " of the group, " + transfers[i].call);
    }
  }
  for (GroupBatch& batch : batches) {
    Status fits = ArrangeBatch(batch.items, batch.positions, batch.communicator->rank(),
                               batch.communicator->batch_duplicates());
    if (!fits.ok()) {
      return std::move(fits).Annotate(
          "the calls of a group are one batch, in which sendRecvInfo[i] is call i, counted from 0");
    }
  }
  for (const GroupBatch& batch : batches) {
    TANDEM_RETURN_IF_ERROR(
        batch.communicator->Submit("HcclGroupEnd", Space::kBatch, batch.items, *batch.stream));
  }
  return Status::Ok();
}

// One thread for each, since each may wait for the others.
Status RunJobs(const std::vector<Job>& jobs) {
  std::vector<Status> results(jobs.size());
  std::vector<std::thread> threads;
  threads.reserve(jobs.size());
  for (size_t i = 0; i < jobs.size(); ++i) {
    try {
      threads.emplace_back([&, i] { results[i] = RunGuarded(jobs[i].run); });
    } catch (const std::system_error& error) {
      results[i] = Status::Error(Code::kResourceExhausted, "no thread for this call: %s", error.what());
    }
  }
  for (std::thread& thread : threads) thread.join();
  Status first;
  for (size_t i = 0; i < jobs.size(); ++i) {
    if (results[i].ok()) continue;
    Status failure =
        std::move(results[i]).Annotate("call " + std::to_string(i) + " of the group, " + jobs[i].call);
    if (first.ok()) {
      first = std::move(failure);
    } else {
      TANDEM_LOG(kError, "HcclGroupEnd: %s", std::string(failure.text()).c_str());
    }
  }
  return first;
}

Status Mixed(const char* now, const char* before) {
  return Status::Error(Code::kNotSupported,
                       "this group has calls that %s; calls that %s must be in a group of their own", before,
                       now);
}

constexpr const char* kTransfers = "send or receive";
constexpr const char* kManagement = "create or destroy communicators";

}  // namespace

bool InGroup() noexcept { return depth != 0; }

Status QueueInGroup(GroupedTransfer transfer) {
  Group& group = Current();
  if (!group.jobs.empty()) return Mixed(kTransfers, kManagement);
  group.transfers.push_back(std::move(transfer));
  return Status::Ok();
}

Status QueueInGroup(const char* call, std::function<Status()> job) {
  Group& group = Current();
  if (!group.transfers.empty()) return Mixed(kManagement, kTransfers);
  group.jobs.push_back({call, std::move(job)});
  return Status::Ok();
}

Status RefuseInGroup() {
  if (!InGroup()) [[likely]]
    return Status::Ok();
  return Status::Error(Code::kNotSupported,
                       "called between HcclGroupStart and HcclGroupEnd, where only HcclSend and HcclRecv, or "
                       "calls that create or destroy communicators, may be");
}

Status StartGroup() {
  ++depth;
  return Status::Ok();
}

Status EndGroup() {
  Group& group = Current();
  if (depth == 0) {
    return Status::Error(Code::kNotSupported, "this thread has no open group; call HcclGroupStart first");
  }
  if (--depth != 0) return Status::Ok();
  const std::vector<GroupedTransfer> transfers = std::exchange(group.transfers, {});
  const std::vector<Job> jobs = std::exchange(group.jobs, {});
  if (!jobs.empty()) return RunJobs(jobs);
  return transfers.empty() ? Status::Ok() : Launch(transfers);
}

}  // namespace tandem::capi
