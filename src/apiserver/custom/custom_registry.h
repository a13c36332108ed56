// The registry of one moment: the built-in kinds and all established definitions of a snapshot.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/registry.h"
#include "json/value.h"
#include "store/snapshot.h"

namespace berth::apiserver {

inline constexpr std::string_view kDefinitionTable =
    "customresourcedefinitions.apiextensions.k8s.io";

// Makes one after the other. A definition that has not changed is not read again: there may be
// hundreds of them, and each costs about a millisecond.
class CustomRegistry {
 public:
  // The kinds outlive it.
  explicit CustomRegistry(const BuiltinKinds& kinds) : kinds_(kinds) {}

  std::shared_ptr<const Registry> at(const store::Snapshot& snapshot);

 private:
  struct Known {
    store::Revision revision = 0;
    std::vector<std::shared_ptr<const Resource>> resources = {};
  };

  const BuiltinKinds& kinds_;
  std::map<std::string, Known, std::less<>> known_;  // By the name of the definition.
};

// openAPIV3Schema of a custom resource's version as its definition has it.
std::optional<json::Value> raw_schema(const Resource& resource, const store::Snapshot& snapshot);

}  // namespace berth::apiserver
