// Resource: one resource in one version, as the hub serves it. Built-in ones come from the table of
// kinds, custom ones from their CustomResourceDefinition; from here on they are the same.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/group_version.h"
#include "apiserver/schema/schema.h"

namespace berth::apiserver {

enum class Scope : std::uint8_t { Namespaced, Cluster };

// One column of the tables that `kubectl get` prints.
struct Column {
  std::string name;
  std::string type = "string";
  std::string format = {};
  std::string description = {};
  std::int64_t priority = 0;   // Above 0: only with -o wide.
  std::string json_path = {};  // Of a custom resource's column.
};

struct Subresource {
  std::string name;                     // "status", "scale", "token".
  api::Gvk kind;                        // Of what it takes and answers.
  std::vector<std::string> verbs = {};  // Sorted.
};

struct ScalePaths {
  std::string replicas;         // ".spec.replicas"
  std::string status_replicas;  // ".status.replicas"
  std::string selector = {};    // ".status.selector"; may be empty.
};

// What only custom resources have.
struct CustomFacts {
  std::string definition;  // The name of the CustomResourceDefinition.
  std::string definition_uid;
  bool has_status = false;  // Whether there is the subresource.
  std::optional<ScalePaths> scale = std::nullopt;
  std::vector<Column> columns = {};          // Without Name.
  std::vector<std::string> selectable = {};  // JSON paths: ".spec.color".
  std::string warning = {};                  // Sent with every answer of a deprecated version.
};

struct Resource {
  api::Gvr gvr;
  std::string kind;
  std::string list_kind;
  std::string singular;
  Scope scope = Scope::Namespaced;
  std::vector<std::string> verbs = {};  // Sorted.
  std::vector<std::string> short_names = {};
  std::vector<std::string> categories = {};
  std::vector<Subresource> subresources = {};  // By name.

  // The store's table with its objects: "pods", "deployments.apps". Several versions of a resource
  // share one; so do the two kinds of events.
  std::string table;
  std::string storage_version;  // The apiVersion that objects have in the store.

  const Schema* schema = nullptr;  // Of the whole object; lives in `schemas`.
  std::shared_ptr<const SchemaSet> schemas = nullptr;
  std::shared_ptr<const CustomFacts> custom = nullptr;  // Null: built-in.

  bool has_verb(std::string_view verb) const;
  const Subresource* find_subresource(std::string_view name) const;
  std::string api_version() const;  // "v1", "apps/v1".
};

}  // namespace berth::apiserver
