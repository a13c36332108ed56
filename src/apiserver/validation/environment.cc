#include "apiserver/validation/environment.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "api/names.h"
#include "apiserver/validation/config_keys.h"

namespace berth::apiserver {
namespace {

// What a pod can be told about itself, and what of that in a variable.
constexpr std::array<std::string_view, 14> kPodFields = {
    "metadata.annotations", "metadata.labels",
    "metadata.name",        "metadata.namespace",
    "metadata.uid",         "spec.host",
    "spec.nodeName",        "spec.restartPolicy",
    "spec.schedulerName",   "spec.serviceAccountName",
    "status.hostIP",        "status.hostIPs",
    "status.podIP",         "status.podIPs"};
constexpr std::initializer_list<std::string_view> kVariableFields = {"metadata.name",
                                                                     "metadata.namespace",
                                                                     "metadata.uid",
                                                                     "spec.nodeName",
                                                                     "spec.serviceAccountName",
                                                                     "status.hostIP",
                                                                     "status.hostIPs",
                                                                     "status.podIP",
                                                                     "status.podIPs"};

bool is_in(std::span<const std::string_view> list, std::string_view text) {
  return std::ranges::find(list, text) != list.end();
}

void check_variable_name(const Place& name, Complaints& complaints) {
  const bool is_plain = std::ranges::all_of(
      name.text(), [](unsigned char c) { return c >= ' ' && c < 127 && c != '='; });
  if (is_plain) return;
  complaints.invalid(name,
                     "a valid environment variable name must consist only of printable ASCII "
                     "characters other than '='");
}

// "metadata.labels['app']"
void check_subscript(const Place& reference, std::string_view path, Complaints& complaints) {
  const std::size_t bracket = path.find("['");
  const std::string_view map = path.substr(0, bracket);
  const std::string_view key = path.substr(bracket + 2, path.size() - bracket - 4);
  if (map != "metadata.annotations" && map != "metadata.labels") {
    return complaints.invalid(reference, map, "does not support subscript");
  }
  for (const std::string& problem : api::check_qualified_name(key)) {
    complaints.invalid(reference, key, problem);
  }
}

void check_field(const Place& reference, Complaints& complaints) {
  const Place path = reference["fieldPath"];
  if (path.text().empty()) return complaints.required(path);
  const std::string_view text = path.text();
  const bool has_subscript = text.contains("['") && text.ends_with("']");
  if (has_subscript) return check_subscript(reference, text, complaints);
  if (!is_in(kPodFields, text) && text != "status.phase") {
    return complaints.invalid(
        path, fmt::format("error converting fieldPath: field label not supported: {}", text));
  }
  const std::string_view known = text == "spec.host" ? "spec.nodeName" : text;
  if (std::ranges::find(kVariableFields, known) == kVariableFields.end()) {
    complaints.not_supported(path, kVariableFields);
  }
}

void check_key_reference(const Place& reference, Complaints& complaints) {
  complaints.check_names(reference["name"], api::check_dns1123_subdomain(reference["name"].text()));
  const Place key = reference["key"];
  if (key.text().empty()) return complaints.required(key);
  complaints.check_names(key, config_key_problems(key.text()));
}

void check_origin(const Place& variable, Complaints& complaints) {
  const Place origin = variable["valueFrom"];
  if (!origin.is_set()) return;
  int sources = 0;
  if (origin["fieldRef"].is_set()) check_field(origin["fieldRef"], complaints);
  for (const char* name : {"configMapKeyRef", "secretKeyRef"}) {
    if (origin[name].is_set()) check_key_reference(origin[name], complaints);
  }
  for (const char* name :
       {"fieldRef", "resourceFieldRef", "configMapKeyRef", "secretKeyRef", "fileKeyRef"}) {
    sources += origin[name].is_set() ? 1 : 0;
  }
  if (sources == 0) {
    complaints.invalid(origin, "",
                       "must specify one of: `fieldRef`, `resourceFieldRef`, `configMapKeyRef`, "
                       "`secretKeyRef` or `fileKeyRef`");
  } else if (!variable["value"].text().empty()) {
    complaints.invalid(origin, "", "may not be specified when `value` is not empty");
  } else if (sources > 1) {
    complaints.invalid(origin, "", "may not have more than one field specified at a time");
  }
}

void check_source_name(const Place& source, Complaints& complaints) {
  if (!source.is_set()) return;
  const Place name = source["name"];
  if (name.text().empty()) return complaints.required(name);
  complaints.check_names(name, api::check_dns1123_subdomain(name.text()));
}

}  // namespace

void check_environment(const Place& variables, Complaints& complaints) {
  for (std::size_t i = 0; i < variables.size(); ++i) {
    const Place variable = variables.at(i);
    if (variable["name"].text().empty()) {
      complaints.required(variable["name"]);
    } else {
      check_variable_name(variable["name"], complaints);
    }
    check_origin(variable, complaints);
  }
}

void check_environment_sources(const Place& sources, Complaints& complaints) {
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const Place source = sources.at(i);
    check_variable_name(source["prefix"], complaints);
    check_source_name(source["configMapRef"], complaints);
    check_source_name(source["secretRef"], complaints);
    const bool has_map = source["configMapRef"].is_set();
    const bool has_secret = source["secretRef"].is_set();
    if (!has_map && !has_secret) {
      complaints.invalid(sources, "", "must specify one of: `configMapRef` or `secretRef`");
    } else if (has_map && has_secret) {
      complaints.invalid(sources, "", "may not have more than one field specified at a time");
    }
  }
}

}  // namespace berth::apiserver
