// SPDX-License-Identifier: Apache-2.0
#include "comm/bootstrap/registry.h"

#include "comm/bootstrap/door.h"
#include "comm/bootstrap/listener.h"
#include "comm/bootstrap/root_server.h"

namespace tandem::bootstrap {
namespace {

constexpr size_t kMaxRemembered = size_t{16} * 1024;

template <typename Map>
auto FindOrNull(const Map& map, const RootId& id) -> typename Map::mapped_type {
  const auto found = map.find(id);
  return found == map.end() ? nullptr : found->second;
}

}  // namespace

Registry& Registry::Get() {
  static Registry* registry = new Registry;
  return *registry;
}

std::shared_ptr<RootServer> Registry::FindRoot(const RootId& id) const { return FindOrNull(roots_, id); }

std::shared_ptr<Group> Registry::FindGroup(const RootId& id) const {
  if (auto root = FindRoot(id)) return root;
  return FindOrNull(clients_, id);
}

void Registry::AddRoot(const RootId& id, std::shared_ptr<RootServer> root) { roots_[id] = std::move(root); }

void Registry::AddClient(const RootId& id, std::shared_ptr<Group> client) {
  clients_[id] = std::move(client);
}

void Registry::Retire(const RootId& id, const Status& answer_from_now_on) {
  Remove(id);
  if (!used_.emplace(id, answer_from_now_on).second) return;
  used_order_.push_back(id);
  if (used_order_.size() <= kMaxRemembered) return;
  used_.erase(used_order_.front());
  used_order_.pop_front();
}

void Registry::Remove(const RootId& id) {
  roots_.erase(id);
  clients_.erase(id);
}

Status Registry::WhyUsed(const RootId& id) const {
  const auto found = used_.find(id);
  return found == used_.end() ? Status::Ok() : found->second;
}

std::shared_ptr<Listener> Registry::FindListener(const std::string& key) const {
  const auto found = listeners_.find(key);
  return found == listeners_.end() ? nullptr : found->second.lock();
}

void Registry::KeepListener(const std::string& key, const std::shared_ptr<Listener>& listener) {
  std::erase_if(listeners_, [](const auto& entry) { return entry.second.expired(); });
  listeners_[key] = listener;
}

std::shared_ptr<Door> Registry::FindDoor(const std::string& socket) const {
  const auto found = doors_.find(socket);
  return found == doors_.end() ? nullptr : found->second.lock();
}

void Registry::KeepDoor(const std::shared_ptr<Door>& door) {
  std::erase_if(doors_, [](const auto& entry) { return entry.second.expired(); });
  doors_[door->socket()] = door;
}

Status AlreadyUsed(const std::string& detail) {
  return Status::Error(Code::kInvalidArgument,
                       "root info already used%s%s; every communicator needs a root info of its own from "
                       "HcclGetRootInfo",
                       detail.empty() ? "" : ": ", detail.c_str())
      .WithId("EI0015");
}

}  // namespace tandem::bootstrap
