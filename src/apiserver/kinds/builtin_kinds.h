// The kinds that the hub serves without anybody defining them, from the table of kinds.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apiserver/resource.h"
#include "apiserver/schema/builtin_types.h"

namespace berth::apiserver {

struct BuiltinKinds {
  // Kubernetes' groups in its order of preference, the core group first; by name in each.
  std::vector<std::shared_ptr<const Resource>> resources;
  std::shared_ptr<const BuiltinTypes> types;
};

// Reads the table, which costs milliseconds: once, when the hub starts.
BuiltinKinds read_builtin_kinds();

// Only the resources.
std::vector<std::shared_ptr<const Resource>> builtin_resources();

// The columns of their tables, all of them: "v1/pods" -> Name, Ready, Status, ...
std::map<std::string, std::vector<Column>, std::less<>> builtin_columns();

}  // namespace berth::apiserver
