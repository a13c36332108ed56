// A ManifestWork as its agent reads it: the manifests, and what is special about some of them.

#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "fleet/work/resource_meta.h"
#include "json/value.h"

namespace berth::fleet {

enum class UpdateType : std::uint8_t { Update, CreateOnly, ReadOnly, ServerSideApply };

// Fields that are left to others once the object exists.
struct IgnoredFields {
  enum class Since : std::uint8_t {
    Present,  // Never sent again.
    Change,   // Sent again when the manifest changes.
  };
  Since since = Since::Present;
  std::vector<std::string> json_paths = {};
  std::vector<std::string> json_pointers = {};
};

struct UpdateStrategy {
  UpdateType type = UpdateType::Update;
  bool force = false;              // ServerSideApply: takes fields over from others.
  std::string field_manager = {};  // ServerSideApply.
  std::vector<IgnoredFields> ignored = {};
};

struct FeedbackRule {
  enum class Type : std::uint8_t { WellKnown, JsonPaths };
  struct Path {
    std::string name = {};
    std::string version = {};  // Empty: any.
    std::string path = {};
  };
  Type type = Type::WellKnown;
  std::vector<Path> paths = {};
};

struct ConditionRule {
  std::string type = {};  // "CEL", "WellKnownConditions".
  std::string condition = {};
  std::vector<std::string> expressions = {};
  std::string message = {};
  std::string message_expression = {};
};

// What is special about some manifests.
struct ManifestConfig {
  ResourceIdentifier of = {};  // '*' in name and namespace stands for anything.
  std::vector<FeedbackRule> feedback = {};
  std::vector<ConditionRule> conditions = {};
  std::optional<UpdateStrategy> update = std::nullopt;
};

struct Executor {
  struct ServiceAccount {
    std::string ns = {};
    std::string name = {};

    std::string user() const;  // "system:serviceaccount:ns:name"
  };
  std::string type = {};
  std::optional<ServiceAccount> account = std::nullopt;
};

struct DeleteOption {
  enum class Policy : std::uint8_t { Foreground, Orphan, SelectivelyOrphan };
  Policy policy = Policy::Foreground;
  std::vector<ResourceIdentifier> orphans = {};  // SelectivelyOrphan.
};

// Points into the object that it was read from, which must outlive it.
struct ManifestWork {
  std::vector<const json::Value*> manifests = {};
  std::vector<ManifestConfig> configs = {};
  DeleteOption deletion = {};
  std::optional<Executor> executor = std::nullopt;
};

ManifestWork read_manifest_work(const json::Value& object);

// What holds for one manifest: each of the parts comes from the first config that matches and has
// it. Without any: Update, no feedback, no conditions.
struct ManifestOption {
  std::vector<FeedbackRule> feedback = {};
  std::vector<ConditionRule> conditions = {};
  UpdateStrategy update = {};
};
ManifestOption option_for(const ResourceIdentifier& resource,
                          const std::vector<ManifestConfig>& configs);

// Whether the object goes when the work goes.
bool is_owned(const ResourceIdentifier& resource, const DeleteOption& deletion);

// Everything in the object's spec that the result of applying the manifest depends on, as text.
std::string wish_text(const json::Value& manifest, const json::Value& work);

}  // namespace berth::fleet
