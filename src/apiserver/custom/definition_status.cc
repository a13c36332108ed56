#include "apiserver/custom/definition_status.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;
using UsedNames = std::set<std::string, std::less<>>;

struct Naming {
  DefinitionNames accepted;
  api::Condition condition;
};

std::string in_use_message(std::string_view name) {
  return fmt::format("{} is already in use", quote(name));
}

bool is_taken(const std::string& wanted, const std::string& accepted, const UsedNames& used) {
  return wanted != accepted && used.contains(wanted);
}

// The last conflict is the one that is told.
Naming accept_names(const Definition& definition, const NamesInUse& in_use) {
  Naming naming{.accepted = definition.accepted_names,
                .condition = {.type = "NamesAccepted",
                              .status = api::ConditionStatus::True,
                              .reason = "NoConflicts",
                              .message = "no conflicts found"}};
  const auto refuse = [&](std::string_view reason, std::string message) {
    naming.condition.status = api::ConditionStatus::False;
    naming.condition.reason = reason;
    naming.condition.message = std::move(message);
  };
  const auto accept = [&](std::string DefinitionNames::* name, std::string_view reason,
                          const UsedNames& used) {
    const std::string& wanted = definition.names.*name;
    if (is_taken(wanted, definition.accepted_names.*name, used)) {
      refuse(reason, in_use_message(wanted));
    } else {
      naming.accepted.*name = wanted;
    }
  };
  accept(&DefinitionNames::plural, "PluralConflict", in_use.resources);
  accept(&DefinitionNames::singular, "SingularConflict", in_use.resources);
  std::vector<std::string> taken;
  for (const std::string& name : definition.names.short_names) {
    const auto& own = definition.accepted_names.short_names;
    const bool is_own = std::ranges::find(own, name) != own.end();
    if (!is_own && in_use.resources.contains(name)) taken.push_back(in_use_message(name));
  }
  if (taken.empty()) {
    naming.accepted.short_names = definition.names.short_names;
  } else {
    refuse("ShortNamesConflict", taken.size() == 1 ? taken[0] : "[" + join(taken, ", ") + "]");
  }
  accept(&DefinitionNames::kind, "KindConflict", in_use.kinds);
  accept(&DefinitionNames::list_kind, "ListKindConflict", in_use.kinds);
  naming.accepted.categories = definition.names.categories;
  return naming;
}

api::Condition established(const Definition& definition, const Naming& naming) {
  if (definition.is_established || naming.condition.status == api::ConditionStatus::True) {
    return {.type = "Established",
            .status = api::ConditionStatus::True,
            .reason = "InitialNamesAccepted",
            .message = "the initial names have been accepted"};
  }
  return {.type = "Established",
          .status = api::ConditionStatus::False,
          .reason = "NotAccepted",
          .message = "not all names are accepted"};
}

Value texts(const std::vector<std::string>& values) {
  Value list = Value::array();
  for (const std::string& value : values) list.push_back(Value(value));
  return list;
}

Value to_json(const DefinitionNames& names) {
  Value object = Value::object();
  object["plural"] = names.plural;
  if (!names.singular.empty()) object["singular"] = names.singular;
  if (!names.short_names.empty()) object["shortNames"] = texts(names.short_names);
  object["kind"] = names.kind;
  if (!names.list_kind.empty()) object["listKind"] = names.list_kind;
  if (!names.categories.empty()) object["categories"] = texts(names.categories);
  return object;
}

}  // namespace

void NamesInUse::add(const DefinitionNames& names) {
  resources.insert({names.plural, names.singular});
  resources.insert(names.short_names.begin(), names.short_names.end());
  kinds.insert({names.kind, names.list_kind});
}

NamesInUse names_in_use(const Definition& definition, std::span<const Definition> all) {
  NamesInUse in_use;
  for (const Definition& other : all) {
    if (other.group == definition.group && other.name != definition.name) {
      in_use.add(other.accepted_names);
    }
  }
  return in_use;
}

Value with_definition_status(Value object, const NamesInUse& in_use, Time now) {
  object = with_definition_defaults(std::move(object));
  const Definition definition = read_definition(object);
  const Naming naming = accept_names(definition, in_use);
  if (!object.find("metadata") || !object["metadata"].is_object()) return object;
  Value& status = object["status"];
  if (!status.is_object()) status = Value::object();
  Value conditions = api::field(status, "conditions");
  conditions = api::with_condition(std::move(conditions), naming.condition, now);
  conditions = api::with_condition(std::move(conditions), established(definition, naming), now);
  status["conditions"] = api::without_condition(std::move(conditions), "NonStructuralSchema");
  status["acceptedNames"] = to_json(naming.accepted);
  status["storedVersions"] = texts(definition.stored_versions);
  return object;
}

}  // namespace berth::apiserver
