#include "apiserver/auth/reviews.h"

#include <fmt/format.h>

#include "apiserver/schema/field_errors.h"
#include "base/rfc3339.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kGroup = "authorization.k8s.io";

std::string text_at(const json::Value& object, std::initializer_list<std::string_view> path) {
  const json::Value* member = object.find_path(path);
  return std::string(member == nullptr ? "" : member->string_or_empty());
}

const json::Value* object_at(const json::Value& object,
                             std::initializer_list<std::string_view> path) {
  const json::Value* member = object.find_path(path);
  return member != nullptr && member->is_object() ? member : nullptr;
}

std::vector<std::string> texts_of(const json::Value* list) {
  std::vector<std::string> texts;
  if (list == nullptr) return texts;
  for (const json::Value& one : list->elements()) texts.emplace_back(one.string_or_empty());
  return texts;
}

json::Value list_of(const std::vector<std::string>& texts) {
  json::Value list = json::Value::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

json::Value or_null(const json::Value* value) { return value == nullptr ? json::Value() : *value; }

// Exactly one of resource and path has to be asked for.
void validate_question(const json::Value& review, std::vector<Cause>& causes) {
  const json::Value* resource = object_at(review, {"spec", "resourceAttributes"});
  const json::Value* path = object_at(review, {"spec", "nonResourceAttributes"});
  if (resource != nullptr && path != nullptr) {
    causes.push_back(invalid("spec.nonResourceAttributes", *path,
                             "cannot be specified in combination with resourceAttributes"));
  } else if (resource == nullptr && path == nullptr) {
    causes.push_back(
        invalid("spec.resourceAttributes", nullptr,
                "exactly one of nonResourceAttributes or resourceAttributes must be specified"));
  }
}

void validate_subject(const json::Value& review, std::vector<Cause>& causes) {
  const json::Value* groups = review.find_path({"spec", "groups"});
  if (text_at(review, {"spec", "user"}).empty() && (groups == nullptr || groups->size() == 0)) {
    causes.push_back(invalid("spec.user", "", "at least one of user or group must be specified"));
  }
}

// Such an object has no name, labels or anything. Clients send creationTimestamp: null.
void validate_metadata(const json::Value& review, std::string_view but, std::string_view why,
                       std::vector<Cause>& causes) {
  const json::Value* metadata = object_at(review, {"metadata"});
  if (metadata == nullptr) return;
  for (const json::Member& member : metadata->members()) {
    if (member.value.is_null() || member.name() == "managedFields" || member.name() == but)
      continue;
    causes.push_back(invalid("metadata", *metadata, why));
    return;
  }
}

Attempt<void> refuse_causes(std::string_view kind, std::vector<Cause> causes) {
  if (causes.empty()) return {};
  return refuse(invalid(kGroup, kind, "", std::move(causes)));
}

User subject_of(const json::Value& review) {
  User user{.name = text_at(review, {"spec", "user"}),
            .uid = text_at(review, {"spec", "uid"}),
            .groups = texts_of(review.find_path({"spec", "groups"}))};
  if (const json::Value* extra = object_at(review, {"spec", "extra"})) {
    for (const json::Member& member : extra->members()) {
      user.extra[std::string(member.name())] = texts_of(&member.value);
    }
  }
  return user;
}

Attributes question_of(const json::Value& review) {
  if (const json::Value* path = object_at(review, {"spec", "nonResourceAttributes"})) {
    return {
        .verb = text_at(*path, {"verb"}), .is_resource = false, .path = text_at(*path, {"path"})};
  }
  const json::Value resource = or_null(object_at(review, {"spec", "resourceAttributes"}));
  return {.verb = text_at(resource, {"verb"}),
          .group = text_at(resource, {"group"}),
          .version = text_at(resource, {"version"}),
          .resource = text_at(resource, {"resource"}),
          .subresource = text_at(resource, {"subresource"}),
          .ns = text_at(resource, {"namespace"}),
          .name = text_at(resource, {"name"})};
}

json::Value with_status(const json::Value& review, json::Value status) {
  json::Value answer = review;
  if (answer.find("metadata") == nullptr) answer["metadata"] = json::Value::object();
  answer["status"] = std::move(status);
  return answer;
}

json::Value decided(const Rbac& rbac, const json::Value& review, const User& user) {
  const Decision decision = rbac.decide(user, question_of(review));
  json::Value status = json::Value::object({{"allowed", decision.allowed}});
  if (!decision.reason.empty()) status.append_member("reason", decision.reason);
  return with_status(review, std::move(status));
}

}  // namespace

json::Value user_info(const User& user) {
  json::Value info = json::Value::object();
  if (!user.name.empty()) info.append_member("username", user.name);
  if (!user.uid.empty()) info.append_member("uid", user.uid);
  if (!user.groups.empty()) info.append_member("groups", list_of(user.groups));
  if (user.extra.empty()) return info;
  json::Value extra = json::Value::object();
  for (const auto& [key, values] : user.extra) extra.append_member(key, list_of(values));
  info.append_member("extra", std::move(extra));
  return info;
}

Attempt<json::Value> review_subject_access(const Rbac& rbac, const json::Value& review) {
  std::vector<Cause> causes;
  validate_question(review, causes);
  validate_subject(review, causes);
  validate_metadata(review, "", "must be empty", causes);
  RETURN_IF_ERROR(refuse_causes("SubjectAccessReview", std::move(causes)));
  return decided(rbac, review, subject_of(review));
}

Attempt<json::Value> review_local_access(const Rbac& rbac, const json::Value& review,
                                         std::string_view ns) {
  std::vector<Cause> causes;
  validate_question(review, causes);
  validate_subject(review, causes);
  validate_metadata(review, "namespace", "must be empty except for namespace", causes);
  const json::Value* resource = object_at(review, {"spec", "resourceAttributes"});
  if (resource != nullptr && text_at(*resource, {"namespace"}) != ns) {
    causes.push_back(invalid("spec.resourceAttributes.namespace", text_at(*resource, {"namespace"}),
                             "must match metadata.namespace"));
  }
  if (const json::Value* path = object_at(review, {"spec", "nonResourceAttributes"})) {
    causes.push_back(
        invalid("spec.nonResourceAttributes", *path, "disallowed on this kind of request"));
  }
  RETURN_IF_ERROR(refuse_causes("LocalSubjectAccessReview", std::move(causes)));
  return decided(rbac, review, subject_of(review));
}

Attempt<json::Value> review_own_access(const Rbac& rbac, const json::Value& review,
                                       const User& user) {
  std::vector<Cause> causes;
  validate_question(review, causes);
  validate_metadata(review, "", "must be empty", causes);
  RETURN_IF_ERROR(refuse_causes("SelfSubjectAccessReview", std::move(causes)));
  return decided(rbac, review, user);
}

Attempt<json::Value> review_own_rules(const Rbac& rbac, const json::Value& review,
                                      const User& user) {
  const std::string ns = text_at(review, {"spec", "namespace"});
  if (ns.empty()) return refuse(Code::BadRequest, "no namespace on request");
  const HeldRules held = rbac.rules_for(user, ns);
  json::Value resources = json::Value::array();
  json::Value paths = json::Value::array();
  for (const PolicyRule& rule : held.rules) {
    if (!rule.resources.empty()) {
      PolicyRule shown = rule;
      shown.non_resource_urls.clear();
      resources.push_back(shown.to_json());
    }
    if (!rule.non_resource_urls.empty()) {
      paths.push_back(
          PolicyRule{.verbs = rule.verbs, .non_resource_urls = rule.non_resource_urls}.to_json());
    }
  }
  json::Value status = json::Value::object({{"resourceRules", std::move(resources)},
                                            {"nonResourceRules", std::move(paths)},
                                            {"incomplete", false}});
  if (std::string missing = missing_roles_text(held.missing); !missing.empty()) {
    status.append_member("evaluationError", missing.substr(std::string_view("RBAC: ").size()));
  }
  return with_status(review, std::move(status));
}

json::Value review_self(const json::Value& review, const User& user, Time now) {
  json::Value answer = with_status(review, json::Value::object({{"userInfo", user_info(user)}}));
  answer["metadata"]["creationTimestamp"] = format_seconds(now);
  return answer;
}

Attempt<json::Value> review_token(const Authenticator& authenticator, const json::Value& review,
                                  const TokenObjects& objects, Time now) {
  const std::string token = text_at(review, {"spec", "token"});
  if (token.empty()) {
    return refuse(Code::BadRequest, "token is required for TokenReview in authentication");
  }
  const auto identity = authenticator.authenticate_token(
      token, texts_of(review.find_path({"spec", "audiences"})), objects, now);
  if (!identity.ok()) {
    return with_status(review, json::Value::object({{"user", json::Value::object()},
                                                    {"error", identity.error().message}}));
  }
  return with_status(review, json::Value::object({{"authenticated", true},
                                                  {"user", user_info(identity->user)},
                                                  {"audiences", list_of(identity->audiences)}}));
}

}  // namespace berth::apiserver
