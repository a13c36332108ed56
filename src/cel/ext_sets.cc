#include "cel/ext_sets.h"

#include <cstdint>
#include <span>

#include "cel/compare.h"
#include "cel/cost.h"

namespace berth::cel {
namespace {

bool has(Context& context, const Value& list, const Value& wanted) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (equal(context, list.element(i), wanted)) return true;
  }
  return false;
}

bool has_all(Context& context, const Value& list, const Value& wanted) {
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (context.is_cancelled() || !has(context, list, wanted.element(i))) return false;
  }
  return true;
}

bool has_any(Context& context, const Value& list, const Value& wanted) {
  for (std::size_t i = 0; i < wanted.size() && !context.is_cancelled(); ++i) {
    if (has(context, list, wanted.element(i))) return true;
  }
  return false;
}

// Every pair of elements may have to be compared.
template <typename Decide>
Value decide(Call& call, Decide decision) {
  const std::uint64_t pairs = std::uint64_t{call[0].size()} * call[1].size();
  if (!call.context.charge(pairs)) return call.context.cancelled();
  const bool answer = decision(call.context, call[0], call[1]);
  return call.context.is_cancelled() ? call.context.cancelled() : Value::boolean(answer);
}

Value contains(Call& call) { return decide(call, has_all); }
Value intersects(Call& call) { return decide(call, has_any); }

Value equivalent(Call& call) {
  return decide(call, [](Context& context, const Value& a, const Value& b) {
    return has_all(context, a, b) && has_all(context, b, a);
  });
}

std::uint64_t pairs_cost(std::span<const Value> arguments, const Value&) {
  return 1 + size_for_cost(arguments[0]) * size_for_cost(arguments[1]);
}

std::uint64_t both_ways_cost(std::span<const Value> arguments, const Value&) {
  return 1 + 2 * size_for_cost(arguments[0]) * size_for_cost(arguments[1]);
}

}  // namespace

void add_sets_library(Environment& environment) {
  const Type list = Type::list(Type::variable(0));
  const auto add = [&](const char* name, const char* id, Implementation implementation,
                       CostFunction cost) {
    environment.add_function({.name = name,
                              .overloads = {{.id = id,
                                             .parameters = {list, list},
                                             .result = TypeKind::Bool,
                                             .implementation = implementation,
                                             .cost = cost}}});
  };
  add("sets.contains", "list_sets_contains_list", contains, pairs_cost);
  add("sets.equivalent", "list_sets_equivalent_list", equivalent, both_ways_cost);
  add("sets.intersects", "list_sets_intersects_list", intersects, pairs_cost);
}

}  // namespace berth::cel
