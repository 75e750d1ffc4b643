// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "base/result.h"
#include "comm/bootstrap/keys.h"
#include "comm/bootstrap/member.h"

namespace tandem::bootstrap {

class Door;
class Listener;
class RootServer;

// Every exchange that this process takes part in, by root info. IoLoop thread only; never destroyed.
class Registry {
 public:
  static Registry& Get();

  // The root's server, when it lives in this process.
  std::shared_ptr<RootServer> FindRoot(const RootId& id) const;
  // The root's server, or the connection to it.
  std::shared_ptr<Group> FindGroup(const RootId& id) const;
  void AddRoot(const RootId& id, std::shared_ptr<RootServer> root);
  void AddClient(const RootId& id, std::shared_ptr<Group> client);
  // Forgets the group, but not that the root info was used and how that ended.
  void Retire(const RootId& id, const Status& answer_from_now_on);
  // Forgets the group as if it had never been.
  void Remove(const RootId& id);
  // What to answer to whoever comes with a root info whose exchange is over; success when it is not.
  Status WhyUsed(const RootId& id) const;

  // One listening socket serves all roots of this process that chose the same address and ports; it closes
  // with the last of them.
  std::shared_ptr<Listener> FindListener(const std::string& key) const;
  void KeepListener(const std::string& key, const std::shared_ptr<Listener>& listener);

  // By the name of its socket; owned by its root.
  std::shared_ptr<Door> FindDoor(const std::string& socket) const;
  void KeepDoor(const std::shared_ptr<Door>& door);

 private:
  std::map<RootId, std::shared_ptr<RootServer>> roots_;
  std::map<RootId, std::shared_ptr<Group>> clients_;
  std::map<RootId, Status> used_;
  std::deque<RootId> used_order_;
  std::map<std::string, std::weak_ptr<Listener>> listeners_;
  std::map<std::string, std::weak_ptr<Door>> doors_;
};

// "root info already used"
Status AlreadyUsed(const std::string& detail);

}  // namespace tandem::bootstrap
