// The one call: which node takes the pod, and why not the others.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/cycle.h"
#include "nodes/filter.h"
#include "nodes/profile.h"
#include "nodes/shapes.h"

namespace berth::nodes {

// Where the search began last: the next one goes on from there, so that all nodes have their turn
// when not all are looked at.
struct Cursor {
  std::size_t place = 0;
};

struct Choice {
  std::optional<NodeSlot> node = std::nullopt;
  std::string claim = {};     // The reservation whose room the pod takes; often empty.
  std::size_t evaluated = 0;  // Nodes that were looked at.
  std::size_t feasible = 0;   // Of those, nodes that could take it.
  std::int64_t score = 0;
};

// Among equals the first that was found wins; nodes that hold room for the pod are looked at first.
Choice schedule(const Cycle& cycle, const Profile& profile, Shapes& shapes, Cursor& cursor);

// Whether that node would take the pod now.
bool fits(const Cycle& cycle, const Profile& profile, NodeSlot node);

struct ScorerPoints {
  std::string_view scorer;
  std::int64_t points = 0;
  std::int64_t weight = 0;
};

// What is to be said about one node.
struct NodeVerdict {
  NodeSlot node = 0;
  std::string_view filter = {};            // That refused it; empty: none.
  std::vector<Objection> objections = {};  // Of that filter.
  std::vector<ScorerPoints> points = {};   // If nobody refused it.
  std::int64_t score = 0;
};

// Every node, by name.
std::vector<NodeVerdict> explain(const Cycle& cycle, const Profile& profile);

struct Refusal {
  // As kube-scheduler words it: "0/2 nodes are available: 1 Insufficient cpu, 1 node(s) ...".
  std::string message;
  std::vector<std::string_view> filters = {};  // That refused nodes, by name.

  // A change on one node may open another one.
  bool reads_cluster = false;
};

Refusal explain_refusal(const Cycle& cycle, const Profile& profile);

}  // namespace berth::nodes
