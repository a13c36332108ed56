#include "apiserver/verbs/write.h"

#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/apply/patch_schema.h"
#include "apiserver/objects/ownership.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/requests/negotiation.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/verbs/writing.h"
#include "json/json_patch.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/yaml_read.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kDepthMax = 500;

Attempt<Current> current_of(const Call& call, const store::EntryPtr& entry) {
  ASSIGN_OR_RETURN(Current current, read_current(entry));
  current.object = from_stored(*call.resource, std::move(current.object));
  return current;
}

Attempt<json::ParsedDocument> read_patch(const std::string& text) {
  auto patch = json::parse_document(text, {.depth_max = kDepthMax});
  if (!patch.ok()) return refuse(std::move(patch).error());
  return *std::move(patch);
}

// What is wrong with the result of a patch is wrong with the patch.
Refusal bad_patch(const Call& call, const Refusal& why) {
  if (why.error.code != Code::BadRequest) return why;
  return invalid("", "", "", {invalid("patch", call.request.body, why.error.message)});
}

Attempt<json::Value> patched(const Call& call, PatchForm form, json::Value patch,
                             const json::Value& object) {
  switch (form) {
    case PatchForm::Json: {
      ASSIGN_OR_RETURN(json::Value result, json::apply_json_patch(object, patch));
      return result;
    }
    case PatchForm::Strategic: {
      PatchSchemas schemas;
      ASSIGN_OR_RETURN(json::Value result,
                       json::apply_strategic_patch(object, std::move(patch),
                                                   schemas.view_of(*call.resource->schema)));
      return result;
    }
    case PatchForm::Merge:
    case PatchForm::Apply:
      break;
  }
  if (!patch.is_object()) {
    return refuse(Code::BadRequest, "a merge patch must be an object");
  }
  return json::apply_merge_patch(object, patch);
}

// After a patch the object must still be what the path says.
Attempt<void> check_patched(const Call& call, json::Value& object) {
  if (!object.is_object()) {
    return refuse(Code::Invalid, "the patched object is no object any more");
  }
  const json::Value* kind = object.find("kind");
  const json::Value* version = object.find("apiVersion");
  const bool is_same = kind && kind->string_or_empty() == call.resource->kind && version &&
                       version->string_or_empty() == call.resource->api_version();
  if (!is_same) {
    return refuse(Code::BadRequest, "a patch cannot change the kind or the apiVersion");
  }
  return check_place(call, object);
}

Attempt<Outcome> apply_object(const Call& call, WriteOptions options) {
  if (options.manager.empty()) {
    return refuse(invalid("meta.k8s.io", "PatchOptions", "",
                          {required("fieldManager", "is required for apply patch")}));
  }
  options.is_applied = true;
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  auto configuration = json::read_one_yaml(call.request.body, {.depth_max = kDepthMax});
  if (!configuration.ok()) return refuse(std::move(configuration).error());
  if (!configuration->is_object()) {
    return refuse(Code::BadRequest, "an applied configuration must be an object");
  }
  // What was applied is kept as it was sent; the path says where the result belongs.
  json::Value placed = *configuration;
  RETURN_IF_ERROR(check_patched(call, placed));
  ASSIGN_OR_RETURN(Proposal shaped,
                   shape(*call.resource, *std::move(configuration), {}, options.validation));

  const store::EntryPtr entry = call.find();
  std::optional<Current> current;
  if (entry) {
    ASSIGN_OR_RETURN(current, current_of(call, entry));
  } else if (!call.info().subresource.empty()) {
    return refuse(no_such_object(*call.resource, call.name()));
  }
  const Writer writer{
      .manager = options.manager, .subresource = call.info().subresource, .now = call.view.now};
  ASSIGN_OR_RETURN(
      shaped.object,
      applied(*call.resource, current ? &current->object : nullptr, shaped.object, writer,
              options.force.value_or(false) ? OnConflict::Force : OnConflict::Refuse));
  RETURN_IF_ERROR(check_place(call, shaped.object));
  if (!current) return create_from(call, options, std::move(shaped), rendering);
  return update_to(call, options, *current, std::move(shaped), rendering);
}

}  // namespace

Attempt<Outcome> create_object(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "CreateOptions"));
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  ASSIGN_OR_RETURN(Proposal proposal, read_proposal(call, options));
  return create_from(call, options, std::move(proposal), rendering);
}

Attempt<Outcome> update_object(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "UpdateOptions"));
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  ASSIGN_OR_RETURN(Proposal proposal, read_proposal(call, options));
  const store::EntryPtr entry = call.find();
  if (entry) {
    ASSIGN_OR_RETURN(const Current current, current_of(call, entry));
    return update_to(call, options, current, std::move(proposal), rendering);
  }
  const bool creates =
      strategy_of(*call.resource).creates_on_update && call.info().subresource.empty();
  if (!creates) return refuse(no_such_object(*call.resource, call.name()));
  proposal.object["metadata"].erase("resourceVersion");
  return create_from(call, options, std::move(proposal), rendering);
}

Attempt<Outcome> patch_object(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "PatchOptions"));
  ASSIGN_OR_RETURN(
      const PatchForm form,
      patch_form(call.request.headers.find("content-type"),
                 call.resource->custom ? StrategicPatches::Unknown : StrategicPatches::Allowed));
  if (form == PatchForm::Apply) return apply_object(call, options);
  if (options.force) {
    return refuse(invalid("meta.k8s.io", "PatchOptions", "",
                          {forbidden("force", "may not be specified for non-apply patch")}));
  }
  ASSIGN_OR_RETURN(const Rendering rendering, call.rendering());
  const store::EntryPtr entry = call.find();
  if (!entry) return refuse(no_such_object(*call.resource, call.name()));
  ASSIGN_OR_RETURN(const Current current, current_of(call, entry));
  // The version of the object is the one it is patched at; another one in the patch is a condition.
  ASSIGN_OR_RETURN(json::ParsedDocument patch, read_patch(call.request.body));
  ASSIGN_OR_RETURN(json::Value object, patched(call, form, std::move(patch.value), current.object));
  RETURN_IF_ERROR(check_patched(call, object));
  auto proposal =
      shape(*call.resource, std::move(object), patch.duplicate_fields, options.validation);
  if (!proposal.has_value()) return refuse(bad_patch(call, proposal.error()));
  return update_to(call, options, current, *std::move(proposal), rendering);
}

}  // namespace berth::apiserver
