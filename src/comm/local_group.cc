// SPDX-License-Identifier: Apache-2.0
#include "comm/local_group.h"

#include <algorithm>
#include <vector>

namespace tandem {

std::shared_ptr<LocalGroup> LocalGroup::Of(const std::string& communicator) {
  static Mutex mutex;
  static auto* const groups = new std::map<std::string, std::weak_ptr<LocalGroup>>;
  MutexLock lock(mutex);
  std::erase_if(*groups, [](const auto& entry) { return entry.second.expired(); });
  std::weak_ptr<LocalGroup>& entry = (*groups)[communicator];
  std::shared_ptr<LocalGroup> group = entry.lock();
  if (group == nullptr) {
    group = std::make_shared<LocalGroup>();
    entry = group;
  }
  return group;
}

std::shared_ptr<LocalChannel> LocalGroup::ChannelFor(const Key& key) {
  std::shared_ptr<LocalChannel>& channel = channels_[key];
  if (channel == nullptr) {
    channel = std::make_shared<LocalChannel>();
    for (const uint32_t end : {std::get<0>(key), std::get<1>(key)}) {
      if (const auto gone = gone_.find(end); gone != gone_.end()) channel->Fail(gone->second);
    }
  }
  return channel;
}

Link::Channels LocalGroup::Between(uint32_t rank, uint32_t peer) {
  Link::Channels channels;
  MutexLock lock(mutex_);
  for (size_t space = 0; space < kSpaces; ++space) {
    const auto which = static_cast<Space>(space);
    channels[static_cast<size_t>(Direction::kSend)][space] = ChannelFor({rank, peer, which});
    channels[static_cast<size_t>(Direction::kReceive)][space] = ChannelFor({peer, rank, which});
  }
  return channels;
}

size_t LocalGroup::LeftCount() {
  MutexLock lock(mutex_);
  return gone_.size();
}

void LocalGroup::KeepPart(std::shared_ptr<LocalGroup> part, size_t members) {
  MutexLock lock(mutex_);
  // The whole's lock is taken before a part's, never the other way round.
  std::erase_if(parts_, [](const Part& known) { return known.group->LeftCount() >= known.members; });
  const bool is_new =
      std::none_of(parts_.begin(), parts_.end(), [&part](const Part& known) { return known.group == part; });
  if (is_new) parts_.push_back({std::move(part), members});
}

void LocalGroup::Leave(uint32_t rank, const Status& why) {
  std::vector<std::shared_ptr<LocalChannel>> touched;
  {
    MutexLock lock(mutex_);
    gone_.emplace(rank, why);
    for (const auto& [key, channel] : channels_) {
      if (std::get<0>(key) == rank || std::get<1>(key) == rank) touched.push_back(channel);
    }
  }
  for (const std::shared_ptr<LocalChannel>& channel : touched) channel->Fail(why);
}

}  // namespace tandem
