#include "apiserver/openapi/parameters.h"

#include <array>
#include <string>

#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

struct QueryParameter {
  std::string_view name;
  std::string_view type;
  std::string_view actions;  // Separated by spaces.
  std::string_view description;
};

constexpr auto kQuery = std::to_array<QueryParameter>({
    {"allowWatchBookmarks", "boolean", "list",
     "Whether a watch also sends bookmarks, which only tell how far it has come."},
    {"continue", "string", "list deletecollection",
     "The token of the previous part of a list, to get the next one."},
    {"dryRun", "string", "post put patch delete deletecollection",
     "All: do everything but keep the result."},
    {"fieldManager", "string", "post put patch",
     "Who owns the fields that the request sets; at most 128 printable characters."},
    {"fieldSelector", "string", "list deletecollection", "Only objects whose fields match."},
    {"fieldValidation", "string", "post put patch",
     "What happens to unknown and repeated fields: Ignore, Warn or Strict."},
    {"force", "boolean", "patch", "Whether an apply takes fields away from their other owners."},
    {"gracePeriodSeconds", "integer", "delete deletecollection",
     "How long objects may take to end; 0 is at once."},
    {"labelSelector", "string", "list deletecollection", "Only objects whose labels match."},
    {"limit", "integer", "list deletecollection",
     "How many objects one part of a list has at most."},
    {"orphanDependents", "boolean", "delete deletecollection",
     "The old form of propagationPolicy; not with it."},
    {"propagationPolicy", "string", "delete deletecollection",
     "What happens to dependents: Orphan, Background or Foreground."},
    {"resourceVersion", "string", "list deletecollection",
     "Which state a list may be of, or where a watch begins."},
    {"resourceVersionMatch", "string", "list deletecollection",
     "How the resourceVersion is meant: Exact or NotOlderThan."},
    {"sendInitialEvents", "boolean", "list deletecollection",
     "Whether a watch begins with the objects that there are."},
    {"timeoutSeconds", "integer", "list deletecollection", "How long the request may take."},
    {"watch", "boolean", "list", "Whether to follow changes instead of listing."},
});

bool has_action(const QueryParameter& parameter, std::string_view action) {
  for (const std::string_view one : split(parameter.actions, ' ')) {
    if (one == action) return true;
  }
  return false;
}

Value schema_of(std::string_view type) {
  return Value::object({{"type", type}, {"uniqueItems", true}});
}

}  // namespace

Value type_reference(std::string_view type_name) {
  return Value::object({{"$ref", "#/components/schemas/" + std::string(type_name)}});
}

Value query_parameters(std::string_view action) {
  Value parameters = Value::array();
  for (const QueryParameter& parameter : kQuery) {
    if (!has_action(parameter, action)) continue;
    parameters.push_back(Value::object({{"name", parameter.name},
                                        {"in", "query"},
                                        {"description", parameter.description},
                                        {"schema", schema_of(parameter.type)}}));
  }
  return parameters;
}

Value path_parameters(const std::vector<std::string_view>& in_path) {
  Value parameters = Value::array();
  for (const std::string_view name : in_path) {
    const std::string_view description =
        name == "name" ? "The name of the object." : "The namespace of the objects.";
    parameters.push_back(Value::object({{"name", name},
                                        {"in", "path"},
                                        {"description", description},
                                        {"required", true},
                                        {"schema", schema_of("string")}}));
  }
  parameters.push_back(Value::object({{"name", "pretty"},
                                      {"in", "query"},
                                      {"description", "Whether to print on several lines."},
                                      {"schema", schema_of("string")}}));
  return parameters;
}

}  // namespace berth::apiserver
