// SPDX-License-Identifier: Apache-2.0
#include "property/execute.h"

#include <sys/mman.h>

#include <algorithm>
#include <cerrno>
#include <deque>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/rank.h"
#include "support/surroundings.h"

namespace tandem::test {
namespace {

// Root infos of all communicators, in pages that the processes of the job share.
class Roots {
 public:
  explicit Roots(size_t count) : bytes_(count * sizeof(HcclRootInfo)) {
    void* const pages = mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::runtime_error("no pages for root infos");
    infos_ = static_cast<HcclRootInfo*>(pages);
  }
  ~Roots() { munmap(infos_, bytes_); }
  Roots(const Roots&) = delete;
  Roots& operator=(const Roots&) = delete;

  HcclRootInfo& operator[](size_t communicator) const { return infos_[communicator]; }

 private:
  size_t bytes_;
  HcclRootInfo* infos_;
};

// One end of one message on this rank.
struct End {
  MessageId id;
  bool send;
  const Place& place;
  HcclSendRecvItem item;
  Buffer main;    // what the operation reads or writes
  Buffer beside;  // the other end of the copy on the stream, when there is one
};

uint32_t Mix(uint32_t a, uint32_t b) {
  a = (a ^ (b + 0x9E3779B9U + (a << 6) + (a >> 2))) * 0x85EBCA6BU;
  return a ^ (a >> 13);
}

// What one rank does of a schedule.
class Part {
 public:
  Part(const Schedule& schedule, const Roots& roots, Rank& rank)
      : schedule_(schedule), roots_(roots), rank_(rank) {}

  void Open();
  void Issue();
  void Check();
  void Close();

 private:
  uint32_t NumberIn(uint32_t communicator, uint32_t rank) const;
  bool IsMember(uint32_t communicator) const;
  void IssueStep(const Step& step);
  void IssueMessages(const Step& step, std::vector<End*> ends, aclrtStream stream);
  void IssueEvent(const Step& step);
  End* AddEnd(const Step& step, const Message& message, bool send);
  void Before(const End& end, aclrtStream stream);
  void After(const End& end, aclrtStream stream);
  void Scribble(const End& end, aclrtStream stream);
  void Copy(const Buffer& to, const Buffer& from, aclrtStream stream);

  const Schedule& schedule_;
  const Roots& roots_;
  Rank& rank_;
  uint32_t next_number_ = 0;  // of a message among all
  std::vector<aclrtStream> streams_;
  std::vector<HcclComm> communicators_;
  std::vector<aclrtEvent> events_;
  std::deque<End> ends_;
};

bool Part::IsMember(uint32_t communicator) const {
  const std::vector<uint32_t>& members = schedule_.communicators[communicator];
  return std::find(members.begin(), members.end(), rank_.index()) != members.end();
}

uint32_t Part::NumberIn(uint32_t communicator, uint32_t rank) const {
  const std::vector<uint32_t>& members = schedule_.communicators[communicator];
  return static_cast<uint32_t>(std::find(members.begin(), members.end(), rank) - members.begin());
}

void Part::Open() {
  rank_.Ok(aclrtSetDevice(static_cast<int32_t>(rank_.index())));
  for (uint32_t i = 0; i < schedule_.streams; ++i) rank_.Ok(aclrtCreateStream(&streams_.emplace_back()));
  for (uint32_t i = 0; i < schedule_.communicators.size(); ++i) {
    HcclComm& communicator = communicators_.emplace_back();
    if (!IsMember(i)) continue;
    const uint32_t number = NumberIn(i, rank_.index());
    if (number == 0) {
      rank_.Ok(HcclGetRootInfo(&roots_[i]));
      rank_.board().Raise(i);
    } else {
      rank_.board().Await(i);
    }
    const auto size = static_cast<uint32_t>(schedule_.communicators[i].size());
    rank_.Ok(HcclCommInitRootInfo(size, &roots_[i], number, &communicator));
  }
}

void Part::Close() {
  for (const HcclComm communicator : communicators_) {
    if (communicator != nullptr) rank_.Ok(HcclCommDestroy(communicator));
  }
  for (const aclrtEvent event : events_) rank_.Ok(aclrtDestroyEvent(event));
  for (const aclrtStream stream : streams_) rank_.Ok(aclrtDestroyStream(stream));
  ends_.clear();
  rank_.Ok(aclrtResetDevice(static_cast<int32_t>(rank_.index())));
}

End* Part::AddEnd(const Step& step, const Message& message, bool send) {
  const Place& place = send ? message.source : message.target;
  const uint64_t bytes = message.count * BytesOf(message.type);
  const Memory beside = place.memory == Memory::kDevice ? Memory::kPinned : Memory::kDevice;
  const MessageId id{message.from, message.to, next_number_};
  End& end = ends_.emplace_back(End{id,
                                    send,
                                    place,
                                    {},
                                    Buffer(place.memory, bytes, place.shift),
                                    Buffer(beside, place.copied ? bytes : 0, place.shift)});
  const uint32_t peer = NumberIn(step.communicator, send ? message.to : message.from);
  end.item = send ? SendItem(end.main, peer, message.type) : ReceiveItem(end.main, peer, message.type);
  if (send) (place.copied ? end.beside : end.main).Fill(id);
  return &end;
}

void Part::Copy(const Buffer& to, const Buffer& from, aclrtStream stream) {
  if (to.bytes() == 0) return;
  rank_.Ok(aclrtMemcpyAsync(to.data(), to.bytes(), from.data(), from.bytes(), ACL_MEMCPY_DEFAULT, stream));
}

void Part::Scribble(const End& end, aclrtStream stream) {
  if (end.place.memory == Memory::kPlain) return;  // only the runtime's own memory can be set on a stream
  rank_.Ok(aclrtMemsetAsync(end.main.data(), end.main.bytes(), 0xEE, end.main.bytes(), stream));
}

void Part::Before(const End& end, aclrtStream stream) {
  if (end.send && end.place.copied) Copy(end.main, end.beside, stream);
}

void Part::After(const End& end, aclrtStream stream) {
  if (!end.place.copied) return;
  if (!end.send) Copy(end.beside, end.main, stream);
  Scribble(end, stream);
}

void Part::IssueMessages(const Step& step, std::vector<End*> ends, aclrtStream stream) {
  // The order in a list means something only among the items of one pair and direction; those keep it.
  const auto key = [&](const End* end) {
    const uint32_t pair = end->item.remoteRank * 2 + (end->send ? 1 : 0);
    return Mix(Mix(step.shuffle, rank_.index()), pair);
  };
  std::stable_sort(ends.begin(), ends.end(), [&](const End* a, const End* b) { return key(a) < key(b); });
  const HcclComm communicator = communicators_[step.communicator];
  std::vector<HcclSendRecvItem> items;
  for (const End* end : ends) {
    Before(*end, stream);
    items.push_back(end->item);
  }
  if (step.kind == StepKind::kBatch) {
    rank_.Ok(HcclBatchSendRecv(items.data(), static_cast<uint32_t>(items.size()), communicator, stream));
    // The list is copied by the call.
    std::fill(items.begin(), items.end(), HcclSendRecvItem{});
  } else {
    const HcclSendRecvItem& item = items.front();
    const auto call = item.sendRecvType == HCCL_SEND ? HcclSend : HcclRecv;
    rank_.Ok(call(item.buf, item.count, item.dataType, item.remoteRank, communicator, stream));
  }
  for (const End* end : ends) After(*end, stream);
}

void Part::IssueEvent(const Step& step) {
  aclrtEvent& event = events_.emplace_back();
  rank_.Ok(aclrtCreateEvent(&event));
  rank_.Ok(aclrtRecordEvent(event, streams_[step.streams[step.rank]]));
  rank_.Ok(aclrtStreamWaitEvent(streams_[step.waiting], event));
}

void Part::IssueStep(const Step& step) {
  const uint32_t me = rank_.index();
  const aclrtStream stream = streams_[step.streams[me]];
  std::vector<End*> ends;
  for (const Message& message : step.messages) {
    if (message.from == me) ends.push_back(AddEnd(step, message, true));
    if (message.to == me) ends.push_back(AddEnd(step, message, false));
    ++next_number_;
  }
  if (!ends.empty()) IssueMessages(step, std::move(ends), stream);
  if (step.kind == StepKind::kBarrier && IsMember(step.communicator)) {
    rank_.Ok(HcclBarrier(communicators_[step.communicator], stream));
  }
  if (step.kind == StepKind::kEvent && step.rank == me) IssueEvent(step);
  if (step.kind == StepKind::kSynchronize && step.rank == me) rank_.Ok(aclrtSynchronizeStream(stream));
}

void Part::Issue() {
  for (const Step& step : schedule_.steps) IssueStep(step);
  // In an order that differs between ranks.
  std::rotate(streams_.begin(), streams_.begin() + static_cast<ptrdiff_t>(rank_.index() % streams_.size()),
              streams_.end());
  for (const aclrtStream stream : streams_) rank_.Ok(aclrtSynchronizeStream(stream));
}

void Part::Check() {
  for (const End& end : ends_) {
    const bool copied = end.place.copied;
    const Buffer& payload = copied ? end.beside : end.main;
    std::string wrong = payload.Check(end.id);
    if (wrong.empty()) wrong = (copied ? end.main : end.beside).CheckGuards();
    rank_.Require(wrong.empty(), std::string(end.send ? "source" : "target") + " of message " +
                                     std::to_string(end.id.number) + ": " + wrong);
  }
}

}  // namespace

JobEnd ExecuteSchedule(const Schedule& schedule, std::chrono::seconds deadline) {
  const Roots roots(schedule.communicators.size());
  JobOptions options;
  options.ranks = schedule.ranks;
  options.ranks_per_process = schedule.ranks_per_process;
  options.deadline = deadline;
  options.open = false;
  if (schedule.duplicates) options.environment["TANDEM_BATCH_DUPLICATES"] = "list";
  if (schedule.staged) {
    options.prepare = [] {
      if (!ForbidReadingOtherProcesses(EPERM))
        throw std::runtime_error("cannot install the system call filter");
    };
  }
  // A schedule that stands still says what waits for what before the job is ended.
  options.environment["TANDEM_EXEC_TIMEOUT"] = std::to_string(std::max<int64_t>(deadline.count() / 2, 1));
  return RunJob(std::move(options), [&](Rank& rank) {
    Part part(schedule, roots, rank);
    part.Open();
    part.Issue();
    part.Check();
    part.Close();
  });
}

}  // namespace tandem::test
