// create_from: how an object comes into being.

#include <utility>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/auth/attributes.h"
#include "apiserver/objects/object_text.h"
#include "apiserver/objects/ownership.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/strategies/namespaces.h"
#include "apiserver/verbs/writing.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

constexpr int kNameTries = 8;

// A name that is free now; another request may still be faster.
void choose_name(const Call& call, json::Value& object) {
  const std::string base(api::Metadata(object).generate_name());
  if (base.empty() || !api::Metadata(object).name().empty()) return;
  const store::Table& table = call.view.snapshot->table(call.resource->table);
  std::string name;
  for (int i = 0; i < kNameTries; ++i) {
    name = generate_name(base, call.view.random);
    if (!table.find(table_name(call.ns(), name))) break;
  }
  object["metadata"]["name"] = name;
}

Refusal taken(const Call& call, const store::EntryPtr& entry, std::string_view name) {
  Refusal refusal = exists_already(*call.resource, name);
  const auto object = json::parse(entry->text);
  if (object.ok() && api::Metadata(*object).is_being_deleted()) {
    refusal.error.message = "object is being deleted: " + refusal.error.message;
  }
  return refusal;
}

// Whoever creates by another verb must be allowed to create, too.
Attempt<void> check_may_create(const Call& call) {
  if (!call.resource->has_verb("create")) {
    return refuse({Error{.code = Code::MethodNotAllowed,
                         .message = "create not allowed while custom resource definition is "
                                    "terminating"},
                   details_of(*call.resource, "")});
  }
  if (call.info().verb == "create") return {};
  Attributes attributes = attributes_of(call.info());
  attributes.verb = "create";
  const Decision decision = call.view.rbac->decide(call.request.user, attributes);
  if (decision.allowed) return {};
  return refuse(forbidden(call.request.user, attributes, decision.reason));
}

Attempt<void> prepare(const Call& call, const WriteOptions& options, const Strategy& strategy,
                      Proposal& proposal) {
  json::Value& object = proposal.object;
  const Occasion occasion{.view = call.view, .user = call.request.user, .resource = *call.resource};
  stamp_new(object, {.now = call.view.now, .uid = call.view.new_uid()});
  drop_empty_metadata(object);
  if (call.resource->find_subresource("status") && !strategy.keeps_first_status) {
    object.erase("status");
  }
  if (strategy.counts_generations) object["metadata"]["generation"] = 1;
  for (std::string& warning : drop_repeated_owners(object)) {
    proposal.warnings.push_back(std::move(warning));
  }
  if (strategy.on_create) RETURN_IF_ERROR(strategy.on_create(object, occasion));
  put_defaults(*call.resource, object);
  // What the server adds from here on is not the writer's.
  if (!options.is_applied) {
    object = with_owner(*call.resource, nullptr, std::move(object),
                        {.manager = manager_of(call.request, options), .now = call.view.now});
  }
  if (strategy.admit) RETURN_IF_ERROR(strategy.admit(object, nullptr, occasion));
  return {};
}

Attempt<void> check(const Call& call, const Strategy& strategy, const json::Value& object) {
  std::vector<Cause> causes = check_metadata(object, strategy.name_rule, call.resource->scope);
  for (Cause& cause : check_values(*call.resource, object, {})) {
    causes.push_back(std::move(cause));
  }
  if (strategy.check) {
    const Occasion occasion{
        .view = call.view, .user = call.request.user, .resource = *call.resource};
    for (Cause& cause : strategy.check(object, nullptr, occasion)) {
      causes.push_back(std::move(cause));
    }
  }
  if (causes.empty()) return {};
  return refuse(invalid_object(*call.resource, api::Metadata(object).name(), std::move(causes)));
}

}  // namespace

Attempt<Outcome> create_from(const Call& call, const WriteOptions& options, Proposal proposal,
                             const Rendering& rendering) {
  const Resource& resource = *call.resource;
  const Strategy& strategy = strategy_of(resource);
  json::Value& object = proposal.object;
  RETURN_IF_ERROR(check_may_create(call));
  if (!api::Metadata(object).resource_version().empty()) {
    return refuse(Code::BadRequest, "resourceVersion should not be set on objects to be created");
  }
  choose_name(call, object);
  const std::string name(api::Metadata(object).name());
  if (resource.scope == Scope::Namespaced) {
    RETURN_IF_ERROR(check_namespace_open(call.view, resource, call.ns(), name));
  }
  RETURN_IF_ERROR(prepare(call, options, strategy, proposal));
  RETURN_IF_ERROR(check(call, strategy, object));
  if (strategy.finish) {
    strategy.finish(object, {.view = call.view, .user = call.request.user, .resource = resource});
  }
  store::Key key = call.key_of(name);
  const store::EntryPtr existing = call.view.snapshot->table(key.table).find(key.name);
  if (existing) return refuse(taken(call, existing, name));
  if (options.is_dry_run) return trial_response(201, rendering, object, proposal.warnings);

  ASSIGN_OR_RETURN(store::Draft draft, stored_draft(resource, object));
  WriteIntent intent;
  intent.writes.push_back({.key = std::move(key), .expected = 0, .draft = std::move(draft)});
  intent.then = [rendering, warnings = std::move(proposal.warnings)](
                    const View&, std::span<const store::Written> written) -> Outcome {
    return written_response(201, rendering, written.front(), warnings);
  };
  return intent;
}

}  // namespace berth::apiserver
