// ManagedClusterSet and ManagedClusterSetBinding: which clusters a namespace may use.

#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "api/kinds/fields.h"
#include "api/label_selector.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::api {

struct ManagedClusterSet {
  enum class SelectorType : std::uint8_t { ExclusiveClusterSetLabel, LabelSelector };

  ObjectFacts facts = {};
  SelectorType type = SelectorType::ExclusiveClusterSetLabel;
  LabelSelector selector = LabelSelector::nothing();  // Only for type LabelSelector.
  std::optional<Error> problem = std::nullopt;        // Why nobody can tell the members.

  bool operator==(const ManagedClusterSet&) const = default;
};

ManagedClusterSet read_managed_cluster_set(const json::Value& object);

struct ManagedClusterSetBinding {
  ObjectFacts facts = {};        // Its name, not spec.clusterSet, grants the set.
  std::string cluster_set = {};  // spec.clusterSet

  bool operator==(const ManagedClusterSetBinding&) const = default;
};

ManagedClusterSetBinding read_managed_cluster_set_binding(const json::Value& object);

}  // namespace berth::api
