// Whether the defaults of a schema are values that the schema itself would accept.

#pragma once

#include <string>
#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"

namespace berth::apiserver {

// `path` is the place of the schema in its definition.
std::vector<Cause> check_defaults(const Schema& schema, const std::string& path);

}  // namespace berth::apiserver
