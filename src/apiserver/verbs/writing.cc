#include "apiserver/verbs/writing.h"

#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/objects/event_kinds.h"
#include "apiserver/objects/object_text.h"
#include "apiserver/schema/field_errors.h"
#include "apiserver/verbs/body.h"
#include "json/parse.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kManagerBytesMax = 128;

// Absent is fine: the path has said it.
Attempt<void> check_kind(const Resource& resource, json::Value& object) {
  const std::string_view kind = text_of(object, "kind");
  const std::string_view version = text_of(object, "apiVersion");
  const bool is_other = (!kind.empty() && kind != resource.kind) ||
                        (!version.empty() && version != resource.api_version());
  if (is_other) {
    return refuse(Code::BadRequest,
                  fmt::format("the API version in the data ({}) does not match the expected API "
                              "version ({}), or kind {} does not match {}",
                              version, resource.api_version(), kind, resource.kind));
  }
  object["kind"] = resource.kind;
  object["apiVersion"] = resource.api_version();
  return {};
}

}  // namespace

Attempt<Current> read_current(const store::EntryPtr& entry) {
  ASSIGN_OR_RETURN(json::Value object, json::parse(entry->text));
  return Current{.entry = entry, .object = std::move(object)};
}

Attempt<void> check_place(const Call& call, json::Value& object) {
  json::Value& metadata = object["metadata"];
  if (metadata.is_null()) metadata = json::Value::object();
  if (!metadata.is_object()) {
    return refuse(Code::BadRequest, "metadata: expected an object");
  }
  const std::string_view ns = text_of(metadata, "namespace");
  if (call.resource->scope == Scope::Namespaced) {
    if (!ns.empty() && ns != call.ns()) {
      return refuse(Code::BadRequest,
                    "the namespace of the provided object does not match the namespace sent on the "
                    "request");
    }
    metadata["namespace"] = call.ns();
  } else if (!ns.empty() && call.resource->table != "namespaces") {
    return refuse(Code::BadRequest,
                  "the namespace of the provided object does not match the namespace sent on the "
                  "request");
  }
  const std::string_view name = text_of(metadata, "name");
  const bool is_create = call.info().verb == "create" && call.info().subresource.empty();
  if (is_create) return {};
  if (name.empty() && call.info().verb == "update") {
    return refuse(Code::BadRequest,
                  fmt::format("the name of the object ({} based on URL) was undeterminable: name "
                              "must be provided",
                              call.name()));
  }
  if (!name.empty() && name != call.name()) {
    return refuse(Code::BadRequest,
                  fmt::format("the name of the object ({}) does not match the name on the URL ({})",
                              name, call.name()));
  }
  metadata["name"] = call.name();
  return {};
}

Attempt<Proposal> read_proposal(const Call& call, const WriteOptions& options) {
  ASSIGN_OR_RETURN(ReadBody body, read_object_body(call, {.group = call.resource->gvr.group,
                                                          .version = call.resource->gvr.version,
                                                          .kind = call.resource->kind}));
  RETURN_IF_ERROR(check_kind(*call.resource, body.value));
  RETURN_IF_ERROR(check_place(call, body.value));
  return shape(*call.resource, std::move(body.value), body.duplicate_fields, options.validation);
}

std::string manager_of(const ApiRequest& request, const WriteOptions& options) {
  if (!options.manager.empty()) return options.manager;
  const std::string_view agent = request.headers.find("user-agent").value_or("unknown");
  return std::string(agent.substr(0, std::min(agent.find('/'), kManagerBytesMax)));
}

Response written_response(int status, const Rendering& rendering, const store::Written& written,
                          const std::vector<std::string>& warnings) {
  Response response = object_response(status, rendering, written.entry);
  for (const std::string& warning : warnings) add_warning(response, warning);
  return response;
}

Response trial_response(int status, const Rendering& rendering, const json::Value& object,
                        const std::vector<std::string>& warnings) {
  const api::Metadata metadata(object);
  const store::Draft draft = draft_of(object);
  auto entry = std::make_shared<store::Entry>();
  // A new object has no version yet; a changed one keeps the one it had.
  entry->text = draft.text;
  entry->text.insert(draft.version_at, metadata.resource_version());
  return written_response(status, rendering, {.entry = std::move(entry)}, warnings);
}

}  // namespace berth::apiserver
