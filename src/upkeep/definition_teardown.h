// The end of a CustomResourceDefinition, as a decision: its instances go first.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "api/group_version.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::upkeep {

inline constexpr std::string_view kCleanupFinalizer = "customresourcecleanup.apiextensions.k8s.io";

// Somebody asked for the deletion, and the instances still have to go.
bool needs_cleanup(const json::Value& definition);

struct Instances {
  api::Gvr resource;
  bool namespaced = false;
};

// Where its instances are found. nullopt: it was never established, so there can be none. Of a
// definition without a served version the resource's version is empty.
std::optional<Instances> instances_of(const json::Value& definition);

// The definition with its condition Terminating, in the words of Kubernetes.
json::Value with_cleanup_begun(json::Value definition, Time now);
json::Value with_cleanup_failed(json::Value definition, std::string_view message, Time now);

// With the condition at its end, and without the finalizer.
json::Value with_cleanup_done(json::Value definition, Time now);

}  // namespace berth::upkeep
