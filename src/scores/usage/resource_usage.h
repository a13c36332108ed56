// How much room a cluster has, kept up to date one node and one pod at a time.
//
// A pod holds its requests on its node until it has ended: a terminating one still does. A node
// counts if pods could start there. What is free is free on one node: a node that has been given
// more than it has does not take away from the room of another.
//
// A change of one pod costs the same in a cluster of any size. Which order nodes and pods come in
// makes no difference: a pod may be known before its node.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "api/kinds/node.h"
#include "api/resource_list.h"
#include "base/result.h"
#include "base/strings.h"
#include "json/value.h"
#include "scores/score_status.h"
#include "scores/usage/usage_options.h"

namespace berth::scores {

class ResourceUsage {
 public:
  // The options have passed check_usage_options.
  explicit ResourceUsage(UsageOptions options);

  // Adds or replaces. An object with an amount that cannot be read is an error, and does not count.
  Status put_node(const json::Value& node);
  Status put_pod(const json::Value& pod);
  void remove_node(std::string_view name);
  void remove_pod(const api::ObjectKey& key);

  // Before a whole new state comes, one put after the other.
  void clear_nodes();
  void clear_pods();

  // In no order.
  std::vector<Score> scores() const;

  std::size_t nodes() const { return nodes_known_; }
  std::size_t eligible_nodes() const { return nodes_eligible_; }
  std::size_t pods() const { return pods_.size(); }  // That hold something on a node.

 private:
  __extension__ using Wide = __int128;  // No sum of amounts can outgrow it.
  using Slot = std::uint32_t;

  // Amounts by column: millicores of cpu, whole units of everything else.
  using Amounts = std::vector<std::int64_t>;

  struct NodeEntry {
    std::string name = {};
    bool is_known = false;  // False: only pods of it are.
    bool is_eligible = false;
    Amounts allocatable = {};
    std::vector<Wide> used = {};
    std::uint32_t pods = 0;
  };
  struct PodEntry {
    Slot node;
    Amounts amounts;
  };
  // One published resource.
  struct Line {
    TrackedResource resource;
    std::size_t column;
    ExactLine bounds;
    double unit;  // What one is in the unit of the bounds: for logarithms.
  };
  struct Need {
    std::size_t column;
    std::int64_t amount;
  };
  struct ShapeEntry {
    Shape shape;
    std::vector<Need> needs;
  };
  enum class Sign : std::int8_t { Add = 1, Withdraw = -1 };

  std::size_t column_of(std::string_view resource);
  Amounts amounts_of(const api::ResourceList& list) const;
  Slot slot_of(std::string_view node);
  void release_if_empty(Slot slot);
  bool is_eligible(const api::Node& node) const;
  void count(const NodeEntry& node, Sign sign);
  void charge(const PodEntry& pod, Sign sign);
  std::int64_t free_on(const NodeEntry& node, std::size_t column) const;
  std::int64_t fits_on(const NodeEntry& node, const ShapeEntry& shape) const;
  std::int32_t score_of(std::int64_t amount, const Line& line, Range range) const;
  void add_scores(std::size_t line, std::vector<Score>& scores) const;

  UsageOptions options_;
  std::vector<std::string> columns_;  // Names of resources.
  std::vector<Line> lines_;
  std::vector<ShapeEntry> shapes_;

  std::vector<NodeEntry> nodes_;  // By slot.
  std::vector<Slot> unused_;
  boost::unordered_flat_map<std::string, Slot, StringHash, std::equal_to<>> slots_;
  boost::unordered_flat_map<std::string, PodEntry, StringHash, std::equal_to<>> pods_;

  // Over eligible nodes.
  std::size_t nodes_known_ = 0;
  std::size_t nodes_eligible_ = 0;
  std::vector<Wide> free_;  // By column.
  std::vector<Wide> allocatable_;
  std::vector<std::int64_t> fits_;  // By shape.

  // How many nodes have which score, by line: the best node is the highest with any. The score
  // never falls as the amount rises, so this is the score of the largest amount.
  std::vector<std::vector<std::uint32_t>> nodes_by_score_;
};

}  // namespace berth::scores
