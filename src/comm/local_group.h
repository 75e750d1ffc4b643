// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <memory>
#include <string>
#include <tuple>
#include <vector>

#include "base/mutex.h"
#include "comm/link.h"
#include "transport/local_channel.h"

namespace tandem {

// The ranks of one communicator that live in this process, and the channels between them. Shared by their
// communicator objects; gone with the last of them. Thread-safe.
class LocalGroup {
 public:
  // The group of the communicator with that name; made by the first rank that asks.
  static std::shared_ptr<LocalGroup> Of(const std::string& communicator);

  // The channels between `rank` and `peer`, seen from `rank`. Both sides get the same objects.
  Link::Channels Between(uint32_t rank, uint32_t peer) TANDEM_EXCLUDES(mutex_);

  // The rank is no longer there: what waits for it fails with `why`, and what comes later too.
  void Leave(uint32_t rank, const Status& why) TANDEM_EXCLUDES(mutex_);

  // For the group of a part of this communicator, of which `members` ranks live in this process: keeps it
  // until all of them have left, so that one that is made later finds who has left before.
  void KeepPart(std::shared_ptr<LocalGroup> part, size_t members) TANDEM_EXCLUDES(mutex_);

 private:
  using Key = std::tuple<uint32_t, uint32_t, Space>;  // from, to
  size_t LeftCount() TANDEM_EXCLUDES(mutex_);
  std::shared_ptr<LocalChannel> ChannelFor(const Key& key) TANDEM_REQUIRES(mutex_);

  Mutex mutex_;
  std::map<Key, std::shared_ptr<LocalChannel>> channels_ TANDEM_GUARDED_BY(mutex_);
  std::map<uint32_t, Status> gone_ TANDEM_GUARDED_BY(mutex_);
  struct Part {
    std::shared_ptr<LocalGroup> group;
    size_t members = 0;
  };
  std::vector<Part> parts_ TANDEM_GUARDED_BY(mutex_);
};

}  // namespace tandem
