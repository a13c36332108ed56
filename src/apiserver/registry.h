// Registry: everything that the hub serves at one moment. Immutable: a CustomResourceDefinition
// that changes makes a new one.

#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "apiserver/resource.h"

namespace berth::apiserver {

// The versions of one group, the preferred one first.
struct ServedGroup {
  std::string name;  // Empty: the core group.
  std::vector<std::string> versions;
};

class Registry {
 public:
  explicit Registry(std::vector<std::shared_ptr<const Resource>> resources);

  // Null when there is none.
  std::shared_ptr<const Resource> find(std::string_view group, std::string_view version,
                                       std::string_view resource) const;

  // For references to kinds, such as those of owners. Null when there is none.
  std::shared_ptr<const Resource> find_kind(const api::Gvk& gvk) const;

  // The core group first, then those of Kubernetes in its order of preference, then the others by
  // name.
  const std::vector<ServedGroup>& groups() const { return groups_; }

  // By name.
  std::vector<std::shared_ptr<const Resource>> resources(std::string_view group,
                                                         std::string_view version) const;

 private:
  using Key = std::tuple<std::string, std::string, std::string>;
  std::map<Key, std::shared_ptr<const Resource>, std::less<>> resources_;
  std::map<Key, std::shared_ptr<const Resource>, std::less<>> kinds_;
  std::vector<ServedGroup> groups_;
};

}  // namespace berth::apiserver
