#include "scores/generators/generator_template.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "base/hash.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::scores {
namespace {

constexpr std::size_t kClustersTold = 5;

json::Value spec_for(const GeneratorTemplate& source, const std::string& cluster) {
  json::Value spec = source.spec;
  json::Value* selector = spec.find("addOnPlacementSelector");
  if (selector && selector->is_object()) (*selector)["namespace"] = cluster;
  return spec;
}

// Adds the strings of one object to those of another.
json::Value with_all(json::Value texts, const json::Value& more) {
  if (!texts.is_object()) texts = json::Value::object();
  for (const json::Member& member : more.members()) texts[member.name()] = member.value;
  return texts;
}

}  // namespace

GeneratorTemplate read_generator_template(const json::Value& object) {
  const json::Value& spec = api::field(object, "spec");
  const json::Value& source = api::field(spec, "template");
  const json::Value& metadata = api::field(source, "metadata");
  return {.facts = api::read_facts(object),
          .placement = api::text_field(api::field(spec, "placementRef"), "name"),
          .labels = api::field(metadata, "labels"),
          .annotations = api::field(metadata, "annotations"),
          .spec = api::field(source, "spec"),
          .hash = fmt::format("{:016x}", hash64(json::print(source)))};
}

std::string template_uid_of(const json::Value& generator) {
  return std::string(api::read_facts(generator).label(kTemplateUidLabel));
}

json::Value generator_from(const GeneratorTemplate& source, const std::string& cluster,
                           const json::Value* before) {
  json::Value generator =
      before ? *before
             : json::Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1alpha1"},
                                    {"kind", "AddOnPlacementScoreGenerator"},
                                    {"metadata", json::Value::object({{"name", source.facts.name},
                                                                      {"namespace", cluster}})}});
  json::Value& metadata = generator["metadata"];
  metadata["labels"] = with_all(api::field(metadata, "labels"), source.labels);
  metadata["labels"][kTemplateUidLabel] = source.facts.uid;
  metadata["labels"][kTemplateHashLabel] = source.hash;
  metadata["annotations"] = with_all(api::field(metadata, "annotations"), source.annotations);
  metadata["annotations"][kTemplateAnnotation] =
      source.facts.object_namespace + "/" + source.facts.name;
  generator["spec"] = spec_for(source, cluster);
  return generator;
}

bool is_current(const json::Value& generator, const GeneratorTemplate& source,
                const std::string& cluster) {
  const api::ObjectFacts facts = api::read_facts(generator);
  return facts.label(kTemplateUidLabel) == source.facts.uid &&
         facts.label(kTemplateHashLabel) == source.hash &&
         api::field(generator, "spec") == spec_for(source, cluster);
}

json::Value template_status(const json::Value& before, const FanOut& fan_out,
                            std::int64_t generation, Time now) {
  api::Condition applied{.type = "Applied",
                         .status = api::ConditionStatus::True,
                         .reason = "Applied",
                         .message = fmt::format("{} clusters have the generator", fan_out.current),
                         .observed_generation = generation};
  if (!fan_out.taken.empty()) {
    const std::size_t told = std::min(fan_out.taken.size(), kClustersTold);
    applied.status = api::ConditionStatus::False;
    applied.reason = "NameTaken";
    applied.message = fmt::format(
        "{} clusters have a generator of this name that was not made from this template ({}); "
        "delete those, or choose another name",
        fan_out.taken.size(),
        join(std::vector(fan_out.taken.begin(),
                         fan_out.taken.begin() + static_cast<std::ptrdiff_t>(told)),
             ", "));
  } else if (fan_out.selected == 0) {
    applied.status = api::ConditionStatus::False;
    applied.reason = "NoClusterSelected";
    applied.message = "the Placement selects no cluster, or there is none of that name here";
  } else if (fan_out.current < fan_out.selected) {
    applied.status = api::ConditionStatus::False;
    applied.reason = "Applying";
    applied.message =
        fmt::format("{} of {} clusters have the generator", fan_out.current, fan_out.selected);
  }
  return json::Value::object(
      {{"observedGeneration", generation},
       {"selected", fan_out.selected},
       {"current", fan_out.current},
       {"conditions", api::with_condition(api::field(before, "conditions"), applied, now)}});
}

}  // namespace berth::scores
