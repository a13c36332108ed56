// One version of a CustomResourceDefinition: its schema, subresources, columns and selectable
// fields.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "apiserver/custom/definition.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// Each takes the place of what it looks at.
std::vector<Cause> validate_warning(const DefinitionVersion& version, const std::string& path);
std::vector<Cause> validate_schema(const DefinitionVersion& version, const std::string& path);
std::vector<Cause> validate_scale(const DefinitionVersion& version, const std::string& path);
std::vector<Cause> validate_columns(const DefinitionVersion& version, const std::string& path);

// More fields than allowed are tolerated if the old version, null when there is none, has as many.
std::vector<Cause> validate_selectable(const DefinitionVersion& version,
                                       const json::Value* old_version, const std::string& path);

// The version of that name in a CustomResourceDefinition; null when there is none.
const json::Value* find_version(const json::Value& definition, std::string_view name);

}  // namespace berth::apiserver
