// Definition: a CustomResourceDefinition, read into plain data.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/resource.h"
#include "base/result.h"
#include "json/value.h"

namespace berth::apiserver {

inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

struct DefinitionNames {
  std::string plural = {};
  std::string singular = {};
  std::string kind = {};
  std::string list_kind = {};
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};

  bool operator==(const DefinitionNames&) const = default;
};

struct DefinitionVersion {
  std::string name;
  bool is_served = false;
  bool is_storage = false;
  bool is_deprecated = false;
  std::optional<std::string> deprecation_warning = std::nullopt;
  std::optional<json::Value> schema = std::nullopt;  // openAPIV3Schema
  bool has_status = false;
  std::optional<ScalePaths> scale = std::nullopt;
  std::vector<Column> columns = {};
  std::vector<std::string> selectable = {};  // JSON paths.
};

struct Definition {
  std::string name;
  std::string uid = {};
  std::string group = {};
  std::optional<Scope> scope = std::nullopt;  // Nothing: neither of the two.
  DefinitionNames names = {};
  std::vector<DefinitionVersion> versions = {};
  std::string conversion = {};  // The strategy.
  bool preserves_unknown_fields = false;
  DefinitionNames accepted_names = {};
  std::vector<std::string> stored_versions = {};
  bool is_established = false;

  const DefinitionVersion* storage_version() const;
};

// What is absent or of the wrong type reads as empty; validate_definition() tells about it.
Definition read_definition(const json::Value& object);
DefinitionNames read_names(const json::Value& names);

// Puts in what the object leaves out: names.singular, names.listKind, conversion, and the storage
// version in status.storedVersions.
json::Value with_definition_defaults(json::Value object);

}  // namespace berth::apiserver
