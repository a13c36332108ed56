// From a CustomResourceDefinition's openAPIV3Schema to Schema nodes. The schema should have passed
// check_structural() and check_openapi(): what they would complain about is read as well as it can
// be, never trusted.

#pragma once

#include <string>
#include <vector>

#include "apiserver/schema/schema.h"
#include "base/error.h"
#include "json/value.h"

namespace berth::apiserver {

struct StructuralOptions {
  // The type of metadata at the root and in embedded resources. Must outlive the nodes. Null:
  // metadata keeps whatever it holds.
  const Schema* object_meta = nullptr;

  // Where the schema stands, for what is wrong with its rules.
  std::string path = {};
};

struct StructuralSchema {
  const Schema* root = nullptr;
  std::vector<Cause> rule_problems = {};  // Of x-kubernetes-validations that do not compile.
};

// Of a whole object: apiVersion, kind and metadata are known whether the schema tells them or not.
StructuralSchema build_structural(SchemaSet& nodes, const json::Value& openapi,
                                  const StructuralOptions& options = {});

// Whether the type's name stands for a Form; Any when there is no such type.
Form form_of_type(std::string_view type);

}  // namespace berth::apiserver
