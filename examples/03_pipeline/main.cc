// SPDX-License-Identifier: Apache-2.0

// A pipeline-parallel training: four stages, one layer each, eight micro-batches per step, in the
// order known as 1F1B (one forward, one backward). README.md says why this order always completes.

#include <cstdio>
#include <cstring>

#include "single_rank.h"
#include "stage.h"

namespace {

using pipeline::kLayers;
using pipeline::kMicroBatches;
using pipeline::kSteps;
using pipeline::Stage;

static_assert(kMicroBatches >= kLayers, "every stage needs a micro-batch for each of its first forwards");

// Queues one whole training step and waits for nothing.
//
// In every stage the calls to ExchangeWithPrevious (P) and ExchangeWithNext (N) strictly alternate:
// P0 N0 P1 N1 P2 ... The k-th P of a stage meets the k-th N of the stage before it. Give the k-th meeting of
// stage s with stage s + 1 the number 2k + s: in each stage the numbers grow by one from exchange to
// exchange, so no chain of "this exchange waits for that one" can come back to where it started.
int QueueStep(Stage& stage) {
  const uint32_t warmup = stage.warmup();
  const uint32_t steady = kMicroBatches - warmup;
  auto activation = [&](uint32_t m) { return m < kMicroBatches ? stage.batch(m).input : nullptr; };

  for (uint32_t m = 0; m < warmup; ++m) {
    if (stage.ExchangeWithPrevious(nullptr, activation(m)) != 0) return 1;
    if (stage.QueueForward(m) != 0) return 1;
    if (stage.ExchangeWithNext(stage.batch(m).output, nullptr) != 0) return 1;
  }
  if (stage.ExchangeWithPrevious(nullptr, activation(warmup)) != 0) return 1;
  for (uint32_t m = 0; m < steady; ++m) {
    const uint32_t ahead = warmup + m;
    if (stage.QueueForward(ahead) != 0) return 1;
    if (stage.ExchangeWithNext(stage.batch(ahead).output, stage.batch(m).output_gradient) != 0) return 1;
    if (stage.QueueBackward(m) != 0) return 1;
    if (stage.ExchangeWithPrevious(stage.batch(m).input_gradient, activation(ahead + 1)) != 0) return 1;
  }
  for (uint32_t m = steady; m < kMicroBatches; ++m) {
    if (stage.ExchangeWithNext(nullptr, stage.batch(m).output_gradient) != 0) return 1;
    if (stage.QueueBackward(m) != 0) return 1;
    if (stage.ExchangeWithPrevious(stage.batch(m).input_gradient, nullptr) != 0) return 1;
  }
  return stage.QueueUpdate();
}

int Train(Stage& stage, std::vector<float>* losses) {
  for (uint32_t step = 0; step < kSteps; ++step) {
    if (QueueStep(stage) != 0 || stage.Wait() != 0) return 1;
    if (!stage.IsLast()) continue;
    float loss = 0.0F;
    for (uint32_t m = 0; m < kMicroBatches; ++m) loss += stage.batch(m).loss;
    losses->push_back(loss);
    std::printf("step %2u  loss %.6f\n", step + 1, static_cast<double>(loss));
    std::fflush(stdout);
  }
  return 0;
}

bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

int CompareWithSingleRank(const std::vector<float>& losses,
                          const std::array<pipeline::Vector, kLayers>& all) {
  const pipeline::Training alone = pipeline::TrainAlone();
  bool same = SameBits(losses, alone.losses);
  std::printf("losses of %zu steps: %s\n", losses.size(),
              same ? "equal to the single-rank run, bit for bit" : "DIFFER");
  for (uint32_t l = 0; l < kLayers; ++l) {
    const bool equal = SameBits(all[l], alone.layers[l].parameters);
    std::printf("layer %u, %zu parameters: %s\n", l, all[l].size(),
                equal ? "equal to the single-rank run, bit for bit" : "DIFFER");
    same = same && equal;
  }
  const bool fell = losses.back() < 0.5F * losses.front();
  if (!fell) std::printf("the loss did not fall to half of its first value\n");
  return same && fell ? 0 : 1;
}

int RunRank(const example::Rank& self) {
  if (self.size != kLayers) {
    std::fprintf(stderr, "%u ranks, expected %u: one for each layer\n", self.size, kLayers);
    return 1;
  }
  Stage stage(self);
  std::vector<float> losses;
  std::array<pipeline::Vector, kLayers> all;
  if (stage.Open(self) != 0 || Train(stage, &losses) != 0 || stage.GatherParameters(&all) != 0) return 1;
  const int failed = stage.IsLast() ? CompareWithSingleRank(losses, all) : 0;
  if (stage.Close() != 0) return 1;
  ACL_CHECK(aclrtResetDevice(self.device));
  return failed;
}

}  // namespace

int main() { return example::Launch(kLayers, RunRank); }
