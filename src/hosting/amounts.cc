#include "hosting/amounts.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/quantity.h"
#include "base/strings.h"

namespace berth::hosting {
namespace {

using api::Quantity;

int scale_of(Resource resource) { return resource == Resource::Cpu ? Quantity::kMilli : 0; }

std::int64_t amount_of(Resource resource, const Quantity& quantity) {
  return std::clamp(quantity.scaled_value(scale_of(resource)), -kAmountMax, kAmountMax);
}

}  // namespace

std::string_view resource_name(Resource resource) {
  switch (resource) {
    case Resource::Cpu:
      return "cpu";
    case Resource::Memory:
      return "memory";
    case Resource::Pods:
      return "pods";
  }
  return "";
}

Amounts& Amounts::operator+=(const Amounts& other) {
  for (const Resource resource : kResources) {
    std::int64_t& own = (*this)[resource];
    own = std::clamp(own + other[resource], -kAmountMax, kAmountMax);
  }
  return *this;
}

Amounts& Amounts::operator-=(const Amounts& other) {
  for (const Resource resource : kResources) {
    std::int64_t& own = (*this)[resource];
    own = std::clamp(own - other[resource], -kAmountMax, kAmountMax);
  }
  return *this;
}

Amounts operator*(const Amounts& amounts, std::int64_t factor) {
  Amounts product;
  for (const Resource resource : kResources) {
    const bool fits = factor == 0 || amounts[resource] <= kAmountMax / factor;
    product[resource] = fits ? amounts[resource] * factor : kAmountMax;
  }
  return product;
}

const SizeClasses& default_size_classes() {
  static const SizeClasses kClasses = {{"small", kBaseline},
                                       {"medium", Amounts(11'900, 18'000'000'000, 75)},
                                       {"large", Amounts(20'900, 18'000'000'000, 75)}};
  return kClasses;
}

KnownAmounts read_known_amounts(const json::Value& object) {
  KnownAmounts amounts;
  for (const Resource resource : kResources) {
    const json::Value& value = api::field(object, resource_name(resource));
    if (value.is_null()) continue;
    const auto quantity = Quantity::from_json(value);
    if (quantity.ok()) amounts[resource] = amount_of(resource, *quantity);
  }
  return amounts;
}

Amounts amounts_of(const api::ResourceList& list) {
  Amounts amounts;
  for (const Resource resource : kResources) {
    amounts[resource] = amount_of(resource, list.amount(resource_name(resource)));
  }
  return amounts;
}

json::Value to_json(const Amounts& amounts) {
  json::Value object = json::Value::object();
  for (const Resource resource : kResources) {
    object[resource_name(resource)] = amount_text(resource, amounts[resource]);
  }
  return object;
}

json::Value to_json(const KnownAmounts& amounts) {
  json::Value object = json::Value::object();
  for (const Resource resource : kResources) {
    if (const auto amount = amounts[resource]) {
      object[resource_name(resource)] = amount_text(resource, *amount);
    }
  }
  return object;
}

Result<Amounts> read_size(const json::Value& size, const SizeClasses& classes) {
  const std::string name = api::text_field(size, "class");
  Amounts amounts = kBaseline;
  if (!name.empty()) {
    const auto found = classes.find(name);
    if (found == classes.end()) {
      std::vector<std::string> names;
      for (const auto& [known, unused] : classes) names.push_back(known);
      return failure(Code::Invalid, fmt::format("spec.size.class is {}; there are {}", quote(name),
                                                join(names, ", ")));
    }
    amounts = found->second;
  }
  for (const Resource resource : kResources) {
    const json::Value& value = api::field(size, resource_name(resource));
    if (value.is_null()) continue;
    const std::string field = fmt::format("spec.size.{}", resource_name(resource));
    const auto quantity = Quantity::from_json(value);
    if (!quantity.ok()) {
      return failure(Code::Invalid, field + " is no quantity: write it like 5, 500m or 18G");
    }
    if (quantity->sign() <= 0) {
      return failure(Code::Invalid, fmt::format("{} is {}; it must be above 0, or be left out for "
                                                "the usual {}",
                                                field, quantity->to_string(),
                                                amount_text(resource, kBaseline[resource])));
    }
    amounts[resource] = amount_of(resource, *quantity);
  }
  return amounts;
}

std::string amount_text(Resource resource, std::int64_t amount) {
  return resource == Resource::Cpu ? Quantity::from_milli(amount).to_string()
                                   : Quantity(amount).to_string();
}

std::string to_string(const Amounts& amounts) {
  std::vector<std::string> parts;
  for (const Resource resource : kResources) {
    parts.push_back(
        fmt::format("{} {}", resource_name(resource), amount_text(resource, amounts[resource])));
  }
  return join(parts, ", ");
}

}  // namespace berth::hosting
