// SPDX-License-Identifier: Apache-2.0
#pragma once

// One pipeline stage: a layer, its buffers, and two streams. Every function that returns int only queues
// work (unless its comment says otherwise) and returns 0 when the work was accepted.

#include <array>
#include <cstdio>

#include "../common/launch.h"
#include "network.h"

namespace pipeline {

class Stage;

// What one micro-batch needs in one stage. Each has its own buffers, so a message of one micro-batch
// never overwrites what another is still computing with. All pointers are device memory.
struct MicroBatch {
  Stage* stage = nullptr;
  uint32_t index = 0;
  float* input = nullptr;            // [kSamples][in]   from the previous stage
  float* output = nullptr;           // [kSamples][out]  to the next stage
  float* output_gradient = nullptr;  // [kSamples][out]  from the next stage
  float* input_gradient = nullptr;   // [kSamples][in]   to the previous stage
  Sample data;                       // used by the first stage (inputs) and the last (targets)
  float loss = 0.0F;                 // last stage only
};

class Stage {
 public:
  explicit Stage(const example::Rank& self) : rank_(self.rank), layer_(self.rank) {}
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  int Open(const example::Rank& self);
  int Close();

  bool IsFirst() const { return rank_ == 0; }
  bool IsLast() const { return rank_ + 1 == kLayers; }
  uint32_t warmup() const { return kLayers - 1 - rank_; }  // forwards before the first backward
  MicroBatch& batch(uint32_t index) { return batches_[index]; }
  Layer& layer() { return layer_; }

  // Computing: host functions on the compute stream. Each starts after the latest message step.
  int QueueForward(uint32_t index);
  int QueueBackward(uint32_t index);
  int QueueUpdate();

  // Messages: one batch on the communication stream. Either pointer may be null: nothing that way.
  int ExchangeWithPrevious(float* gradient_to_send, float* activation_to_receive);
  int ExchangeWithNext(float* activation_to_send, float* gradient_to_receive);

  // Blocks until both streams are empty.
  int Wait();
  // Blocks. The last stage gets everybody's parameters, the others send theirs.
  int GatherParameters(std::array<Vector, kLayers>* all);

 private:
  int Exchange(uint32_t peer, uint64_t count, float* to_send, float* to_receive);
  int Before(aclrtStream waiting, aclrtStream first, aclrtEvent event);
  int MoveParameters(uint32_t peer, Vector* parameters);

  uint32_t rank_;
  Layer layer_;
  std::array<MicroBatch, kMicroBatches> batches_;
  std::array<void*, 4> buffers_ = {};
  HcclComm comm_ = nullptr;
  aclrtStream computing_ = nullptr;
  aclrtStream communicating_ = nullptr;
  aclrtEvent computed_ = nullptr;  // latest result that a message may carry away
  aclrtEvent arrived_ = nullptr;   // latest message step that computing may rely on
};

inline int Stage::Open(const example::Rank& self) {
  ACL_CHECK(aclrtSetDevice(self.device));
  HCCL_CHECK(HcclCommInitRootInfo(self.size, &self.root_info, self.rank, &comm_));
  ACL_CHECK(aclrtCreateStream(&computing_));
  ACL_CHECK(aclrtCreateStream(&communicating_));
  // Events of this kind may be recorded again while an earlier wait is still queued: each wait keeps
  // the record that was the latest when it was queued. Two of them serve the whole training.
  ACL_CHECK(aclrtCreateEventExWithFlag(&computed_, ACL_EVENT_SYNC));
  ACL_CHECK(aclrtCreateEventExWithFlag(&arrived_, ACL_EVENT_SYNC));

  const std::array<size_t, 4> widths = {layer_.in, layer_.out, layer_.out, layer_.in};
  for (size_t k = 0; k < buffers_.size(); ++k) {
    const size_t bytes = widths[k] * kSamples * kMicroBatches * sizeof(float);
    ACL_CHECK(aclrtMalloc(&buffers_[k], bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  }
  for (uint32_t m = 0; m < kMicroBatches; ++m) {
    auto part = [&](size_t k) { return static_cast<float*>(buffers_[k]) + widths[k] * kSamples * m; };
    batches_[m] = {this, m, part(0), part(1), part(2), part(3), MakeMicroBatch(m), 0.0F};
    if (!IsFirst()) continue;
    const size_t bytes = batches_[m].data.inputs.size() * sizeof(float);
    ACL_CHECK(aclrtMemcpy(batches_[m].input, bytes, batches_[m].data.inputs.data(), bytes,
                          ACL_MEMCPY_HOST_TO_DEVICE));
  }
  return 0;
}

inline int Stage::Close() {
  for (void* buffer : buffers_) ACL_CHECK(aclrtFree(buffer));
  ACL_CHECK(aclrtDestroyEvent(computed_));
  ACL_CHECK(aclrtDestroyEvent(arrived_));
  ACL_CHECK(aclrtDestroyStream(computing_));
  ACL_CHECK(aclrtDestroyStream(communicating_));
  HCCL_CHECK(HcclCommDestroy(comm_));
  return 0;
}

// Everything queued on `first` so far comes before everything that will be queued on `waiting`.
inline int Stage::Before(aclrtStream waiting, aclrtStream first, aclrtEvent event) {
  ACL_CHECK(aclrtRecordEvent(event, first));
  ACL_CHECK(aclrtStreamWaitEvent(waiting, event));
  return 0;
}

inline int Stage::QueueForward(uint32_t index) {
  ACL_CHECK(aclrtLaunchHostFunc(
      computing_,
      [](void* argument) {
        auto& batch = *static_cast<MicroBatch*>(argument);
        Forward(batch.stage->layer_, batch.input, batch.output);
        if (batch.stage->IsLast()) batch.loss = Loss(batch.output, batch.data.targets, batch.output_gradient);
      },
      &batches_[index]));
  return Before(communicating_, computing_, computed_);
}

// The gradient for the previous stage comes first and may leave at once: the weights' gradient, which
// nobody waits for, is computed while that message travels.
inline int Stage::QueueBackward(uint32_t index) {
  ACL_CHECK(aclrtLaunchHostFunc(
      computing_,
      [](void* argument) {
        auto& batch = *static_cast<MicroBatch*>(argument);
        float* input_gradient = batch.stage->IsFirst() ? nullptr : batch.input_gradient;
        BackwardInput(batch.stage->layer_, batch.output, batch.output_gradient, input_gradient);
      },
      &batches_[index]));
  if (Before(communicating_, computing_, computed_) != 0) return 1;
  ACL_CHECK(aclrtLaunchHostFunc(
      computing_,
      [](void* argument) {
        auto& batch = *static_cast<MicroBatch*>(argument);
        BackwardWeights(batch.stage->layer_, batch.input, batch.output_gradient);
      },
      &batches_[index]));
  return 0;
}

inline int Stage::QueueUpdate() {
  ACL_CHECK(aclrtLaunchHostFunc(
      computing_, [](void* argument) { Update(static_cast<Stage*>(argument)->layer_); }, this));
  return 0;
}

inline int Stage::ExchangeWithPrevious(float* gradient_to_send, float* activation_to_receive) {
  if (IsFirst()) return 0;
  return Exchange(rank_ - 1, uint64_t{kSamples} * layer_.in, gradient_to_send, activation_to_receive);
}

inline int Stage::ExchangeWithNext(float* activation_to_send, float* gradient_to_receive) {
  if (IsLast()) return 0;
  return Exchange(rank_ + 1, uint64_t{kSamples} * layer_.out, activation_to_send, gradient_to_receive);
}

// A lone send or receive is a batch of one item, so that no exchange depends on how its partner is
// written: items of a batch pair only with items of a batch.
inline int Stage::Exchange(uint32_t peer, uint64_t count, float* to_send, float* to_receive) {
  HcclSendRecvItem items[2];
  uint32_t used = 0;
  if (to_send != nullptr) items[used++] = {HCCL_SEND, to_send, count, HCCL_DATA_TYPE_FP32, peer};
  if (to_receive != nullptr) items[used++] = {HCCL_RECV, to_receive, count, HCCL_DATA_TYPE_FP32, peer};
  HCCL_CHECK(HcclBatchSendRecv(items, used, comm_, communicating_));
  return Before(computing_, communicating_, arrived_);
}

inline int Stage::Wait() {
  ACL_CHECK(aclrtSynchronizeStream(communicating_));
  ACL_CHECK(aclrtSynchronizeStream(computing_));
  return 0;
}

inline int Stage::MoveParameters(uint32_t peer, Vector* parameters) {
  const size_t bytes = parameters->size() * sizeof(float);
  void* buffer = nullptr;
  ACL_CHECK(aclrtMalloc(&buffer, bytes, ACL_MEM_MALLOC_HUGE_FIRST));
  if (IsLast()) {
    HCCL_CHECK(HcclRecv(buffer, parameters->size(), HCCL_DATA_TYPE_FP32, peer, comm_, communicating_));
    ACL_CHECK(aclrtSynchronizeStream(communicating_));
    ACL_CHECK(aclrtMemcpy(parameters->data(), bytes, buffer, bytes, ACL_MEMCPY_DEVICE_TO_HOST));
  } else {
    ACL_CHECK(aclrtMemcpy(buffer, bytes, parameters->data(), bytes, ACL_MEMCPY_HOST_TO_DEVICE));
    HCCL_CHECK(HcclSend(buffer, parameters->size(), HCCL_DATA_TYPE_FP32, peer, comm_, communicating_));
    ACL_CHECK(aclrtSynchronizeStream(communicating_));
  }
  ACL_CHECK(aclrtFree(buffer));
  return 0;
}

inline int Stage::GatherParameters(std::array<Vector, kLayers>* all) {
  if (!IsLast()) return MoveParameters(kLayers - 1, &layer_.parameters);
  for (uint32_t peer = 0; peer + 1 < kLayers; ++peer) {
    (*all)[peer].resize(Layer(peer).parameters.size());
    if (MoveParameters(peer, &(*all)[peer]) != 0) return 1;
  }
  (*all)[kLayers - 1] = layer_.parameters;
  return 0;
}

}  // namespace pipeline
