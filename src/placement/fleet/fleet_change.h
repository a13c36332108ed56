// What one changed object means for placements, in the terms in which they read the fleet. The
// fleet view reports it, the dependency index turns it into placements.

#pragma once

#include <string>
#include <variant>
#include <vector>

#include "api/object_key.h"

namespace berth::placement {

struct ClusterChange {
  std::vector<std::string> sets_before = {};  // Sorted names of the sets that hold it.
  std::vector<std::string> sets_after = {};
  std::vector<std::string> labels = {};  // Keys whose value came, went or changed.
  std::vector<std::string> claims = {};
  bool availability = false;  // It came, went or began to be deleted.
  bool taints = false;
  bool cpu = false;
  bool memory = false;
  bool object = false;  // Anything at all: expressions may read every field.
};

struct ScoreChange {
  std::vector<std::string> sets = {};  // That hold the cluster now.
  std::string resource = {};
  std::vector<std::string> scores = {};  // Names whose value came, went or changed.
  bool validity = false;                 // Its end moved, or the object came or went.
};

struct SetChange {
  std::string set = {};
  bool matters = false;  // It came or went, or its members or its problem changed.
};

struct BindingChange {
  std::string object_namespace = {};
  std::string set = {};
  bool matters = false;
};

struct DecisionChange {
  std::vector<api::ObjectKey> placements = {};  // That it belonged or belongs to.
};

using FleetChange =
    std::variant<ClusterChange, ScoreChange, SetChange, BindingChange, DecisionChange>;

}  // namespace berth::placement
