#include "fleet/addons/addon_progress.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/addons/config_references.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using api::ConditionStatus;
using json::Value;

struct Step {
  ConditionStatus status;
  std::string reason;
  std::string message;
};

Step progressing(std::string_view what) {
  return {ConditionStatus::True, "Progressing", fmt::format("progressing... {}", what)};
}

std::optional<ConfigKind> unsupported(const Value& spec, const Value& status) {
  const auto supported = api::elements_field(status, "supportedConfigs");
  for (const AddOnConfig& config : read_configs(api::elements_field(spec, "configs"))) {
    const bool is_known = std::ranges::any_of(supported, [&](const Value& each) {
      return api::text_field(each, "group") == config.kind.group &&
             api::text_field(each, "resource") == config.kind.resource;
    });
    if (!is_known) return config.kind;
  }
  return std::nullopt;
}

// Whether the work was made with exactly the configurations that are desired, all of them known.
bool has_desired_configs(const Value& work, std::span<const Value> references) {
  const api::ObjectFacts facts = api::read_facts(work);
  const std::string_view annotation = facts.annotation(kConfigHashAnnotation);
  if (annotation.empty()) return references.empty();
  const bool all_known = std::ranges::all_of(references, [](const Value& reference) {
    return !config_hash_in(api::field(reference, "desiredConfig")).empty();
  });
  if (!all_known) return false;
  const auto made_with = json::parse(annotation);
  const auto desired = json::parse(config_hash_annotation(references));
  return made_with.ok() && desired.ok() && *made_with == *desired;
}

bool holds_now(const Value& work, std::string_view type) {
  const Value& conditions = api::field(api::field(work, "status"), "conditions");
  const Value* condition = api::find_condition(conditions, type);
  return condition && api::text_field(*condition, "status") == "True" &&
         api::integer_field(*condition, "observedGeneration").value_or(0) ==
             api::read_facts(work).generation;
}

Step next_step(const Value& status, const AddOnProgressView& view) {
  if (const auto kind = unsupported(view.spec, status)) {
    return {ConditionStatus::False, "ConfigurationUnsupported",
            fmt::format("Configuration with gvr {}/{} is not supported for this addon", kind->group,
                        kind->resource)};
  }
  if (!api::find_condition(api::field(status, "conditions"), "ManifestApplied")) {
    return {ConditionStatus::False, "WaitingForManifestApplied",
            "Waiting for ManagedClusterAddOn ManifestApplied condition"};
  }
  if (view.works.empty()) return progressing("no addon works");
  const auto references = api::elements_field(status, "configReferences");
  for (const Value* work : view.works) {
    if (api::read_facts(*work).name.starts_with(hook_work_name(view.key.name))) continue;
    if (!has_desired_configs(*work, references)) {
      return progressing("mca and work configs mismatch");
    }
    if (!holds_now(*work, "Available") || !holds_now(*work, "Applied")) {
      return progressing("work is not ready");
    }
  }
  return {ConditionStatus::False, "Completed", "completed with no errors."};
}

}  // namespace

Value with_add_on_progress(Value status, const AddOnProgressView& view) {
  Step step = next_step(status, view);
  if (step.reason == "Completed") status = with_all_applied(std::move(status));
  status["conditions"] = api::with_condition(api::field(status, "conditions"),
                                             {.type = "Progressing",
                                              .status = step.status,
                                              .reason = std::move(step.reason),
                                              .message = std::move(step.message)},
                                             view.now);
  return status;
}

}  // namespace berth::fleet
