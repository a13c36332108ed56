// AddOnPlacementScoreGeneratorTemplate: one generator for many clusters.
//
// The generators live in the namespaces of the clusters, the template in that of its Placement.
// Kubernetes allows no owner in another namespace, so a generator carries the template's uid as a
// label, and the controller does what an owner reference would: a generator whose template is gone,
// or no longer selects its cluster, is deleted.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::scores {

inline constexpr std::string_view kTemplateUidLabel = "scores.berth.dev/template-uid";
inline constexpr std::string_view kTemplateHashLabel = "scores.berth.dev/template-hash";
inline constexpr std::string_view kTemplateAnnotation = "scores.berth.dev/template";  // "ns/name"

struct GeneratorTemplate {
  api::ObjectFacts facts = {};
  std::string placement = {};  // In the template's namespace.
  json::Value labels = {};     // For the generators.
  json::Value annotations = {};
  json::Value spec = {};
  std::string hash = {};  // Of all that the generators are made of.
};

GeneratorTemplate read_generator_template(const json::Value& object);

// The uid of the template that a generator was made from; empty: a user made it.
std::string template_uid_of(const json::Value& generator);

// The generator in that cluster's namespace as it should be; `before` is it as it is, or null.
// What others have put into its metadata stays.
json::Value generator_from(const GeneratorTemplate& source, const std::string& cluster,
                           const json::Value* before);

// Whether it is as it should be already.
bool is_current(const json::Value& generator, const GeneratorTemplate& source,
                const std::string& cluster);

// What has become of a template on the clusters.
struct FanOut {
  std::size_t selected = 0;
  std::size_t current = 0;
  std::vector<std::string> taken = {};  // Clusters where a generator of that name is another's.
};

json::Value template_status(const json::Value& before, const FanOut& fan_out,
                            std::int64_t generation, Time now);

}  // namespace berth::scores
