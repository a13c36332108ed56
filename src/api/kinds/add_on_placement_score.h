// AddOnPlacementScore: numbers that an agent publishes about its cluster.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "api/kinds/fields.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::api {

struct AddOnPlacementScore {
  struct Item {
    std::string name = {};
    std::int32_t value = 0;

    bool operator==(const Item&) const = default;
  };

  ObjectFacts facts = {};         // Its namespace is the cluster's name.
  std::vector<Item> scores = {};  // In the order of the object.
  std::optional<Time> valid_until = std::nullopt;

  bool operator==(const AddOnPlacementScore&) const = default;
};

AddOnPlacementScore read_add_on_placement_score(const json::Value& object);

}  // namespace berth::api
