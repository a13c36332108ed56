// Paths to fields of a schema, as fieldPath of a rule and selectableFields write them:
// ".spec.color", ".labels['app']".

#pragma once

#include <string>
#include <string_view>

#include "apiserver/schema/schema.h"
#include "base/result.h"

namespace berth::apiserver {

struct SchemaFieldPath {
  std::string text;  // As errors spell it: "spec.color", "labels[app]".
  std::string first = {};
  const Schema* schema = nullptr;  // Of the field.
};

enum class Brackets { Allowed, Refused };

// The empty path is the schema itself. An error's message says what is wrong in Kubernetes' words.
Result<SchemaFieldPath> read_field_path(const Schema& schema, std::string_view path,
                                        Brackets brackets = Brackets::Allowed);

}  // namespace berth::apiserver
