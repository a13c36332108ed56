// Schemas for tests, from the form they have in a CustomResourceDefinition.

#pragma once

#include <memory>
#include <string_view>

#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver::testing {

struct ReadSchema {
  std::shared_ptr<SchemaSet> nodes;
  const Schema* root;
};

// Reads what apply looks at: types, properties, additionalProperties, items, required, defaults and
// the x-kubernetes extensions. "x-type-name" names a built-in type, "x-kubernetes-patch-strategy"
// and "x-kubernetes-patch-merge-key" are read too. Must be well-formed.
ReadSchema read_schema(const json::Value& schema);
ReadSchema parse_schema(std::string_view json);

}  // namespace berth::apiserver::testing
