// Schema: what one place of an object may hold, as plain data. Types of built-in kinds and the
// schemas of custom resources become the same nodes, so that pruning, defaulting, validation,
// patches and server-side apply are written once.

#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "json/strategic_patch.h"
#include "json/value.h"

namespace berth::apiserver {

enum class Form : std::uint8_t {
  Any,  // Nothing is said about the type.
  Object,
  Array,
  String,
  Integer,
  Number,
  Boolean,
  IntOrString,
};

// x-kubernetes-list-type: whose elements are told apart, and by what.
enum class ListKind : std::uint8_t { Atomic, Set, Map };

// x-kubernetes-map-type: whether an object has one owner or one for each member.
enum class MapKind : std::uint8_t { Granular, Atomic };

struct Schema;
struct Constraints;  // What values are allowed beyond their form: constraints.h.

struct Field {
  std::string name;
  const Schema* schema = nullptr;
  json::PatchStrategy patch_strategy = json::PatchStrategy::Default;
  std::string patch_merge_key = {};
};

// Nodes point at each other and may form circles (JSONSchemaProps does), so they live and die
// together in a SchemaSet.
struct Schema {
  Form form = Form::Any;
  bool is_nullable = false;
  bool keeps_unknown = false;         // x-kubernetes-preserve-unknown-fields
  bool is_embedded_resource = false;  // x-kubernetes-embedded-resource
  std::string type_name = {};      // Of a built-in type ("io.k8s.api.core.v1.PodSpec"); else empty.
  std::string format = {};         // "date-time", "int32", "byte" and so on.
  std::vector<Field> fields = {};  // By name. Of an Object with known members.
  std::vector<std::string> required = {};  // By name.
  const Schema* additional = nullptr;      // Of an Object that is a map: its values.
  const Schema* items = nullptr;           // Of an Array.
  ListKind list_kind = ListKind::Atomic;
  std::vector<std::string> list_keys = {};  // Of a Map list, in the order of the schema.
  MapKind map_kind = MapKind::Granular;
  std::optional<json::Value> default_value = std::nullopt;
  std::shared_ptr<const Constraints> constraints = nullptr;  // Null: none.

  const Field* find(std::string_view field_name) const;
};

// The owner of nodes. Addresses stay; it is filled once and shared as const from then on.
class SchemaSet {
 public:
  SchemaSet() = default;
  SchemaSet(const SchemaSet&) = delete;
  SchemaSet& operator=(const SchemaSet&) = delete;

  Schema& add() { return nodes_.emplace_back(); }

 private:
  std::deque<Schema> nodes_;
};

}  // namespace berth::apiserver
