#include <compare>
#include <string>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "api/expressions/ordering.h"
#include "api/quantity.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::TypeKind;
using cel::Value;

constexpr std::string_view kTypeName = "kubernetes.Quantity";

class QuantityValue final : public cel::Opaque {
 public:
  explicit QuantityValue(Quantity quantity) : quantity_(std::move(quantity)) {}

  std::string_view type_name() const override { return kTypeName; }
  bool equals(const cel::Opaque& other) const override {
    return quantity_ == static_cast<const QuantityValue&>(other).quantity_;
  }
  std::string display() const override { return quantity_.to_string(); }

  const Quantity& quantity() const { return quantity_; }

 private:
  Quantity quantity_;
};

const Quantity& quantity_in(const Value& value) {
  return static_cast<const QuantityValue&>(value.as_opaque()).quantity();
}

Value make(Call& call, Quantity quantity) {
  if (!call.context.charge(sizeof(QuantityValue))) return call.context.cancelled();
  return Value::opaque(*call.context.arena().make<QuantityValue>(std::move(quantity)));
}

Value parse(Call& call) {
  auto quantity = Quantity::parse(call[0].text());
  if (!quantity.ok()) return call.context.error(quantity.error().message);
  return make(call, *std::move(quantity));
}

Value is_quantity(Call& call) { return Value::boolean(Quantity::parse(call[0].text()).ok()); }
Value sign(Call& call) { return Value::integer(quantity_in(call[0]).sign()); }
Value is_integer(Call& call) { return Value::boolean(quantity_in(call[0]).as_int64().has_value()); }
Value as_integer(Call& call) {
  const auto number = quantity_in(call[0]).as_int64();
  return number ? Value::integer(*number) : Value::error("cannot convert value to integer");
}
Value as_approximate_float(Call& call) {
  return Value::floating(quantity_in(call[0]).as_approximate_double());
}
Value add(Call& call) { return make(call, quantity_in(call[0]) + quantity_in(call[1])); }
Value subtract(Call& call) { return make(call, quantity_in(call[0]) - quantity_in(call[1])); }
Value add_int(Call& call) {
  const Quantity other(call[1].as_int(), Quantity::Format::DecimalExponent);
  return make(call, quantity_in(call[0]) + other);
}
Value subtract_int(Call& call) {
  const Quantity other(call[1].as_int(), Quantity::Format::DecimalExponent);
  return make(call, quantity_in(call[0]) - other);
}

std::weak_ordering order(const Value& a, const Value& b) {
  return quantity_in(a) <=> quantity_in(b);
}

}  // namespace

void add_quantity_library(cel::Environment& environment) {
  constexpr auto kGlobal = cel::CallStyle::Global;
  constexpr auto kMember = cel::CallStyle::Member;
  using enum TypeKind;
  const cel::Type quantity = cel::Type::opaque(std::string(kTypeName));
  add_entries(
      environment,
      {{"quantity", "string_to_quantity", kGlobal, {String}, quantity, parse},
       {"isQuantity", "is_quantity_string", kGlobal, {String}, Bool, is_quantity},
       {"sign", "quantity_sign", kGlobal, {quantity}, Int, sign},
       {"isGreaterThan",
        "quantity_is_greater_than",
        kMember,
        {quantity, quantity},
        Bool,
        is_greater_than<order>},
       {"isLessThan",
        "quantity_is_less_than",
        kMember,
        {quantity, quantity},
        Bool,
        is_less_than<order>},
       {"compareTo", "quantity_compare_to", kMember, {quantity, quantity}, Int, compare_to<order>},
       {"asApproximateFloat",
        "quantity_get_float",
        kMember,
        {quantity},
        Double,
        as_approximate_float},
       {"asInteger", "quantity_get_int", kMember, {quantity}, Int, as_integer},
       {"isInteger", "quantity_is_integer", kMember, {quantity}, Bool, is_integer},
       {"add", "quantity_add", kMember, {quantity, quantity}, quantity, add},
       {"add", "quantity_add_int", kMember, {quantity, Int}, quantity, add_int},
       {"sub", "quantity_sub", kMember, {quantity, quantity}, quantity, subtract},
       {"sub", "quantity_sub_int", kMember, {quantity, Int}, quantity, subtract_int}});
}

}  // namespace berth::api
