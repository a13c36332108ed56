#include "apiserver/defaults/quantities.h"

#include <string>
#include <utility>

#include "api/quantity.h"

namespace berth::apiserver {

using json::Value;

Value canonical_quantity(Value quantity) {
  if (!quantity.is_number() && !quantity.is_string()) return quantity;
  const std::string text =
      quantity.is_number() ? quantity.number_text() : std::string(quantity.string_or_empty());
  auto rewritten = api::Quantity::rewrite(text);
  return rewritten.ok() ? Value(*rewritten) : std::move(quantity);
}

Value canonical_quantities(Value list) {
  if (!list.is_object()) return list;
  Value canonical = Value::object();
  for (const json::Member& member : list.members()) {
    Value value = canonical_quantity(member.value);
    const auto amount = api::Quantity::from_json(member.value);
    const bool is_finer =
        amount.ok() && api::Quantity::from_milli(amount->milli_value()) != *amount;
    if (is_finer) {
      value = api::Quantity::from_milli(amount->milli_value(), amount->format()).to_string();
    }
    canonical.append_member(member.name(), std::move(value));
  }
  return canonical;
}

Value canonical_resources(Value resources) {
  for (const char* name : {"limits", "requests"}) {
    if (Value* list = resources.find(name)) *list = canonical_quantities(std::move(*list));
  }
  return resources;
}

}  // namespace berth::apiserver
