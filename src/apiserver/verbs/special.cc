#include "apiserver/verbs/special.h"

#include <utility>

#include <fmt/format.h>

#include "apiserver/auth/reviews.h"
#include "apiserver/auth/snapshot_objects.h"
#include "apiserver/auth/token_issuer.h"
#include "apiserver/requests/negotiation.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/pod_calls.h"
#include "apiserver/verbs/write.h"

namespace berth::apiserver {
namespace {

api::Gvk kind_of(const Resource& resource) {
  return {.group = resource.gvr.group, .version = resource.gvr.version, .kind = resource.kind};
}

bool is_review_group(std::string_view group) {
  return group == "authorization.k8s.io" || group == "authentication.k8s.io";
}

Attempt<json::Value> review(const Call& call, const json::Value& question) {
  const Rbac& rbac = *call.view.rbac;
  const User& user = call.request.user;
  const std::string& kind = call.resource->kind;
  if (kind == "SubjectAccessReview") return review_subject_access(rbac, question);
  if (kind == "LocalSubjectAccessReview") return review_local_access(rbac, question, call.ns());
  if (kind == "SelfSubjectAccessReview") return review_own_access(rbac, question, user);
  if (kind == "SelfSubjectRulesReview") return review_own_rules(rbac, question, user);
  if (kind == "SelfSubjectReview") return review_self(question, user, call.view.now);
  return review_token(call.view.facts->authenticator, question, SnapshotObjects(call.view.snapshot),
                      call.view.now);
}

// The token itself is answered and kept nowhere.
Attempt<Outcome> create_token(const Call& call) {
  ASSIGN_OR_RETURN(ReadBody body, read_object_body(call, {.group = "authentication.k8s.io",
                                                          .version = "v1",
                                                          .kind = "TokenRequest"}));
  body.value["kind"] = "TokenRequest";
  body.value["apiVersion"] = "authentication.k8s.io/v1";
  ASSIGN_OR_RETURN(const json::Value answer,
                   issue_token(call.view.facts->token_issuer,
                               {.account = {.ns = std::string(call.ns()), .name = call.name()},
                                .request = body.value,
                                .id = call.view.new_uid(),
                                .now = call.view.now},
                               SnapshotObjects(call.view.snapshot)));
  return json_response(201, answer);
}

}  // namespace

bool is_special(const Resource& resource) {
  return is_review_group(resource.gvr.group) || resource.gvr.resource == "bindings";
}

Attempt<Outcome> special_resource(const Call& call) {
  if (call.resource->gvr.resource == "bindings") return bind_pod(call);
  RETURN_IF_ERROR(negotiate(call.request.headers.find("accept"), {}));
  ASSIGN_OR_RETURN(ReadBody body, read_object_body(call, kind_of(*call.resource)));
  body.value["kind"] = call.resource->kind;
  body.value["apiVersion"] = call.resource->api_version();
  ASSIGN_OR_RETURN(const json::Value answer, review(call, body.value));
  return json_response(201, answer);
}

Attempt<Outcome> special_subresource(const Call& call) {
  const std::string& subresource = call.info().subresource;
  const std::string& verb = call.info().verb;
  if (subresource == "token") return create_token(call);
  if (subresource == "binding") return bind_pod(call);
  if (subresource == "eviction") return evict_pod(call);
  // Approvals, and the finalizers of namespaces: updates that their strategies know.
  if (verb == "update") return update_object(call);
  if (verb == "patch") return patch_object(call);
  return refuse(Code::MethodNotAllowed, fmt::format("the server does not allow {} on {}/{}", verb,
                                                    call.resource->gvr.resource, subresource));
}

}  // namespace berth::apiserver
