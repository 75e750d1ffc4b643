// SPDX-License-Identifier: Apache-2.0
#pragma once

// The same training without ranks, streams or messages: what the pipeline must equal, bit for bit.

#include "network.h"

namespace pipeline {

struct Training {
  std::vector<float> losses;  // [kSteps]
  std::vector<Layer> layers;
};

inline float TrainOneMicroBatch(std::vector<Layer>& layers, const Sample& batch) {
  std::vector<Vector> values = {batch.inputs};
  for (const Layer& layer : layers) {
    values.emplace_back(kSamples * layer.out);
    Forward(layer, values[values.size() - 2].data(), values.back().data());
  }
  Vector gradient(values.back().size());
  const float loss = Loss(values.back().data(), batch.targets, gradient.data());
  for (uint32_t l = kLayers; l-- > 0;) {
    Vector input_gradient(kSamples * layers[l].in);
    BackwardInput(layers[l], values[l + 1].data(), gradient.data(), l > 0 ? input_gradient.data() : nullptr);
    BackwardWeights(layers[l], values[l].data(), gradient.data());
    gradient = input_gradient;
  }
  return loss;
}

inline Training TrainAlone() {
  Training run;
  for (uint32_t l = 0; l < kLayers; ++l) run.layers.emplace_back(l);
  std::vector<Sample> batches;
  for (uint32_t m = 0; m < kMicroBatches; ++m) batches.push_back(MakeMicroBatch(m));
  for (uint32_t step = 0; step < kSteps; ++step) {
    float loss = 0.0F;
    for (const Sample& batch : batches) loss += TrainOneMicroBatch(run.layers, batch);
    for (Layer& layer : run.layers) Update(layer);
    run.losses.push_back(loss);
  }
  return run;
}

}  // namespace pipeline
