// The objects that placement works with, as the API server has them, and changes of them.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "client/resource.h"
#include "json/value.h"

namespace berth::kube {

enum class ObjectKind : std::uint8_t { Cluster, Set, Binding, Score, Placement, Decision };

inline constexpr ObjectKind kObjectKinds[] = {ObjectKind::Cluster,   ObjectKind::Set,
                                              ObjectKind::Binding,   ObjectKind::Score,
                                              ObjectKind::Placement, ObjectKind::Decision};

struct ObjectName {
  std::string ns = {};  // Empty: cluster-scoped.
  std::string name = {};

  auto operator<=>(const ObjectName&) const = default;
};

std::string to_string(const ObjectName& name);  // "namespace/name" or "name".
ObjectName name_from(std::string_view text);    // The other way round.
ObjectName name_of(const json::Value& object);
std::string_view kind_name(ObjectKind kind);  // "ManagedCluster"
client::ResourcePath path_of(ObjectKind kind, const ObjectName& name);

// Deleted, and no finalizer keeps it.
bool is_gone(const json::Value& object);

// {"apiVersion": ..., "kind": ..., "metadata": {"name": ..., "namespace": ...}}
json::Value new_object(ObjectKind kind, const ObjectName& name);

// One write. Everything that history can depend on happens between two of them.
struct Edit {
  enum class Verb : std::uint8_t { Create, Patch, PatchStatus, Delete };

  Verb verb = Verb::Create;
  ObjectKind kind = ObjectKind::Cluster;
  ObjectName name = {};
  json::Value body = {};  // The object or a merge patch.
};

std::string to_string(const Edit& edit);

class Objects {
 public:
  using Table = std::map<ObjectName, json::Value>;

  const Table& all(ObjectKind kind) const { return tables_[index(kind)]; }
  const json::Value* find(ObjectKind kind, const ObjectName& name) const;
  void put(ObjectKind kind, json::Value object);  // Without what servers keep books with.
  void remove(ObjectKind kind, const ObjectName& name) { tables_[index(kind)].erase(name); }
  void replace(ObjectKind kind, const json::Value& list);  // By the items of a list.

  // What a server makes of the edit, where no schema takes part.
  void apply(const Edit& edit);

  // PlacementDecisions with the label of the placement.
  std::vector<const json::Value*> decisions_of(const ObjectName& placement) const;

  std::string print() const;

 private:
  static std::size_t index(ObjectKind kind) { return static_cast<std::size_t>(kind); }

  Table tables_[std::size(kObjectKinds)];
};

}  // namespace berth::kube
