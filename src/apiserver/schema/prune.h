// Takes out of an object what its schema does not know, and nulls that stand for nothing.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::size_t kUnknownFieldsMax = 100;

struct Pruned {
  json::Value value;

  // Where fields were taken out, spelled as kube-apiserver's strict decoding does: "spec.zz",
  // "spec.list[0].zz". Those of metadata come first, the others are sorted. At most
  // kUnknownFieldsMax: a bad object must not cause an answer larger than itself.
  std::vector<std::string> unknown_fields = {};
};

// The schema is that of a whole object. Nulls go where the schema neither allows them nor has a
// default in their place; they are no unknown fields.
Pruned prune(const Schema& schema, json::Value value);

// `strict decoding error: unknown field "spec.zz", unknown field "spec.zzz"`
std::string strict_decoding_error(const std::vector<std::string>& unknown_fields,
                                  const std::vector<std::string>& duplicate_fields);

}  // namespace berth::apiserver
