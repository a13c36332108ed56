#include "fleet/work/manifest_work.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "api/kinds/fields.h"
#include "fleet/work/names.h"
#include "fleet/work/wildcard.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

using api::elements_field;
using api::field;
using api::text_field;
using api::texts_field;

UpdateType update_type(std::string_view text) {
  if (text == "CreateOnly") return UpdateType::CreateOnly;
  if (text == "ReadOnly") return UpdateType::ReadOnly;
  if (text == "ServerSideApply") return UpdateType::ServerSideApply;
  return UpdateType::Update;
}

UpdateStrategy read_strategy(const json::Value& object) {
  const json::Value& apply = field(object, "serverSideApply");
  UpdateStrategy strategy{.type = update_type(text_field(object, "type")),
                          .force = field(apply, "force").as_bool().value_or(false),
                          .field_manager = text_field(apply, "fieldManager")};
  if (strategy.field_manager.empty()) strategy.field_manager = kFieldManager;
  for (const json::Value& ignored : elements_field(apply, "ignoreFields")) {
    strategy.ignored.push_back({.since = text_field(ignored, "condition") == "OnSpokeChange"
                                             ? IgnoredFields::Since::Change
                                             : IgnoredFields::Since::Present,
                                .json_paths = texts_field(ignored, "jsonPaths"),
                                .json_pointers = texts_field(ignored, "jsonPointers")});
  }
  return strategy;
}

FeedbackRule read_feedback(const json::Value& object) {
  FeedbackRule rule{.type = text_field(object, "type") == "JSONPaths"
                                ? FeedbackRule::Type::JsonPaths
                                : FeedbackRule::Type::WellKnown};
  for (const json::Value& path : elements_field(object, "jsonPaths")) {
    rule.paths.push_back({.name = text_field(path, "name"),
                          .version = text_field(path, "version"),
                          .path = text_field(path, "path")});
  }
  return rule;
}

ConditionRule read_condition_rule(const json::Value& object) {
  return {.type = text_field(object, "type"),
          .condition = text_field(object, "condition"),
          .expressions = texts_field(object, "celExpressions"),
          .message = text_field(object, "message"),
          .message_expression = text_field(object, "messageExpression")};
}

ManifestConfig read_config(const json::Value& object) {
  ManifestConfig config{.of = read_identifier(field(object, "resourceIdentifier"))};
  for (const json::Value& rule : elements_field(object, "feedbackRules")) {
    config.feedback.push_back(read_feedback(rule));
  }
  for (const json::Value& rule : elements_field(object, "conditionRules")) {
    config.conditions.push_back(read_condition_rule(rule));
  }
  if (const json::Value& strategy = field(object, "updateStrategy"); strategy.is_object()) {
    config.update = read_strategy(strategy);
  }
  return config;
}

DeleteOption read_deletion(const json::Value& object) {
  const std::string policy = text_field(object, "propagationPolicy");
  DeleteOption option;
  if (policy == "Orphan") option.policy = DeleteOption::Policy::Orphan;
  if (policy == "SelectivelyOrphan") option.policy = DeleteOption::Policy::SelectivelyOrphan;
  for (const json::Value& rule :
       elements_field(field(object, "selectivelyOrphans"), "orphaningRules")) {
    option.orphans.push_back(read_identifier(rule));
  }
  return option;
}

Executor read_executor(const json::Value& object) {
  const json::Value& subject = field(object, "subject");
  Executor executor{.type = text_field(subject, "type")};
  if (const json::Value& account = field(subject, "serviceAccount"); account.is_object()) {
    executor.account = Executor::ServiceAccount{.ns = text_field(account, "namespace"),
                                                .name = text_field(account, "name")};
  }
  return executor;
}

bool matches(const ResourceIdentifier& resource, const ResourceIdentifier& pattern) {
  return resource.group == pattern.group && resource.resource == pattern.resource &&
         matches_wildcard(pattern.ns, resource.ns) && matches_wildcard(pattern.name, resource.name);
}

}  // namespace

std::string Executor::ServiceAccount::user() const {
  return "system:serviceaccount:" + ns + ":" + name;
}

ManifestWork read_manifest_work(const json::Value& object) {
  const json::Value& spec = field(object, "spec");
  ManifestWork work;
  for (const json::Value& manifest : elements_field(field(spec, "workload"), "manifests")) {
    work.manifests.push_back(&manifest);
  }
  for (const json::Value& config : elements_field(spec, "manifestConfigs")) {
    work.configs.push_back(read_config(config));
  }
  work.deletion = read_deletion(field(spec, "deleteOption"));
  if (const json::Value& executor = field(spec, "executor"); executor.is_object()) {
    work.executor = read_executor(executor);
  }
  return work;
}

ManifestOption option_for(const ResourceIdentifier& resource,
                          const std::vector<ManifestConfig>& configs) {
  ManifestOption option;
  bool has_update = false;
  for (const ManifestConfig& config : configs) {
    if (!matches(resource, config.of)) continue;
    if (option.feedback.empty()) option.feedback = config.feedback;
    if (option.conditions.empty()) option.conditions = config.conditions;
    if (!has_update && config.update) {
      option.update = *config.update;
      has_update = true;
    }
  }
  return option;
}

bool is_owned(const ResourceIdentifier& resource, const DeleteOption& deletion) {
  switch (deletion.policy) {
    case DeleteOption::Policy::Foreground:
      return true;
    case DeleteOption::Policy::Orphan:
      return false;
    case DeleteOption::Policy::SelectivelyOrphan:
      return std::ranges::find(deletion.orphans, resource) == deletion.orphans.end();
  }
  return true;
}

std::string wish_text(const json::Value& manifest, const json::Value& work) {
  const json::Value& spec = field(work, "spec");
  std::string text = json::print(manifest);
  for (const std::string_view part : {"manifestConfigs", "deleteOption", "executor"}) {
    text += '\n';
    json::append(text, field(spec, part));
  }
  return text;
}

}  // namespace berth::fleet
