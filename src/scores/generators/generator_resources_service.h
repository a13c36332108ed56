// Where generators, and the templates that make them, are served.

#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "client/object.h"
#include "client/resource.h"

namespace berth::scores {

inline constexpr std::string_view kGeneratorApiVersion =
    "cluster.open-cluster-management.io/v1alpha1";
inline constexpr std::string_view kGeneratorKind = "AddOnPlacementScoreGenerator";

// These kinds are Berth's own, also the one in OCM's group: a hub may not have them.
inline constexpr std::string_view kDefinitionsRemedy =
    "on the hub: berth crds | kubectl apply --server-side -f -";

inline client::Gvr generator_resource() {
  return {"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscoregenerators"};
}

inline client::Gvr generator_template_resource() {
  return {"scores.berth.dev", "v1alpha1", "addonplacementscoregeneratortemplates"};
}

inline client::ResourcePath generator_path(const client::Object& generator,
                                           std::string subresource) {
  return {.resource = generator_resource(),
          .ns = std::string(generator.ns()),
          .name = std::string(generator.name()),
          .subresource = std::move(subresource)};
}

}  // namespace berth::scores
