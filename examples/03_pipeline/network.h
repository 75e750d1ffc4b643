// SPDX-License-Identifier: Apache-2.0
#pragma once

// A four-layer perceptron, tanh between the layers, mean squared error, plain gradient descent.
// The pipeline and the single-rank run both call exactly these functions. They are kept out of line so
// that both run the same instructions: a compiler may round differently in two inlined copies of a loop.

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pipeline {

constexpr uint32_t kLayers = 4;
constexpr uint32_t kMicroBatches = 8;
constexpr size_t kSamples = 32;  // in one micro-batch
constexpr uint32_t kSteps = 20;
constexpr float kLearningRate = 0.4F;
constexpr std::array<size_t, kLayers + 1> kWidths = {8, 64, 64, 64, 4};

using Vector = std::vector<float>;

// Numbers in [-1, 1), equal on every machine.
class Random {
 public:
  explicit Random(uint32_t seed) : state_(seed * 2654435761U + 1) {}
  float Next() {
    state_ = state_ * 1664525U + 1013904223U;
    return static_cast<float>(state_ >> 8U) / 8388608.0F - 1.0F;
  }

 private:
  uint32_t state_;
};

struct Layer {
  explicit Layer(uint32_t index)
      : in(kWidths[index]),
        out(kWidths[index + 1]),
        curved(index + 1 < kLayers),
        parameters(in * out + out),
        gradients(parameters.size()) {
    Random random(index + 1);
    const float scale = 1.5F / std::sqrt(static_cast<float>(in));
    for (uint32_t i = 0; i < in * out; ++i) parameters[i] = scale * random.Next();
  }

  size_t in;
  size_t out;
  bool curved;        // tanh follows; the last layer is linear
  Vector parameters;  // weights [out][in], then biases [out]
  Vector gradients;   // same shape, summed over the micro-batches of a step
};

struct Sample {
  Vector inputs;   // [kSamples][kWidths.front()]
  Vector targets;  // [kSamples][kWidths.back()]
};

// Micro-batch `index` of a fixed data set: smooth functions of random points.
inline Sample MakeMicroBatch(uint32_t index) {
  Random random(100 + index);
  Sample batch{Vector(kSamples * kWidths.front()), Vector(kSamples * kWidths.back())};
  for (float& value : batch.inputs) value = random.Next();
  for (uint32_t s = 0; s < kSamples; ++s) {
    const float* x = &batch.inputs[s * kWidths.front()];
    for (uint32_t o = 0; o < kWidths.back(); ++o) {
      batch.targets[s * kWidths.back() + o] = std::sin(2.0F * x[o] + x[o + 4]) * 0.8F;
    }
  }
  return batch;
}

// y[kSamples][out] = activation(W x + b)
[[gnu::noinline]] inline void Forward(const Layer& layer, const float* x, float* y) {
  const float* bias = &layer.parameters[layer.in * layer.out];
  for (uint32_t s = 0; s < kSamples; ++s) {
    for (uint32_t o = 0; o < layer.out; ++o) {
      float sum = bias[o];
      for (uint32_t i = 0; i < layer.in; ++i) sum += layer.parameters[o * layer.in + i] * x[s * layer.in + i];
      y[s * layer.out + o] = layer.curved ? std::tanh(sum) : sum;
    }
  }
}

// Turns dy, the gradient of the output, into the gradient before the activation, in place; then
// dx[kSamples][in] = dy W, unless dx is null (the first layer's input has no use for it).
[[gnu::noinline]] inline void BackwardInput(const Layer& layer, const float* y, float* dy, float* dx) {
  if (layer.curved) {
    for (uint32_t k = 0; k < kSamples * layer.out; ++k) dy[k] *= 1.0F - y[k] * y[k];
  }
  if (dx == nullptr) return;
  for (uint32_t s = 0; s < kSamples; ++s) {
    for (uint32_t i = 0; i < layer.in; ++i) {
      float sum = 0.0F;
      for (uint32_t o = 0; o < layer.out; ++o)
        sum += dy[s * layer.out + o] * layer.parameters[o * layer.in + i];
      dx[s * layer.in + i] = sum;
    }
  }
}

// Adds this micro-batch to the gradients. Addition of floats is not associative, so both runs add
// the micro-batches in the same order.
[[gnu::noinline]] inline void BackwardWeights(Layer& layer, const float* x, const float* dy) {
  float* bias = &layer.gradients[layer.in * layer.out];
  for (uint32_t s = 0; s < kSamples; ++s) {
    for (uint32_t o = 0; o < layer.out; ++o) {
      const float d = dy[s * layer.out + o];
      bias[o] += d;
      for (uint32_t i = 0; i < layer.in; ++i) layer.gradients[o * layer.in + i] += d * x[s * layer.in + i];
    }
  }
}

// The micro-batch's share of the step's loss; dy is its gradient.
[[gnu::noinline]] inline float Loss(const float* y, const Vector& targets, float* dy) {
  const float share = 1.0F / static_cast<float>(targets.size() * kMicroBatches);
  float sum = 0.0F;
  for (size_t k = 0; k < targets.size(); ++k) {
    const float difference = y[k] - targets[k];
    sum += difference * difference * share;
    dy[k] = 2.0F * difference * share;
  }
  return sum;
}

[[gnu::noinline]] inline void Update(Layer& layer) {
  for (size_t k = 0; k < layer.parameters.size(); ++k) {
    layer.parameters[k] -= kLearningRate * layer.gradients[k];
    layer.gradients[k] = 0.0F;
  }
}

}  // namespace pipeline
