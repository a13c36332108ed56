#include "apiserver/strategies/definitions.h"

#include <utility>
#include <vector>

#include "api/conditions.h"
#include "apiserver/custom/custom_registry.h"
#include "apiserver/custom/definition.h"
#include "apiserver/custom/definition_status.h"
#include "apiserver/custom/definition_validation.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

std::vector<Definition> all_definitions(const View& view) {
  std::vector<Definition> all;
  json::Parser parser;
  view.snapshot->table(kDefinitionTable)
      .visit("", [&](std::string_view, const store::EntryPtr& entry) {
        if (const auto object = parser.parse(entry->text); object.ok()) {
          all.push_back(read_definition(*object));
        }
        return true;
      });
  return all;
}

// Which names are free is known to the server alone, so it says so in the same write.
void put_status(json::Value& object, const Occasion& occasion) {
  object = with_definition_defaults(std::move(object));
  const Definition definition = read_definition(object);
  const NamesInUse in_use = names_in_use(definition, all_definitions(occasion.view));
  object = with_definition_status(std::move(object), in_use, occasion.view.now);
}

Attempt<void> on_create(json::Value& object, const Occasion& /*occasion*/) {
  object = with_definition_defaults(std::move(object));
  return {};
}

Attempt<void> on_update(json::Value& object, const json::Value& /*old*/,
                        const Occasion& /*occasion*/) {
  object = with_definition_defaults(std::move(object));
  return {};
}

std::vector<Cause> check(const json::Value& object, const json::Value* old,
                         const Occasion& /*occasion*/) {
  return validate_definition(object, old);
}

void on_mark(json::Value& object, Time now) {
  json::Value& conditions = object["status"]["conditions"];
  conditions = api::with_condition(std::move(conditions),
                                   {.type = "Terminating",
                                    .status = api::ConditionStatus::True,
                                    .reason = "InstanceDeletionInProgress",
                                    .message = "CustomResource deletion is in progress"},
                                   now);
}

void finish(json::Value& object, const Occasion& occasion) { put_status(object, occasion); }

}  // namespace

Strategy definition_strategy() {
  return {.counts_generations = true,
          .cleanup_finalizer = kCleanupFinalizer,
          .on_create = on_create,
          .on_update = on_update,
          .check = check,
          .finish = finish,
          .on_mark = on_mark};
}

}  // namespace berth::apiserver
