#include "apiserver/auth/token_issuer.h"

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/auth/account_token.h"
#include "apiserver/schema/field_errors.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/text_of.h"
#include "pki/jwt.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kGroup = "authentication.k8s.io";
constexpr std::string_view kKind = "TokenRequest";
constexpr std::int64_t kSecondsDefault = 3600;
constexpr std::int64_t kSecondsMin = 600;
constexpr std::int64_t kSecondsMax = std::int64_t{1} << 32;

Refusal missing(std::string_view resource, std::string_view name) {
  return {not_found(resource, name), {.name = std::string(name), .kind = std::string(resource)}};
}

Attempt<void> check_metadata(const TokenQuestion& question) {
  const api::Metadata metadata(question.request);
  const auto& [ns, name] = question.account;
  if (!metadata.name().empty() && metadata.name() != name) {
    return refuse(invalid(kGroup, kKind, name,
                          {invalid("metadata.name", metadata.name(),
                                   "must match the service account name if specified")}));
  }
  if (!metadata.namespace_name().empty() && metadata.namespace_name() != ns) {
    return refuse(invalid(kGroup, kKind, name,
                          {invalid("metadata.namespace", metadata.namespace_name(),
                                   "must match the service account namespace if specified")}));
  }
  return {};
}

Attempt<std::int64_t> read_seconds(const json::Value& request) {
  const json::Value* field = request.find_path({"spec", "expirationSeconds"});
  const std::int64_t seconds =
      field == nullptr || field->is_null() ? kSecondsDefault : field->as_int().value_or(0);
  std::string_view why;
  if (seconds < kSecondsMin) why = "may not specify a duration less than 10 minutes";
  if (seconds > kSecondsMax) why = "may not specify a duration larger than 2^32 seconds";
  if (why.empty()) return seconds;
  return refuse(invalid(kGroup, kKind, "", {invalid("spec.expirationSeconds", seconds, why)}));
}

// The node on which a pod runs: known by name even when its object is gone.
std::optional<BoundObject> node_of(const json::Value& pod, const TokenObjects& objects) {
  const std::string_view name = text_at(pod, {"spec", "nodeName"});
  if (name.empty()) return std::nullopt;
  const auto node = objects.find(TokenObject::Node, "", name);
  return BoundObject{.name = std::string(name),
                     .uid = node ? std::string(api::Metadata(*node).uid()) : ""};
}

struct Kind {
  std::string_view name;
  TokenObject object;
  std::string_view resource;
};
constexpr Kind kKinds[] = {{"Pod", TokenObject::Pod, "pods"},
                           {"Secret", TokenObject::Secret, "secrets"},
                           {"Node", TokenObject::Node, "nodes"}};

const Kind* find_kind(std::string_view api_version, std::string_view name) {
  if (api_version.find('/') != std::string_view::npos) return nullptr;  // Not of the core group.
  for (const Kind& kind : kKinds) {
    if (kind.name == name) return &kind;
  }
  return nullptr;
}

Attempt<AccountToken> bound_to(AccountToken token, const json::Value& reference,
                               const TokenObjects& objects) {
  const std::string_view kind_name = text_at(reference, {"kind"});
  const std::string_view name = text_at(reference, {"name"});
  const std::string_view uid = text_at(reference, {"uid"});
  const Kind* kind = find_kind(text_at(reference, {"apiVersion"}), kind_name);
  if (kind == nullptr) {
    return refuse(Code::BadRequest, fmt::format("cannot bind token to object of type {}, Kind={}",
                                                text_at(reference, {"apiVersion"}), kind_name));
  }
  const auto object =
      objects.find(kind->object, kind->object == TokenObject::Node ? "" : token.account.ns, name);
  if (!object) return refuse(missing(kind->resource, name));
  BoundObject bound{.name = std::string(name), .uid = std::string(api::Metadata(*object).uid())};
  if (!uid.empty() && uid != bound.uid) {
    return refuse({conflict(kind_name, name,
                            fmt::format("the UID in the bound object reference ({}) does not match "
                                        "the UID in record. The object might have been deleted and "
                                        "then recreated",
                                        uid)),
                   {.name = std::string(name), .kind = std::string(kind_name)}});
  }
  switch (kind->object) {
    case TokenObject::Pod:
      if (text_at(*object, {"spec", "serviceAccountName"}) != token.account.name) {
        return refuse(Code::BadRequest,
                      fmt::format("cannot bind token for serviceaccount {} to pod running with "
                                  "different serviceaccount name.",
                                  quote(token.account.name)));
      }
      token.node = node_of(*object, objects);
      token.pod = std::move(bound);
      break;
    case TokenObject::Secret:
      token.secret = std::move(bound);
      break;
    default:
      token.node = std::move(bound);
  }
  return token;
}

std::vector<std::string> read_audiences(const TokenIssuer& issuer, const json::Value& request) {
  const json::Value* list = request.find_path({"spec", "audiences"});
  if (list == nullptr || list->size() == 0) return issuer.audiences;
  std::vector<std::string> audiences;
  for (const json::Value& one : list->elements()) audiences.emplace_back(one.string_or_empty());
  return audiences;
}

json::Value answer(const TokenQuestion& question, const AccountToken& token, std::string text) {
  json::Value audiences = json::Value::array();
  for (const std::string& one : token.audiences) audiences.push_back(one);
  json::Value spec = json::Value::object(
      {{"audiences", std::move(audiences)},
       {"expirationSeconds", (token.expires_at - token.issued_at).count() / 1'000'000'000}});
  const json::Value* bound = question.request.find_path({"spec", "boundObjectRef"});
  spec.append_member("boundObjectRef", bound == nullptr ? json::Value() : *bound);
  return json::Value::object(
      {{"kind", kKind},
       {"apiVersion", fmt::format("{}/v1", kGroup)},
       {"metadata", json::Value::object({{"name", token.account.name},
                                         {"namespace", token.account.ns},
                                         {"uid", token.account_uid},
                                         {"creationTimestamp", format_seconds(question.now)}})},
       {"spec", std::move(spec)},
       {"status",
        json::Value::object({{"token", std::move(text)},
                             {"expirationTimestamp", format_seconds(token.expires_at)}})}});
}

}  // namespace

Attempt<json::Value> issue_token(const TokenIssuer& issuer, const TokenQuestion& question,
                                 const TokenObjects& objects) {
  RETURN_IF_ERROR(check_metadata(question));
  const auto& [ns, name] = question.account;
  const auto account = objects.find(TokenObject::ServiceAccount, ns, name);
  if (!account) return refuse(missing("serviceaccounts", name));
  const std::string uid(api::Metadata(*account).uid());
  const std::string_view wanted_uid = api::Metadata(question.request).uid();
  if (!wanted_uid.empty() && wanted_uid != uid) {
    return refuse({conflict(fmt::format("{}.{}", kKind, kGroup), name,
                            fmt::format("the UID in the token request ({}) does not match the UID "
                                        "of the service account ({})",
                                        wanted_uid, uid)),
                   {.name = name, .group = std::string(kGroup), .kind = std::string(kKind)}});
  }
  ASSIGN_OR_RETURN(const std::int64_t seconds, read_seconds(question.request));
  const Time now = question.now.truncated_to_seconds();
  AccountToken token{.id = question.id,
                     .account = question.account,
                     .account_uid = uid,
                     .audiences = read_audiences(issuer, question.request),
                     .issued_at = now,
                     .not_before = now,
                     .expires_at = now + std::chrono::seconds(seconds)};
  const json::Value* reference = question.request.find_path({"spec", "boundObjectRef"});
  if (reference != nullptr && !reference->is_null()) {
    ASSIGN_OR_RETURN(token, bound_to(std::move(token), *reference, objects));
  }
  return answer(question, token, pki::sign_jwt(issuer.key, token.to_claims(issuer.issuer)));
}

}  // namespace berth::apiserver
