// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "comm/bootstrap/channel.h"
#include "comm/bootstrap/listener.h"

namespace tandem::bootstrap {

// The root's side of the proof: reads Hello, answers with Challenge, checks RankProof, and hands the channel
// to the root that the Hello named. Whatever else comes costs the sender its connection and nobody else
// anything.
void StartHandshake(std::shared_ptr<Channel> channel, std::unique_ptr<Listener::Place> place);

}  // namespace tandem::bootstrap
