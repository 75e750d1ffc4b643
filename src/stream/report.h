// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "base/futex.h"
#include "base/result.h"
#include "stream/stream_pool.h"

namespace tandem {

// Callbacks that a thread of the application runs, inside aclrtProcessReport, for the streams to which it
// subscribed. A thread is named by its pthread_self().

inline constexpr size_t kMostReportThreads = 1024;

// kStreamSubscribed: the stream has a subscriber, or host functions. kThreadSubscribed: the thread serves
// streams of another device. kUnavailable: too many threads have subscribed.
Status Subscribe(uint64_t thread, ManagedStream& stream);

// Callbacks of the stream that the thread has not begun are dropped, and the stream goes on.
// kStreamSubscribed: it has no subscriber. kThreadSubscribed: its subscriber is another thread.
Status Unsubscribe(uint64_t thread, ManagedStream& stream);
// The same for a stream that ends, whoever subscribed.
void ForgetSubscription(ManagedStream& stream);

// Queues `function(argument)` for the subscriber. `block`: later tasks wait for its return.
// kStreamSubscribed: the stream has host functions instead. kNotSubscribed: nobody subscribed.
Status QueueReport(ManagedStream& stream, void (*function)(void*), void* argument, bool block);

// Waits for the first callback that a stream has reached and runs all that are ready, on this thread.
// kThreadSubscribed: the thread has no stream, or lost its last one meanwhile. kReportTimeout.
Status ProcessReports(uint64_t thread, Deadline deadline);

}  // namespace tandem
