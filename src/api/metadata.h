// Metadata: a borrowed, read-only look at an object's metadata.

#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "api/labels.h"
#include "api/object_key.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::api {

struct OwnerReference {
  std::string api_version;
  std::string kind;
  std::string name;
  std::string uid;
  bool is_controller = false;
  bool blocks_owner_deletion = false;

  static OwnerReference from_json(const json::Value& reference);
  json::Value to_json() const;

  bool operator==(const OwnerReference&) const = default;
};

// What is absent or of the wrong kind reads as empty: the API server has validated the object.
// Like a string_view, it must not outlive the object.
class Metadata {
 public:
  explicit Metadata(const json::Value& object) : metadata_(object.find("metadata")) {}

  std::string_view name() const { return text("name"); }
  std::string_view namespace_name() const { return text("namespace"); }
  std::string_view uid() const { return text("uid"); }
  std::string_view resource_version() const { return text("resourceVersion"); }
  std::string_view generate_name() const { return text("generateName"); }
  std::int64_t generation() const;
  ObjectKey key() const;

  Labels labels() const { return Labels(find("labels")); }
  Labels annotations() const { return Labels(find("annotations")); }
  std::vector<std::string_view> finalizers() const;
  bool has_finalizer(std::string_view name) const;

  std::optional<Time> creation_time() const { return time("creationTimestamp"); }
  std::optional<Time> deletion_time() const { return time("deletionTimestamp"); }

  // Set as soon as somebody asked for the deletion, even if the time cannot be read.
  bool is_being_deleted() const { return !text("deletionTimestamp").empty(); }

  std::vector<OwnerReference> owner_references() const;
  std::optional<OwnerReference> controller() const;  // The owner that manages the object.

 private:
  const json::Value* find(std::string_view field) const;
  std::string_view text(std::string_view field) const;
  std::optional<Time> time(std::string_view field) const;
  std::span<const json::Value> list(std::string_view field) const;

  const json::Value* metadata_;  // May be null.
};

}  // namespace berth::api
