// An expression made ready to run: names are slots, functions are pointers, and what can be
// computed once has been. Immutable, so that any number of evaluations may share it.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "cel/arena.h"
#include "cel/function.h"
#include "cel/value.h"

namespace berth::cel {

using NodeIndex = std::uint32_t;

enum class Op : std::uint8_t {
  Constant,
  Attribute,  // A variable, another node or a choice between two, with a path of qualifiers.
  And,
  Or,
  Equal,
  NotEqual,
  NotStrictlyFalse,
  Call,
  OptionalOr,       // a.or(b)
  OptionalOrValue,  // a.orValue(b)
  List,
  Map,
  Fold,     // children: as ComprehensionPart
  Collect,  // map() and filter(): children are range, element and, if there is one, the filter.
};

// Where an attribute starts.
enum class Base : std::uint8_t {
  Slot,
  Node,         // children[0]
  Conditional,  // children: condition, if true, if false
};

// One step of a path: .name, [key], .?name, [?key].
struct Qualifier {
  Value key = {};  // Meaningful when there is no node to compute it.
  NodeIndex node = 0;
  bool is_computed = false;
  bool is_optional = false;
  bool is_test = false;  // The last step of has().
};

struct Range {
  std::uint32_t first = 0;
  std::uint32_t count = 0;
};

struct PlanNode {
  Op op = Op::Constant;
  Base base = Base::Slot;
  // Attributes cost 1 on their own, but not as a branch of a choice or as a key.
  bool has_own_cost = true;
  bool stops_at_error = false;  // Call: arguments after one that failed are not evaluated.
  std::uint32_t slot = 0;       // Attribute; the iteration variable of loops.
  std::uint32_t accumulator = 0;
  Range children = {};
  Range qualifiers = {};
  Value constant = {};
  const Function* function = nullptr;
  const Overload* overload = nullptr;  // Null when it is only known at run time.
  const Prepared* prepared = nullptr;
  const std::vector<bool>* optional = nullptr;  // List, Map: which children were written with '?'.
};

struct EvaluationPlan {
  std::vector<PlanNode> nodes = {};
  std::vector<NodeIndex> children = {};
  std::vector<Qualifier> qualifiers = {};
  NodeIndex root = 0;
  std::uint32_t slot_count = 0;  // Variables first, then what loops declare.
  // By slot: what computes the first value of an accumulator, when it is first read.
  std::vector<NodeIndex> initials = {};
  std::unique_ptr<Arena> constants = std::make_unique<Arena>();
  std::vector<std::unique_ptr<const Prepared>> prepared = {};
  std::vector<std::unique_ptr<const std::vector<bool>>> optionals = {};

  std::span<const NodeIndex> children_of(const PlanNode& node) const {
    return std::span(children).subspan(node.children.first, node.children.count);
  }
  std::span<const Qualifier> qualifiers_of(const PlanNode& node) const {
    return std::span(qualifiers).subspan(node.qualifiers.first, node.qualifiers.count);
  }
};

}  // namespace berth::cel
