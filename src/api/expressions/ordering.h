// isGreaterThan, isLessThan and compareTo for a kind of value that has an order.

#pragma once

#include <compare>

#include "cel/function.h"

namespace berth::api {

using Order = std::weak_ordering (*)(const cel::Value& a, const cel::Value& b);

template <Order order>
cel::Value is_greater_than(cel::Call& call) {
  return cel::Value::boolean(order(call[0], call[1]) > 0);
}

template <Order order>
cel::Value is_less_than(cel::Call& call) {
  return cel::Value::boolean(order(call[0], call[1]) < 0);
}

template <Order order>
cel::Value compare_to(cel::Call& call) {
  const std::weak_ordering result = order(call[0], call[1]);
  return cel::Value::integer(result < 0 ? -1 : result > 0 ? 1 : 0);
}

}  // namespace berth::api
