// PlacementKey: namespace and name of a Placement.

#pragma once

#include <compare>
#include <string>

namespace berth::placement {

struct PlacementKey {
  std::string object_namespace = {};
  std::string name = {};

  auto operator<=>(const PlacementKey&) const = default;
};

}  // namespace berth::placement
