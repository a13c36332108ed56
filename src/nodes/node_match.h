// Which nodes a pod may go to and would rather go to: nodeSelector and node affinity, read once and
// matched many times.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/label_requirement.h"
#include "api/labels.h"
#include "json/value.h"

namespace berth::nodes {

// All of it must hold. A term that says nothing, or something that cannot be read, holds for no
// node.
class NodeTerm {
 public:
  static NodeTerm from_json(const json::Value& term);

  bool matches(std::string_view node, const api::Labels& labels) const;

 private:
  struct NameIs {
    std::string name;
    bool wanted;  // False: any other.
  };

  bool matches_nothing_ = false;
  std::vector<api::LabelRequirement> labels_;
  std::vector<NameIs> names_;
};

class NodeMatch {
 public:
  NodeMatch() = default;  // Every node, none more than another.

  // Of the pod's spec.
  static NodeMatch from_json(const json::Value& spec);

  bool matches(std::string_view node, const api::Labels& labels) const;

  bool has_preferences() const { return !preferred_.empty(); }
  std::int64_t preference(std::string_view node, const api::Labels& labels) const;

 private:
  struct Preferred {
    NodeTerm term;
    std::int64_t weight;
  };

  std::vector<api::Label> selector_;
  std::optional<std::vector<NodeTerm>> required_;  // Any of them.
  std::vector<Preferred> preferred_;
};

}  // namespace berth::nodes
