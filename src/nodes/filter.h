// The one interface a new reason to refuse nodes has to implement.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "nodes/cycle.h"

namespace berth::nodes {

struct Objection {
  std::string reason;  // As kube-scheduler words it where it has words: "Insufficient cpu".

  // Whether fewer pods on the node could remove it. If not, evicting anybody would be in vain.
  bool is_resolvable = true;

  bool operator==(const Objection&) const = default;
};

// A filter made ready for one pod. It lives no longer than the cycle.
class NodeTest {
 public:
  virtual ~NodeTest() = default;

  // Moves the nodes that pass to the front, in their order; how many they are.
  virtual std::size_t keep(std::span<NodeSlot> nodes) const = 0;

  // Why the node does not pass; none if it does. Only asked for when somebody wants to read it.
  virtual std::vector<Objection> objections(NodeSlot node) const = 0;
};

// What an answer depends on, and so what may change it.
enum class Reads : std::uint8_t {
  NodeObject,   // The pod's spec and the node object only: the same for all pods of one shape.
  NodeContent,  // Also what is on that node.
  Cluster,      // Also what is on other nodes.
};

// Pure: the answer depends on the arguments only. Implementations hold configuration, never state.
class Filter {
 public:
  virtual ~Filter() = default;

  virtual std::string_view name() const = 0;
  virtual Reads reads() const = 0;

  // Null: this pod passes everywhere.
  virtual std::unique_ptr<NodeTest> prepare(const Cycle& cycle) const = 0;
};

// keep() for tests that look at one node at a time.
template <typename Passes>
std::size_t keep_if(std::span<NodeSlot> nodes, Passes passes) {
  std::size_t kept = 0;
  for (const NodeSlot node : nodes) {
    if (passes(node)) nodes[kept++] = node;
  }
  return kept;
}

}  // namespace berth::nodes
