#include "apiserver/objects/metadata_rules.h"

#include <algorithm>
#include <array>
#include <set>

#include <fmt/format.h>

#include "api/metadata.h"
#include "api/names.h"
#include "apiserver/schema/field_errors.h"
#include "base/rfc3339.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kAnnotationBytesMax = 256 * 1024;
constexpr std::size_t kGeneratedBaseMax = 58;

constexpr std::array<std::string_view, 6> kServersOwn = {
    "uid",        "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
    "generation", "selfLink"};

api::Problems name_problems(std::string_view name, NameRule rule) {
  switch (rule) {
    case NameRule::Subdomain:
      return api::check_dns1123_subdomain(name);
    case NameRule::Label:
      return api::check_dns1123_label(name);
    case NameRule::ServiceName:
      return api::check_dns1035_label(name);
    case NameRule::PathSegment:
      break;
  }
  if (name == "." || name == "..") return {fmt::format("may not be '{}'", name)};
  api::Problems problems;
  if (name.contains('/')) problems.emplace_back("may not contain '/'");
  if (name.contains('%')) problems.emplace_back("may not contain '%'");
  return problems;
}

void check_name(const api::Metadata& metadata, NameRule rule, std::vector<Cause>& causes) {
  const std::string_view base = metadata.generate_name();
  if (!base.empty()) {
    // A base may end in a dash, which the generated end follows.
    for (const std::string& problem : name_problems(std::string(base) + "x", rule)) {
      causes.push_back(invalid("metadata.generateName", base, problem));
    }
  }
  if (metadata.name().empty()) {
    causes.push_back(required("metadata.name", "name or generateName is required"));
    return;
  }
  for (const std::string& problem : name_problems(metadata.name(), rule)) {
    causes.push_back(invalid("metadata.name", metadata.name(), problem));
  }
}

void check_namespace(const api::Metadata& metadata, Scope scope, std::vector<Cause>& causes) {
  const std::string_view ns = metadata.namespace_name();
  if (scope == Scope::Cluster) {
    if (!ns.empty()) {
      causes.push_back(forbidden("metadata.namespace", "not allowed on this type"));
    }
    return;
  }
  if (ns.empty()) causes.push_back(required("metadata.namespace", ""));
  for (const std::string& problem : api::check_dns1123_label(ns)) {
    if (!ns.empty()) causes.push_back(invalid("metadata.namespace", ns, problem));
  }
}

void check_labels(const json::Value& labels, std::vector<Cause>& causes) {
  for (const json::Member& label : labels.members()) {
    for (const std::string& problem : api::check_qualified_name(label.name())) {
      causes.push_back(invalid("metadata.labels", label.name(), problem));
    }
    const std::string_view value = label.value.string_or_empty();
    for (const std::string& problem : api::check_label_value(value)) {
      causes.push_back(invalid("metadata.labels", value, problem));
    }
  }
}

void check_annotations(const json::Value& annotations, std::vector<Cause>& causes) {
  std::size_t bytes = 0;
  for (const json::Member& annotation : annotations.members()) {
    // Keys are compared without case, so old ones may have capitals.
    for (const std::string& problem : api::check_qualified_name(annotation.name())) {
      causes.push_back(invalid("metadata.annotations", annotation.name(), problem));
    }
    bytes += annotation.name().size() + annotation.value.string_or_empty().size();
  }
  if (bytes > kAnnotationBytesMax) {
    causes.push_back(
        too_long("metadata.annotations", static_cast<std::int64_t>(kAnnotationBytesMax)));
  }
}

void check_owner(const json::Value& owner, const std::string& field, std::vector<Cause>& causes) {
  const api::OwnerReference reference = api::OwnerReference::from_json(owner);
  const json::Value version = reference.api_version;
  if (reference.api_version.empty()) {
    causes.push_back(invalid(field + ".apiVersion", version, "version must not be empty"));
  }
  if (reference.kind.empty()) {
    causes.push_back(invalid(field + ".kind", "", "must not be empty"));
  }
  if (reference.name.empty()) {
    causes.push_back(invalid(field + ".name", "", "must not be empty"));
  }
  if (reference.uid.empty()) {
    causes.push_back(invalid(field + ".uid", "", "must not be empty"));
  }
}

void check_owners(const json::Value& owners, std::vector<Cause>& causes) {
  std::string controller;
  for (const json::Value& owner : owners.elements()) {
    check_owner(owner, "metadata.ownerReferences", causes);
    const api::OwnerReference reference = api::OwnerReference::from_json(owner);
    if (!reference.is_controller) continue;
    if (!controller.empty()) {
      causes.push_back(invalid(
          "metadata.ownerReferences", owners,
          fmt::format("Only one reference can have Controller set to true. Found \"true\" in "
                      "references for {} and {}",
                      controller, reference.kind + "/" + reference.name)));
    }
    controller = reference.kind + "/" + reference.name;
  }
}

void check_finalizers(const json::Value& finalizers, std::vector<Cause>& causes) {
  for (const json::Value& finalizer : finalizers.elements()) {
    const std::string_view name = finalizer.string_or_empty();
    for (const std::string& problem : api::check_qualified_name(name)) {
      causes.push_back(invalid("metadata.finalizers", name, problem));
    }
  }
}

json::Value& metadata_of(json::Value& object) {
  json::Value& metadata = object["metadata"];
  if (!metadata.is_object()) metadata = json::Value::object();
  return metadata;
}

}  // namespace

void stamp_new(json::Value& object, const Birth& birth) {
  json::Value& metadata = metadata_of(object);
  for (const std::string_view name : kServersOwn) metadata.erase(name);
  metadata.erase("resourceVersion");
  metadata["uid"] = birth.uid;
  metadata["creationTimestamp"] = format_seconds(birth.now);
}

std::string generate_name(std::string_view base, Random& random) {
  // No vowels, and nothing that looks like something else.
  static constexpr std::string_view kLetters = "bcdfghjklmnpqrstvwxz2456789";
  std::string name(base.substr(0, kGeneratedBaseMax));
  for (int i = 0; i < 5; ++i) name += kLetters[random.below(kLetters.size())];
  return name;
}

void carry_over_metadata(json::Value& object, const json::Value& old) {
  json::Value& metadata = metadata_of(object);
  const json::Value* before = old.find("metadata");
  for (const std::string_view name : kServersOwn) {
    const json::Value* value = before ? before->find(name) : nullptr;
    if (value) {
      metadata[name] = *value;
    } else {
      metadata.erase(name);
    }
  }
}

std::vector<Cause> check_metadata(const json::Value& object, NameRule rule, Scope scope) {
  std::vector<Cause> causes;
  const api::Metadata metadata(object);
  check_name(metadata, rule, causes);
  check_namespace(metadata, scope, causes);
  static const json::Value kNone;
  const auto part = [&object](std::string_view name) -> const json::Value& {
    const json::Value* value = object.find_path({"metadata", name});
    return value ? *value : kNone;
  };
  check_labels(part("labels"), causes);
  check_annotations(part("annotations"), causes);
  check_owners(part("ownerReferences"), causes);
  check_finalizers(part("finalizers"), causes);
  return causes;
}

std::vector<Cause> check_metadata_update(const json::Value& object, const json::Value& old) {
  std::vector<Cause> causes;
  const api::Metadata now(object);
  const api::Metadata before(old);
  if (now.name() != before.name()) {
    causes.push_back(invalid("metadata.name", now.name(), "field is immutable"));
  }
  if (now.namespace_name() != before.namespace_name()) {
    causes.push_back(invalid("metadata.namespace", now.namespace_name(), "field is immutable"));
  }
  if (!before.is_being_deleted()) return causes;
  std::vector<std::string> added;
  for (const std::string_view finalizer : now.finalizers()) {
    if (!before.has_finalizer(finalizer)) added.emplace_back(finalizer);
  }
  if (!added.empty()) {
    causes.push_back(forbidden(
        "metadata.finalizers",
        fmt::format("no new finalizers can be added if the object is being deleted, found new "
                    "finalizers []string{{\"{}\"}}",
                    fmt::join(added, "\", \""))));
  }
  return causes;
}

void drop_empty_metadata(json::Value& object) {
  json::Value& metadata = metadata_of(object);
  for (const char* name : {"labels", "annotations", "ownerReferences", "finalizers"}) {
    const json::Value* value = metadata.find(name);
    if (value && (value->is_null() || value->size() == 0)) metadata.erase(name);
  }
}

std::vector<std::string> drop_repeated_owners(json::Value& object) {
  json::Value* metadata = object.find("metadata");
  json::Value* owners = metadata ? metadata->find("ownerReferences") : nullptr;
  if (!owners) return {};
  std::set<std::string> seen;
  std::vector<std::string> warnings;
  for (std::size_t i = 0; i < owners->size();) {
    const json::Value& owner = owners->elements()[i];
    if (seen.insert(json::print(owner)).second) {
      ++i;
      continue;
    }
    const json::Value* uid = owner.find("uid");
    warnings.push_back(fmt::format(
        ".metadata.ownerReferences contains duplicate entries; API server dedups owner references "
        "in 1.20+, and may reject such requests as early as 1.24; please fix your requests; "
        "duplicate UID(s) observed: {}",
        uid ? uid->string_or_empty() : ""));
    owners->erase_at(i);
  }
  return warnings;
}

}  // namespace berth::apiserver
