// Holds a value against its schema: forms, required members, and the value validations. Messages
// and their order are those of kube-apiserver, but for the members of one object: there the order
// is random, here it is by name.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

// A bad object must not cause an answer larger than itself.
inline constexpr std::size_t kCausesMax = 200;

struct ValidateOptions {
  // What was there before an update. Parts that did not change are not complained about, so that
  // a schema that became stricter does not freeze the objects that exist.
  const json::Value* old = nullptr;

  // The place of the value, for the errors' field. Their messages tell the place inside the value.
  std::string path = {};
};

// Types of built-in kinds take null everywhere and check the formats that their Go types do.
std::vector<Cause> validate_values(const Schema& schema, const json::Value& value,
                                   const ValidateOptions& options = {});

}  // namespace berth::apiserver
