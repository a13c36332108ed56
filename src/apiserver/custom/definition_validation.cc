#include "apiserver/custom/definition_validation.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/expressions/url.h"
#include "api/kinds/fields.h"
#include "api/names.h"
#include "apiserver/custom/definition.h"
#include "apiserver/custom/version_validation.h"
#include "apiserver/schema/field_errors.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kApproval = "api-approved.kubernetes.io";

class Check {
 public:
  Check(const Value& object, const Value* old)
      : object_(object), definition_(read_definition(object)) {
    if (old) old_ = read_definition(*old);
    if (old) old_object_ = old;
  }

  std::vector<Cause> run();

 private:
  void check_name();
  void check_group_and_scope();
  // Which parts are the same in all versions.
  struct Shared {
    bool schema = false;
    bool subresources = false;
    bool columns = false;
    bool selectable = false;
  };
  Shared find_shared() const;
  void check_versions(const Shared& shared);
  void check_version(const DefinitionVersion& version, const std::string& path,
                     const Shared& shared);
  void check_shared(const Shared& shared);
  void check_names(const DefinitionNames& names, const std::string& path);
  void check_required_names();
  void check_conversion();
  void check_immutable();
  void check_stored_versions();
  void check_approval();
  void check_label(const std::string& field, std::string_view value);
  void add(Cause cause) { causes_.push_back(std::move(cause)); }
  void append(std::vector<Cause> more) { std::ranges::move(more, std::back_inserter(causes_)); }
  const Value& spec() const { return api::field(object_, "spec"); }

  const Value& object_;
  const Value* old_object_ = nullptr;
  Definition definition_;
  std::optional<Definition> old_;
  std::vector<Cause> causes_;
};

std::vector<Cause> Check::run() {
  check_name();
  check_group_and_scope();
  const Shared shared = find_shared();
  check_versions(shared);
  check_required_names();
  check_names(definition_.names, "spec.names");
  check_shared(shared);
  check_conversion();
  check_immutable();
  check_names(definition_.accepted_names, "status.acceptedNames");
  check_stored_versions();
  check_approval();
  if (definition_.preserves_unknown_fields) {
    add(invalid("spec.preserveUnknownFields", Value(true),
                "cannot set to true, set x-kubernetes-preserve-unknown-fields to true in "
                "spec.versions[*].schema instead"));
  }
  return std::move(causes_);
}

void Check::check_name() {
  for (const std::string& problem : api::check_dns1123_subdomain(definition_.name)) {
    add(invalid("metadata.name", Value(definition_.name), problem));
  }
  if (definition_.name != definition_.names.plural + "." + definition_.group) {
    add(invalid("metadata.name", Value(definition_.name),
                R"(must be spec.names.plural+"."+spec.group)"));
  }
}

void Check::check_group_and_scope() {
  const std::string& group = definition_.group;
  if (group.empty()) {
    add(required("spec.group", ""));
  } else if (const auto problems = api::check_dns1123_subdomain(group); !problems.empty()) {
    add(invalid("spec.group", Value(group), join(problems, ",")));
  } else if (!group.contains('.')) {
    add(invalid("spec.group", Value(group), "should be a domain with at least one dot"));
  }
  if (definition_.scope) return;
  const std::string scope = api::text_field(spec(), "scope");
  const std::array<std::string, 2> kScopes = {"Cluster", "Namespaced"};
  add(scope.empty() ? required("spec.scope", "")
                    : not_supported("spec.scope", Value(scope), kScopes));
}

// Parts that all versions have in common are spelled as parts of the whole, as in the first API
// version of definitions: so the reference does.
Check::Shared Check::find_shared() const {
  const auto versions = api::elements_field(spec(), "versions");
  const auto is_shared = [versions](std::string_view name) {
    return std::ranges::all_of(versions, [&](const Value& it) {
      return api::field(it, name) == api::field(versions[0], name);
    });
  };
  return {.schema = is_shared("schema"),
          .subresources = is_shared("subresources"),
          .columns = is_shared("additionalPrinterColumns"),
          .selectable = is_shared("selectableFields")};
}

void Check::check_version(const DefinitionVersion& version, const std::string& path,
                          const Shared& shared) {
  const Value* old = old_object_ ? find_version(*old_object_, version.name) : nullptr;
  append(validate_warning(version, child(path, "deprecationWarning")));
  if (!shared.schema) append(validate_schema(version, child(path, "schema")));
  if (!shared.subresources) append(validate_scale(version, child(path, "subresources")));
  if (!shared.columns) append(validate_columns(version, child(path, "additionalPrinterColumns")));
  if (!shared.selectable) {
    append(validate_selectable(version, old, child(path, "selectableFields")));
  }
}

void Check::check_shared(const Shared& shared) {
  if (definition_.versions.empty()) return;
  const DefinitionVersion& version = definition_.versions[0];
  const Value* old = old_object_ ? find_version(*old_object_, version.name) : nullptr;
  if (shared.schema) append(validate_schema(version, "spec.validation"));
  if (shared.subresources) append(validate_scale(version, "spec.subresources"));
  if (shared.columns) append(validate_columns(version, "spec.additionalPrinterColumns"));
  if (shared.selectable) append(validate_selectable(version, old, "spec.selectableFields"));
}

void Check::check_versions(const Shared& shared) {
  std::size_t index = 0;
  for (const DefinitionVersion& version : definition_.versions) {
    if (!version.schema) {
      add(required(child(indexed("spec.versions", index), "schema.openAPIV3Schema"), ""));
    }
    ++index;
  }
  std::set<std::string_view> names;
  std::size_t storage_count = 0;
  index = 0;
  for (const DefinitionVersion& version : definition_.versions) {
    const std::string path = indexed("spec.versions", index++);
    if (version.is_storage) ++storage_count;
    names.insert(version.name);
    check_label(child(path, "name"), version.name);
    check_version(version, path, shared);
  }
  if (names.size() != definition_.versions.size()) {
    add(invalid_whole("spec.versions", "must contain unique version names"));
  }
  if (storage_count != 1) {
    add(invalid_whole("spec.versions", "must have exactly one version marked as storage version"));
  }
}

void Check::check_required_names() {
  const DefinitionNames& names = definition_.names;
  const std::pair<std::string_view, const std::string&> kNames[] = {{"plural", names.plural},
                                                                    {"singular", names.singular},
                                                                    {"kind", names.kind},
                                                                    {"listKind", names.list_kind}};
  for (const auto& [field, value] : kNames) {
    if (value.empty()) add(required(child("spec.names", field), ""));
  }
}

void Check::check_label(const std::string& field, std::string_view value) {
  const auto problems = api::check_dns1035_label(value);
  if (!problems.empty()) add(invalid(field, Value(value), join(problems, ",")));
}

void Check::check_names(const DefinitionNames& names, const std::string& path) {
  if (!names.plural.empty()) check_label(child(path, "plural"), names.plural);
  if (!names.singular.empty()) check_label(child(path, "singular"), names.singular);
  const auto check_kind = [&](std::string_view field, const std::string& kind) {
    const auto problems = api::check_dns1035_label(lower_ascii(kind));
    if (kind.empty() || problems.empty()) return;
    add(invalid(child(path, field), Value(kind),
                "may have mixed case, but should otherwise match: " + join(problems, ",")));
  };
  check_kind("kind", names.kind);
  check_kind("listKind", names.list_kind);
  std::size_t index = 0;
  for (const std::string& name : names.short_names) {
    check_label(indexed(child(path, "shortNames"), index++), name);
  }
  if (!names.kind.empty() && names.kind == names.list_kind) {
    add(invalid(child(path, "listKind"), Value(names.list_kind),
                "kind and listKind may not be the same"));
  }
  index = 0;
  for (const std::string& name : names.categories) {
    check_label(indexed(child(path, "categories"), index++), name);
  }
}

void Check::check_conversion() {
  const std::string& strategy = definition_.conversion;
  const Value& conversion = api::field(spec(), "conversion");
  if (strategy == "None") {
    if (!api::field(conversion, "webhook").is_null()) {
      add(forbidden("spec.conversion.webhook",
                    "should not be set when strategy is not set to Webhook"));
    }
    return;
  }
  if (strategy == "Webhook") {
    add(forbidden("spec.conversion.strategy",
                  "this server does not convert by webhook; only None is supported"));
    return;
  }
  const std::array<std::string, 2> kStrategies = {"None", "Webhook"};
  add(strategy.empty() ? required("spec.conversion.strategy", "")
                       : not_supported("spec.conversion.strategy", Value(strategy), kStrategies));
}

void Check::check_immutable() {
  if (!old_) return;
  const auto check = [this](std::string_view field, std::string_view now, std::string_view before) {
    if (now != before) add(invalid(field, Value(now), "field is immutable"));
  };
  if (old_->is_established) {
    check("spec.scope", api::text_field(spec(), "scope"),
          api::text_field(api::field(*old_object_, "spec"), "scope"));
    check("spec.names.kind", definition_.names.kind, old_->names.kind);
  }
  check("spec.group", definition_.group, old_->group);
  check("spec.names.plural", definition_.names.plural, old_->names.plural);
}

void Check::check_stored_versions() {
  const std::string path = "status.storedVersions";
  const auto& stored = definition_.stored_versions;
  const Value& shown = api::field(api::field(object_, "status"), "storedVersions");
  if (stored.empty()) {
    return add(invalid(path, Value(), "must have at least one stored version"));
  }
  for (const DefinitionVersion& version : definition_.versions) {
    if (version.is_storage && std::ranges::find(stored, version.name) == stored.end()) {
      add(invalid(path, shown, "must have the storage version " + version.name));
    }
  }
  std::size_t index = 0;
  for (const std::string& name : stored) {
    const std::string at = indexed(path, index++);
    if (std::ranges::find(definition_.versions, name, &DefinitionVersion::name) !=
        definition_.versions.end()) {
      continue;
    }
    add(invalid(at, Value(name),
                fmt::format("missing from spec.versions; {0} was previously a storage version, and "
                            "must remain in spec.versions until a storage migration ensures no "
                            "data remains persisted in {0} and removes {0} from "
                            "status.storedVersions",
                            name)));
  }
}

enum class Approval { Missing, Bypassed, Approved, Invalid };

Approval approval_of(const Value& object) {
  const Value* annotation = object.find_path({"metadata", "annotations", kApproval});
  const std::string_view text = annotation ? annotation->string_or_empty() : "";
  if (text.empty()) return Approval::Missing;
  if (text.starts_with("unapproved")) return Approval::Bypassed;
  const auto url = api::Url::parse(text);
  const bool is_url = url.ok() && !url->host.empty() && !url->scheme.empty();
  return is_url ? Approval::Approved : Approval::Invalid;
}

bool is_protected(std::string_view group) {
  return group == "k8s.io" || group.ends_with(".k8s.io") || group == "kubernetes.io" ||
         group.ends_with(".kubernetes.io");
}

void Check::check_approval() {
  if (!is_protected(definition_.group) || definition_.group.ends_with(".x-k8s.io")) return;
  const Approval now = approval_of(object_);
  if (old_object_ && approval_of(*old_object_) == now) return;
  const std::string field = keyed("metadata.annotations", kApproval);
  constexpr std::string_view kSee = "see https://github.com/kubernetes/enhancements/pull/1111";
  if (now == Approval::Missing) {
    add(required(field, fmt::format("protected groups must have approval annotation {}, {}",
                                    quote(kApproval), kSee)));
  } else if (now == Approval::Invalid) {
    add(invalid(field, *object_.find_path({"metadata", "annotations", kApproval}),
                fmt::format("protected groups must have approval annotation {} with either a URL "
                            "or a reason starting with \"unapproved\", {}",
                            quote(kApproval), kSee)));
  }
}

}  // namespace

std::vector<Cause> validate_definition(const Value& object, const Value* old) {
  return Check(object, old).run();
}

}  // namespace berth::apiserver
