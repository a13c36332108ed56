// Which node a pod goes to where nobody schedules: the emptiest of those that take it.

#pragma once

#include <cstddef>
#include <span>

#include "api/kinds/node.h"
#include "json/value.h"

namespace berth::local {

struct NodeLoad {
  api::Node node;
  std::size_t pods = 0;  // Bound to it.
};

// The one with the fewest pods, by name among equals, of those that are ready, that the pod wants,
// and that bear no taint or cordon that it does not tolerate; nullptr: none. What the pod asks for
// and whom it likes is a scheduler's concern.
const NodeLoad* choose_node(const json::Value& pod, std::span<const NodeLoad> nodes);

}  // namespace berth::local
