// What a server serves, from its discovery documents: kinds, resources, and the names people use
// for them.

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "client/resource.h"
#include "json/value.h"

namespace berth::client {

struct ResourceInfo {
  Gvr gvr;
  std::string kind;
  std::string singular = {};
  bool namespaced = false;
  std::vector<std::string> verbs = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<std::string> subresources = {};  // "status", "scale".

  Gvk gvk() const { return {.group = gvr.group, .version = gvr.version, .kind = kind}; }
  bool allows(std::string_view verb) const;
};

// Asks for the aggregated form, and takes the legacy form from a server that has no other.
inline constexpr std::string_view kDiscoveryAccept =
    "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json";
bool is_aggregated(std::string_view content_type);

// How much of a document is taken in; a server with more than that is broken or hostile.
inline constexpr std::size_t kResourcesMax = 20'000;

class Discovery {
 public:
  // The aggregated answers to /api and to /apis, in this order.
  Status add_aggregated(const json::Value& document);

  // Legacy: the answers to /api and /apis, which name the groups, and then one for each version.
  Status add_legacy_groups(const json::Value& document);
  Status add_legacy_resources(const json::Value& document);

  // The paths whose answers add_legacy_resources() still waits for: "/apis/apps/v1".
  std::vector<std::string> legacy_paths() const;

  // In the server's order: groups by priority, each group's preferred version first.
  const std::vector<ResourceInfo>& resources() const { return resources_; }

  const ResourceInfo* find(const Gvk& gvk) const;
  const ResourceInfo* find(const Gvr& gvr) const;

  // The preferred version of a kind.
  const ResourceInfo* find_kind(std::string_view group, std::string_view kind) const;

  // What a user typed: "pods", "pod", "po", "Pod", "deployments.apps", "deployments.v1.apps". Group
  // and version may be shortened from the right only as kubectl allows it: a group matches as a
  // whole or as a prefix that ends at a dot. Fails with NotFound: look again after a refresh.
  Result<ResourceInfo> resolve(std::string_view text) const;

 private:
  struct Group {
    std::string name;
    std::vector<std::string> versions;  // The preferred one first.
  };

  Status add(ResourceInfo info);
  void sort();
  const ResourceInfo* match(std::string_view name, std::string_view version,
                            std::string_view group) const;

  std::vector<Group> groups_;
  std::vector<ResourceInfo> resources_;
};

}  // namespace berth::client
