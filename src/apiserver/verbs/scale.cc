#include "apiserver/verbs/scale.h"

#include <utility>

#include <fmt/format.h>

#include "api/label_selector.h"
#include "api/metadata.h"
#include "apiserver/objects/dotted_path.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/requests/negotiation.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/tables/row_printer.h"
#include "apiserver/tables/table.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/writing.h"
#include "base/strings.h"
#include "json/json_patch.h"
#include "json/merge_patch.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

// Definitions begin their paths with a dot.
std::string_view without_dot(std::string_view path) { return path.substr(1); }

// Built-in workloads all have their numbers at the same places.
ScalePaths paths_of(const Resource& resource) {
  if (resource.custom && resource.custom->scale) return *resource.custom->scale;
  return {.replicas = ".spec.replicas", .status_replicas = ".status.replicas"};
}

std::string selector_of(const Resource& resource, const json::Value& object,
                        const ScalePaths& paths) {
  if (resource.custom) {
    const json::Value* text =
        paths.selector.empty() ? nullptr : find_dotted(object, without_dot(paths.selector));
    return text ? std::string(text->string_or_empty()) : std::string();
  }
  const json::Value* selector = object.find_path({"spec", "selector"});
  if (!selector) return {};
  const auto read = api::LabelSelector::from_json(*selector);
  return read.ok() ? read->to_string() : std::string();
}

std::int64_t number_at(const json::Value& object, std::string_view path) {
  const json::Value* number = find_dotted(object, without_dot(path));
  return number ? number->as_int().value_or(0) : 0;
}

Attempt<json::Value> scale_of(const Resource& resource, const json::Value& object) {
  const ScalePaths paths = paths_of(resource);
  if (resource.custom && !find_dotted(object, without_dot(paths.replicas))) {
    return refuse(Code::InternalError,
                  fmt::format("Internal error occurred: the spec replicas field \"{}\" does not "
                              "exist",
                              paths.replicas));
  }
  const api::Metadata about(object);
  json::Value metadata = json::Value::object({{"name", about.name()}});
  if (!about.namespace_name().empty()) metadata["namespace"] = about.namespace_name();
  metadata["uid"] = about.uid();
  metadata["resourceVersion"] = about.resource_version();
  if (const json::Value* time = object.find_path({"metadata", "creationTimestamp"})) {
    metadata["creationTimestamp"] = *time;
  }
  json::Value scale = json::Value::object({{"kind", "Scale"}, {"apiVersion", "autoscaling/v1"}});
  scale["metadata"] = std::move(metadata);
  scale["spec"] = json::Value::object();
  if (const std::int64_t replicas = number_at(object, paths.replicas); replicas != 0) {
    scale["spec"]["replicas"] = replicas;
  }
  scale["status"] = json::Value::object({{"replicas", number_at(object, paths.status_replicas)}});
  const std::string selector = selector_of(resource, object, paths);
  if (!selector.empty()) scale["status"]["selector"] = selector;
  return scale;
}

Attempt<Current> current_of(const Call& call) {
  const store::EntryPtr entry = call.find();
  if (!entry) return refuse(no_such_object(*call.resource, call.name()));
  ASSIGN_OR_RETURN(Current current, read_current(entry));
  current.object = from_stored(*call.resource, std::move(current.object));
  return current;
}

Response scale_response(const Attempt<json::Value>& scale) {
  return scale.has_value() ? json_response(200, *scale) : refusal_response(scale.error());
}

// The whole object with another number of replicas is written as an update of it would be; the
// answer is a Scale again.
Attempt<Outcome> write_scale(const Call& call, const Current& current, const json::Value& scale,
                             const WriteOptions& options) {
  const json::Value* wanted = scale.find_path({"spec", "replicas"});
  const std::int64_t replicas = wanted ? wanted->as_int().value_or(-1) : 0;
  if (replicas < 0) {
    return refuse(invalid("autoscaling", "Scale", call.name(),
                          {invalid("spec.replicas", wanted ? *wanted : json::Value(),
                                   "must be greater than or equal to 0")}));
  }
  const std::string_view uid = api::Metadata(scale).uid();
  if (const api::Metadata actual(current.object); !uid.empty() && uid != actual.uid()) {
    return refuse(conflicting(*call.resource, call.name(),
                              fmt::format("Precondition failed: UID in precondition: {}, UID in "
                                          "object meta: {}",
                                          uid, actual.uid())));
  }
  Proposal proposal{.object = current.object};
  set_dotted(proposal.object, without_dot(paths_of(*call.resource).replicas), replicas);
  const std::string version(api::Metadata(scale).resource_version());
  if (!version.empty()) proposal.object["metadata"]["resourceVersion"] = version;
  const Rendering plain(call.resource, AnswerForm::Json, IncludeObject::Object, call.view.now);
  ASSIGN_OR_RETURN(Outcome outcome, update_to(call, options, current, proposal, plain));
  if (auto* intent = std::get_if<WriteIntent>(&outcome.what)) {
    intent->then = [resource = call.resource](const View&,
                                              std::span<const store::Written> written) -> Outcome {
      const auto object = json::parse(written.front().entry->text);
      return scale_response(scale_of(*resource, object.value_or(json::Value())));
    };
    return outcome;
  }
  return scale_response(scale_of(*call.resource, proposal.object));
}

}  // namespace

Attempt<Outcome> get_scale(const Call& call) {
  ASSIGN_OR_RETURN(const Current current, current_of(call));
  ASSIGN_OR_RETURN(const json::Value scale, scale_of(*call.resource, current.object));
  ASSIGN_OR_RETURN(const AnswerForm form,
                   negotiate(call.request.headers.find("accept"), {.table = true}));
  if (form == AnswerForm::Json) return json_response(200, scale);
  return json_response(
      200, print_table(RowPrinter::builtin("autoscaling", "Scale"), scale, {.now = call.view.now}));
}

Attempt<Outcome> update_scale(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "UpdateOptions"));
  ASSIGN_OR_RETURN(const Current current, current_of(call));
  ASSIGN_OR_RETURN(
      ReadBody body,
      read_object_body(call, {.group = "autoscaling", .version = "v1", .kind = "Scale"}));
  RETURN_IF_ERROR(check_place(call, body.value));
  return write_scale(call, current, body.value, options);
}

Attempt<Outcome> patch_scale(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "PatchOptions"));
  ASSIGN_OR_RETURN(const PatchForm form, patch_form(call.request.headers.find("content-type"),
                                                    StrategicPatches::Allowed));
  ASSIGN_OR_RETURN(const Current current, current_of(call));
  ASSIGN_OR_RETURN(const json::Value scale, scale_of(*call.resource, current.object));
  ASSIGN_OR_RETURN(const json::Value patch, json::parse(call.request.body, {.depth_max = 100}));
  if (form == PatchForm::Json) {
    ASSIGN_OR_RETURN(const json::Value patched, json::apply_json_patch(scale, patch));
    return write_scale(call, current, patched, options);
  }
  // A Scale has no lists: the other patches all mean the same here.
  return write_scale(call, current, json::apply_merge_patch(scale, patch), options);
}

}  // namespace berth::apiserver
