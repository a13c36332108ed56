// Short ways to write sets of fields and JSON in tests.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/apply/field_set.h"
#include "apiserver/apply/fields_v1.h"
#include "base/check.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/value.h"

namespace berth::apiserver::testing {

inline json::Value json_of(std::string_view text) {
  auto value = json::parse(text);
  CHECK(value.ok());
  return *std::move(value);
}

// From FieldsV1 and back.
inline FieldSet set_of(std::string_view fields) {
  auto set = decode_fields(json_of(fields));
  CHECK(set.ok());
  return *std::move(set);
}
inline std::string text_of_set(const FieldSet& set) { return json::print(encode_fields(set)); }

}  // namespace berth::apiserver::testing
