// What room a hosting cluster has for control planes, kept up to date one node and one pod at a
// time.
//
// A node counts if control planes could start there. What is free is free on one node: a node that
// has been given more than it has does not take away from the room of another.

#pragma once

#include <map>
#include <string>
#include <string_view>

#include "api/object_key.h"
#include "base/result.h"
#include "hosting/amounts.h"
#include "json/value.h"

namespace berth::hosting {

class HostUsage {
 public:
  // Adds or replaces. An object with an amount that cannot be read is an error, and does not count.
  Status put_node(const json::Value& node);
  Status put_pod(const json::Value& pod);
  void remove_node(std::string_view name);
  void remove_pod(const api::ObjectKey& key);

  // Before a whole new state comes, one put after the other.
  void clear_nodes() { nodes_.clear(); }
  void clear_pods();

  Amounts capacity() const;  // Allocatable of all nodes that count.
  Amounts free() const;      // Of that, what no pod has asked for.

 private:
  struct PodEntry {
    std::string node;
    Amounts amounts;
  };

  std::map<std::string, Amounts, std::less<>> nodes_;  // Allocatable, of those that count.
  std::map<std::string, Amounts, std::less<>> used_;   // By node, known or not.
  std::map<api::ObjectKey, PodEntry> pods_;
};

}  // namespace berth::hosting
