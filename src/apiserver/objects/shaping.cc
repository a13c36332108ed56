#include "apiserver/objects/shaping.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/defaults/defaults.h"
#include "apiserver/schema/defaulting.h"
#include "apiserver/schema/prune.h"
#include "apiserver/schema/validate.h"

namespace berth::apiserver {
namespace {

// Go's decoder cannot read a number where it expects a text; neither can we.
Attempt<void> check_forms(const Resource& resource, const json::Value& object) {
  if (resource.custom) return {};
  const std::vector<Cause> causes = validate_values(*resource.schema, object);
  for (const Cause& cause : causes) {
    if (cause.reason != "FieldValueTypeInvalid") continue;
    return refuse(
        Code::BadRequest,
        fmt::format("{} in version \"{}\" cannot be handled as a {}: {}: {}", resource.kind,
                    resource.gvr.version, resource.kind, cause.field, cause.message));
  }
  return {};
}

}  // namespace

Attempt<Proposal> shape(const Resource& resource, json::Value object,
                        const std::vector<std::string>& duplicate_fields,
                        FieldValidation validation) {
  // What cannot be read at all is told first.
  RETURN_IF_ERROR(check_forms(resource, object));
  Pruned pruned = prune(*resource.schema, std::move(object));
  const bool has_complaints = !pruned.unknown_fields.empty() || !duplicate_fields.empty();
  if (has_complaints && validation == FieldValidation::Strict) {
    return refuse(Code::BadRequest,
                  fmt::format("{} in version \"{}\" cannot be handled as a {}: {}", resource.kind,
                              resource.gvr.version, resource.kind,
                              strict_decoding_error(pruned.unknown_fields, duplicate_fields)));
  }
  Proposal proposal{.object = std::move(pruned.value)};
  if (validation != FieldValidation::Warn) return proposal;
  for (const std::string& field : duplicate_fields) {
    proposal.warnings.push_back(fmt::format("duplicate field \"{}\"", field));
  }
  for (const std::string& field : pruned.unknown_fields) {
    proposal.warnings.push_back(fmt::format("unknown field \"{}\"", field));
  }
  return proposal;
}

void put_defaults(const Resource& resource, json::Value& object) {
  if (resource.custom) {
    object = with_defaults(*resource.schema, std::move(object));
  } else {
    object = with_defaults(resource.gvr.group, resource.kind, std::move(object));
  }
}

// Lists of built-in kinds are sets and maps for those who merge them only: a node may well have two
// addresses of one type.
std::vector<Cause> check_values(const Resource& resource, const json::Value& object,
                                const ObjectValidation& validation) {
  if (!resource.custom) return validate_values(*resource.schema, object, {.old = validation.old});
  return validate_object(*resource.schema, object, validation);
}

}  // namespace berth::apiserver
