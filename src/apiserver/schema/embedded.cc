#include "apiserver/schema/embedded.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "api/group_version.h"
#include "api/names.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/schema/validate.h"
#include "apiserver/schema/value_path.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

class Walk {
 public:
  void visit(const Schema& schema, const Value& value, const ValuePath& path);
  std::vector<Cause> take_causes() { return std::move(causes_); }

 private:
  void check(const Value& object, const std::string& path);
  void check_kind(std::string_view kind, const std::string& path);
  void check_metadata(const Value& metadata, const std::string& path);

  std::vector<Cause> causes_;
};

void Walk::check_kind(std::string_view kind, const std::string& path) {
  const api::Problems problems = api::check_dns1035_label(lower_ascii(kind));
  if (problems.empty()) return;
  causes_.push_back(
      invalid(path, Value(kind),
              "may have mixed case, but should otherwise match: " + join(problems, ",")));
}

void Walk::check_metadata(const Value& metadata, const std::string& path) {
  if (const Value* name = metadata.find("name"); name && !name->string_or_empty().empty()) {
    const std::string_view text = name->string_or_empty();
    if (text == "." || text == "..") {
      causes_.push_back(
          invalid(child(path, "name"), *name, "may not be '" + std::string(text) + "'"));
    }
    for (const std::string_view part : {"/", "%"}) {
      if (!text.contains(part)) continue;
      causes_.push_back(
          invalid(child(path, "name"), *name, "may not contain '" + std::string(part) + "'"));
    }
  }
  if (const Value* ns = metadata.find("namespace"); ns && !ns->string_or_empty().empty()) {
    for (const std::string& problem : api::check_dns1123_label(ns->string_or_empty())) {
      causes_.push_back(invalid(child(path, "namespace"), *ns, problem));
    }
  }
  const Value* labels = metadata.find("labels");
  if (!labels) return;
  const std::string at = child(path, "labels");
  for (const json::Member& member : labels->members()) {
    for (const std::string& problem : api::check_qualified_name(member.name())) {
      causes_.push_back(invalid(at, member.key, problem));
    }
    for (const std::string& problem : api::check_label_value(member.value.string_or_empty())) {
      causes_.push_back(invalid(at, member.value, problem));
    }
  }
}

void Walk::check(const Value& object, const std::string& path) {
  for (const std::string_view name : {"apiVersion", "kind"}) {
    const std::string at = child(path, name);
    const Value* value = object.find(name);
    if (!value) {
      causes_.push_back(required(at, ""));
    } else if (!value->is_string()) {
      causes_.push_back(invalid(at, *value, "must be a string"));
    } else if (value->string_or_empty().empty()) {
      causes_.push_back(invalid(at, *value, "must not be empty"));
    } else if (name == "kind") {
      check_kind(*value->as_string(), at);
    } else if (const auto version = api::parse_group_version(*value->as_string()); !version.ok()) {
      causes_.push_back(invalid(at, *value, version.error().message));
    }
  }
  if (const Value* metadata = object.find("metadata")) {
    check_metadata(*metadata, child(path, "metadata"));
  }
}

void Walk::visit(const Schema& schema, const Value& value, const ValuePath& path) {
  if (causes_.size() >= kCausesMax) return;
  if (value.is_array() && schema.items) {
    std::size_t index = 0;
    for (const Value& element : value.elements()) {
      visit(*schema.items, element, path.index(index++));
    }
  }
  if (!value.is_object()) return;
  if (schema.is_embedded_resource) check(value, path.text());
  for (const json::Member& member : value.members()) {
    if (!member.value.is_array() && !member.value.is_object()) continue;
    const Field* known = schema.find(member.name());
    const Schema* part = known ? known->schema : schema.additional;
    if (part)
      visit(*part, member.value, known ? path.child(member.name()) : path.key(member.name()));
  }
}

}  // namespace

std::vector<Cause> validate_embedded(const Schema& schema, const Value& value) {
  Walk walk;
  walk.visit(schema, value, ValuePath());
  return walk.take_causes();
}

}  // namespace berth::apiserver
