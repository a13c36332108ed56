// How rules see the values of a schema: which CEL types they have, under which names fields can be
// written, and what strings with a format and numbers become.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "apiserver/schema/schema.h"
#include "cel/arena.h"
#include "cel/environment.h"
#include "cel/type.h"
#include "cel/value.h"
#include "json/value.h"

namespace berth::apiserver {

// The name as an identifier of CEL: "a-b" is "a__dash__b", "if" is "__if__". Nothing when it has
// characters for which there is no escape: rules cannot reach such fields.
std::optional<std::string> escape_field(std::string_view name);

// What rules may know of the object: in resources also apiVersion, kind, metadata.name and
// metadata.generateName, whether the schema tells them or not.
enum class RuleScope { Resource, Part };

// Adds the types of the schema and its parts to the environment, named after `name`. Nothing for
// places about which nothing is known; rules cannot reach those.
std::optional<cel::Type> declare_type(cel::Environment& environment, const Schema& schema,
                                      RuleScope scope, const std::string& name);

// Whether rules see values of the schema otherwise than as plain JSON.
bool needs_conversion(const Schema& schema);

// The value as rules see it. Lives as long as the arena's content and the value.
cel::Value to_cel(const Schema& schema, const json::Value& value, cel::Arena& arena);

}  // namespace berth::apiserver
