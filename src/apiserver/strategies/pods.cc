#include "apiserver/strategies/pods.h"

#include <optional>
#include <string>
#include <utility>

#include "api/metadata.h"
#include "apiserver/strategies/pod_create.h"
#include "apiserver/strategies/pod_status_update.h"
#include "apiserver/strategies/pod_update.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kClasses = "priorityclasses.scheduling.k8s.io";

PriorityClassFacts facts_of(const json::Value& object) {
  PriorityClassFacts facts;
  if (const json::Value* name = object.find_path({"metadata", "name"})) {
    facts.name = name->string_or_empty();
  }
  if (const json::Value* value = object.find("value")) facts.value = value->as_int().value_or(0);
  const json::Value* policy = object.find("preemptionPolicy");
  if (policy && policy->is_string()) facts.preemption_policy = policy->string_or_empty();
  return facts;
}

std::optional<PriorityClassFacts> default_class(const View& view) {
  std::optional<PriorityClassFacts> found;
  json::Parser parser;
  view.snapshot->table(kClasses).visit("", [&](std::string_view, const store::EntryPtr& entry) {
    const auto object = parser.parse(entry->text);
    const json::Value* is_default = object.ok() ? object->find("globalDefault") : nullptr;
    if (is_default && is_default->as_bool() == true) found = facts_of(*object);
    return true;
  });
  return found;
}

Attempt<void> admit_change(json::Value& object, const json::Value& old, const Occasion& occasion) {
  auto changed = occasion.subresource == "status"
                     ? prepare_pod_status_update(old, std::move(object))
                     : prepare_pod_update(old, std::move(object));
  if (!changed.ok()) {
    return refuse({std::move(changed).error(),
                   {.name = std::string(api::Metadata(old).name()), .kind = "Pod"}});
  }
  object = *std::move(changed);
  return {};
}

Attempt<void> admit(json::Value& object, const json::Value* old, const Occasion& occasion) {
  if (old) return admit_change(object, *old, occasion);
  const View& view = occasion.view;
  const PodLookups lookups{
      .priority_class = [&view](std::string_view name) -> std::optional<PriorityClassFacts> {
        const auto found = view.find(kClasses, name);
        if (!found) return std::nullopt;
        return facts_of(*found);
      },
      .default_priority_class = [&view] { return default_class(view); }};
  auto prepared = prepare_new_pod(std::move(object), lookups, view.now);
  if (!prepared.ok()) return refuse(std::move(prepared).error());
  object = *std::move(prepared);
  return {};
}

}  // namespace

Strategy pod_strategy() { return {.counts_generations = true, .admit = admit}; }

}  // namespace berth::apiserver
