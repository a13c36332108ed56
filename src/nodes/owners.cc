#include "nodes/owners.h"

#include <utility>

#include "api/metadata.h"

namespace berth::nodes {

bool Owners::put(const json::Value& replica_set) {
  const api::Metadata metadata(replica_set);
  const auto controller = metadata.controller();
  if (!controller) return remove(metadata.uid());
  PodOwner parent{.kind = controller->kind, .name = controller->name, .uid = controller->uid};
  PodOwner& known = parents_[std::string(metadata.uid())];
  if (known == parent) return false;
  known = std::move(parent);
  return true;
}

bool Owners::remove(std::string_view uid) {
  const auto found = parents_.find(uid);
  if (found == parents_.end()) return false;
  parents_.erase(found);
  return true;
}

std::string_view Owners::root_of(std::string_view owner_uid) const {
  const auto found = parents_.find(owner_uid);
  return found == parents_.end() ? owner_uid : std::string_view(found->second.uid);
}

PodOwner Owners::root_of(const PodOwner& owner) const {
  const auto found = parents_.find(owner.uid);
  return found == parents_.end() ? owner : found->second;
}

}  // namespace berth::nodes
