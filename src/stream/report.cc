// SPDX-License-Identifier: Apache-2.0
#include "stream/report.h"

#include <climits>
#include <deque>
#include <exception>
#include <map>
#include <utility>
#include <vector>

#include "stream/context.h"

namespace tandem {
namespace {

// One callback; shared by its task and the thread that will run it.
struct ReportCall {
  enum class State : uint8_t { kWaiting, kRunning, kDone };

  void (*function)(void*) = nullptr;
  void* argument = nullptr;
  ManagedStream* of = nullptr;
  // The stream that waits for the return; set before the call can be run. Null: none waits.
  Stream* waiting = nullptr;
  std::atomic<State> state{State::kWaiting};

  bool Take(State next) {
    State expected = State::kWaiting;
    return state.compare_exchange_strong(expected, next, std::memory_order_acq_rel);
  }
  void Drop() {
    if (Take(State::kDone) && waiting != nullptr) waiting->Notify();
  }
  // The end of a call that runs, also when the callback throws.
  void Finish() {
    // release: what the callback wrote is visible to the tasks after it.
    state.store(State::kDone, std::memory_order_release);
    if (waiting != nullptr) waiting->Notify();
  }
};

// What one subscribing thread has to do. Outlives the subscription as long as tasks refer to it.
struct Subscriber {
  const int32_t device;
  // Both guarded by the registry's lock.
  std::vector<ManagedStream*> streams;
  std::deque<std::shared_ptr<ReportCall>> ready;
  std::atomic<uint32_t> news{0};  // futex; changed with every entry of `ready` and at the end
};

struct ReportRegistry {
  Mutex mutex;
  std::map<uint64_t, std::shared_ptr<Subscriber>> threads TANDEM_GUARDED_BY(mutex);
  std::map<const ManagedStream*, uint64_t> streams TANDEM_GUARDED_BY(mutex);
};

ReportRegistry& Subscriptions() {
  static ReportRegistry* const registry = new ReportRegistry;
  return *registry;
}

void Wake(Subscriber& subscriber) {
  subscriber.news.fetch_add(1, std::memory_order_seq_cst);
  FutexWake(subscriber.news, INT_MAX, FutexScope::kPrivate);
}

// False: nobody serves the stream any more.
bool Post(const std::shared_ptr<ReportCall>& call) {
  std::shared_ptr<Subscriber> subscriber;
  {
    MutexLock lock(Subscriptions().mutex);
    const auto found = Subscriptions().streams.find(call->of);
    if (found == Subscriptions().streams.end()) return false;
    subscriber = Subscriptions().threads.at(found->second);
    subscriber->ready.push_back(call);
  }
  Wake(*subscriber);
  return true;
}

class ReportTask final : public Task {
 public:
  ReportTask(std::shared_ptr<ReportCall> call, bool block) : call_(std::move(call)), block_(block) {}

  Step Run(const RunContext& context) override {
    if (!posted_) {
      if (cancelled_) return Step::kDone;
      // Waking the thread takes longer than a queueing call may.
      if (context.starting) return Step::kMore;
      posted_ = true;
      if (block_) call_->waiting = context.stream;
      if (!Post(call_) || !block_) return Step::kDone;
    }
    return call_->state.load(std::memory_order_acquire) == ReportCall::State::kDone ? Step::kDone
                                                                                    : Step::kBlocked;
  }

  // A callback that runs already is waited for: it uses the application's data.
  void Cancel(const Status& /*why*/) override {
    cancelled_ = true;
    if (posted_) call_->Take(ReportCall::State::kDone);
  }

 private:
  std::shared_ptr<ReportCall> call_;
  bool block_;
  bool posted_ = false;
  bool cancelled_ = false;
};

// Takes the stream from its subscriber; returns the calls that nobody will run.
std::vector<std::shared_ptr<ReportCall>> Detach(ManagedStream& stream, uint64_t thread)
    TANDEM_REQUIRES(Subscriptions().mutex) {
  const auto found = Subscriptions().threads.find(thread);
  Subscriber& subscriber = *found->second;
  std::vector<std::shared_ptr<ReportCall>> dropped;
  std::deque<std::shared_ptr<ReportCall>> kept;
  for (std::shared_ptr<ReportCall>& call : subscriber.ready) {
    if (call->of == &stream) {
      dropped.push_back(std::move(call));
    } else {
      kept.push_back(std::move(call));
    }
  }
  subscriber.ready.swap(kept);
  std::erase(subscriber.streams, &stream);
  Subscriptions().streams.erase(&stream);
  if (subscriber.streams.empty()) {
    Wake(subscriber);
    Subscriptions().threads.erase(found);
  }
  return dropped;
}

Status ThreadServesNothing() {
  return Status::Error(Code::kThreadSubscribed,
                       "this thread serves no stream; subscribe it with aclrtSubscribeReport, giving the "
                       "value of pthread_self() in this thread");
}

void RunCall(ReportCall& call) {
  // Fails when the task was cancelled, or the stream lost its subscriber.
  if (!call.Take(ReportCall::State::kRunning)) return;
  struct Finisher {
    ReportCall& call;
    ~Finisher() { call.Finish(); }
  } finisher{call};
  call.function(call.argument);
}

// A callback that throws must not keep the others from running: streams wait for them.
void RunAll(const std::deque<std::shared_ptr<ReportCall>>& calls) {
  std::exception_ptr thrown;
  for (const std::shared_ptr<ReportCall>& call : calls) {
    try {
      RunCall(*call);
    } catch (...) {
      thrown = std::current_exception();
    }
  }
  if (thrown != nullptr) std::rethrow_exception(thrown);
}

}  // namespace

Status Subscribe(uint64_t thread, ManagedStream& stream) {
  MutexLock lock(Subscriptions().mutex);
  if (const auto found = Subscriptions().streams.find(&stream); found != Subscriptions().streams.end()) {
    return Status::Error(Code::kStreamSubscribed,
                         "thread %llu has subscribed to this stream already; a stream has one subscriber",
                         static_cast<unsigned long long>(found->second));
  }
  const int32_t device = stream.context()->device();
  const auto known = Subscriptions().threads.find(thread);
  if (known != Subscriptions().threads.end() && known->second->device != device) {
    return Status::Error(Code::kThreadSubscribed,
                         "threadId %llu serves streams of device %d and cannot serve one of device %d too",
                         static_cast<unsigned long long>(thread), known->second->device, device);
  }
  if (known == Subscriptions().threads.end() && Subscriptions().threads.size() >= kMostReportThreads) {
    return Status::Error(Code::kUnavailable, "%zu threads have subscribed already, which is the most",
                         kMostReportThreads);
  }
  if (!stream.ClaimCallbacks(ManagedStream::Callbacks::kSubscribed)) {
    return Status::Error(Code::kStreamSubscribed,
                         "the stream was used with aclrtLaunchHostFunc; use another for aclrtLaunchCallback");
  }
  std::shared_ptr<Subscriber>& subscriber = Subscriptions().threads[thread];
  if (subscriber == nullptr) subscriber.reset(new Subscriber{device, {}, {}});
  subscriber->streams.push_back(&stream);
  Subscriptions().streams.emplace(&stream, thread);
  return Status::Ok();
}

Status Unsubscribe(uint64_t thread, ManagedStream& stream) {
  std::vector<std::shared_ptr<ReportCall>> dropped;
  {
    MutexLock lock(Subscriptions().mutex);
    const auto found = Subscriptions().streams.find(&stream);
    if (found == Subscriptions().streams.end()) {
      return Status::Error(Code::kStreamSubscribed, "no thread has subscribed to this stream");
    }
    if (found->second != thread) {
      return Status::Error(
          Code::kThreadSubscribed, "threadId is %llu, but thread %llu has subscribed to this stream",
          static_cast<unsigned long long>(thread), static_cast<unsigned long long>(found->second));
    }
    dropped = Detach(stream, thread);
    stream.ReleaseCallbacks();
  }
  for (const std::shared_ptr<ReportCall>& call : dropped) call->Drop();
  return Status::Ok();
}

void ForgetSubscription(ManagedStream& stream) {
  std::vector<std::shared_ptr<ReportCall>> dropped;
  {
    MutexLock lock(Subscriptions().mutex);
    const auto found = Subscriptions().streams.find(&stream);
    if (found == Subscriptions().streams.end()) return;
    dropped = Detach(stream, found->second);
  }
  for (const std::shared_ptr<ReportCall>& call : dropped) call->Drop();
}

Status QueueReport(ManagedStream& stream, void (*function)(void*), void* argument, bool block) {
  {
    MutexLock lock(Subscriptions().mutex);
    if (!Subscriptions().streams.contains(&stream)) {
      if (stream.HasHostFunctions()) {
        return Status::Error(Code::kStreamSubscribed,
                             "the stream was used with aclrtLaunchHostFunc; use another for "
                             "aclrtLaunchCallback");
      }
      return Status::Error(Code::kNotSubscribed,
                           "no thread has subscribed to this stream; call aclrtSubscribeReport first");
    }
  }
  auto call = std::make_shared<ReportCall>();
  call->function = function;
  call->argument = argument;
  call->of = &stream;
  return SubmitTask(stream, std::make_unique<ReportTask>(std::move(call), block));
}

Status ProcessReports(uint64_t thread, Deadline deadline) {
  for (;;) {
    std::shared_ptr<Subscriber> subscriber;
    std::deque<std::shared_ptr<ReportCall>> calls;
    uint32_t seen = 0;
    {
      MutexLock lock(Subscriptions().mutex);
      const auto found = Subscriptions().threads.find(thread);
      if (found == Subscriptions().threads.end()) return ThreadServesNothing();
      subscriber = found->second;
      // Before the look at `ready`: whoever adds to it afterwards changes the word.
      seen = subscriber->news.load(std::memory_order_seq_cst);
      calls.swap(subscriber->ready);
    }
    if (!calls.empty()) {
      RunAll(calls);
      return Status::Ok();
    }
    if (deadline != kNever && Clock::now() >= deadline) {
      return Status::Error(Code::kReportTimeout, "no callback became ready within the time limit");
    }
    FutexWait(subscriber->news, seen, deadline, FutexScope::kPrivate);
  }
}

}  // namespace tandem
