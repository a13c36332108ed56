#include "apiserver/auth/account_token.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/metadata.h"
#include "apiserver/auth/policy_rule.h"
#include "base/strings.h"
#include "json/text_of.h"
#include "pki/jwt.h"

namespace berth::apiserver {
namespace {

constexpr Duration kLeeway = std::chrono::minutes(1);
constexpr std::string_view kPrivateClaims = "kubernetes.io";

Error unauthorized(std::string message) {
  return {.code = Code::Unauthorized, .message = std::move(message)};
}

json::Value to_json(const BoundObject& object) {
  json::Value value = json::Value::object({{"name", object.name}});
  if (!object.uid.empty()) value.append_member("uid", object.uid);
  return value;
}

std::optional<BoundObject> bound(const json::Value* claims, std::string_view kind) {
  const json::Value* object = claims->find(kind);
  if (object == nullptr || !object->is_object()) return std::nullopt;
  return BoundObject{.name = std::string(text_of(object, "name")),
                     .uid = std::string(text_of(object, "uid"))};
}

// Seconds since 1970, whole or not.
Result<Time> time_claim(const json::Value& claims, std::string_view name) {
  const json::Value* claim = claims.find(name);
  const auto seconds = claim == nullptr ? std::nullopt : claim->as_double();
  if (!seconds || !(*seconds >= 0 && *seconds < 1e12)) {
    return failure(unauthorized(fmt::format("the token's claim {} is no time", quote(name))));
  }
  return Time::from_unix(static_cast<std::int64_t>(*seconds));
}

// One text or a list of them.
std::vector<std::string> audience_claim(const json::Value& claims) {
  const json::Value* claim = claims.find("aud");
  if (claim == nullptr) return {};
  if (claim->is_string()) return {std::string(claim->string_or_empty())};
  std::vector<std::string> audiences;
  for (const json::Value& one : claim->elements()) audiences.emplace_back(one.string_or_empty());
  return audiences;
}

struct Expected {
  TokenObject kind;
  std::string_view word;  // "pod"
  std::string ns;
  const BoundObject& object;
};

Status check_object(const Expected& expected, const TokenObjects& objects, Time now) {
  const auto found = objects.find(expected.kind, expected.ns, expected.object.name);
  if (!found) {
    return failure(
        unauthorized(expected.kind == TokenObject::ServiceAccount
                         ? fmt::format("serviceaccounts {} not found", quote(expected.object.name))
                         : "service account token has been invalidated"));
  }
  const api::Metadata metadata(*found);
  if (metadata.uid() != expected.object.uid) {
    return failure(unauthorized(fmt::format("{} UID ({}) does not match claim ({})", expected.word,
                                            metadata.uid(), expected.object.uid)));
  }
  const auto deleted = metadata.deletion_time();
  if (deleted && *deleted < now - kLeeway) {
    return failure(unauthorized("service account token has been invalidated"));
  }
  return {};
}

}  // namespace

json::Value AccountToken::to_claims(std::string_view issuer) const {
  json::Value audience = json::Value::array();
  for (const std::string& one : audiences) audience.push_back(one);
  json::Value about = json::Value::object({{"namespace", account.ns}});
  if (node) about.append_member("node", to_json(*node));
  if (pod) about.append_member("pod", to_json(*pod));
  if (secret) about.append_member("secret", to_json(*secret));
  about.append_member("serviceaccount", to_json({.name = account.name, .uid = account_uid}));
  return json::Value::object({{"aud", std::move(audience)},
                              {"exp", expires_at.unix_seconds()},
                              {"iat", issued_at.unix_seconds()},
                              {"iss", issuer},
                              {"jti", id},
                              {kPrivateClaims, std::move(about)},
                              {"nbf", not_before.unix_seconds()},
                              {"sub", account.username()}});
}

Result<AccountToken> AccountToken::from_claims(const json::Value& claims) {
  const json::Value* about = claims.find(kPrivateClaims);
  if (about == nullptr || !about->is_object()) {
    return failure(unauthorized("the token is about no service account"));
  }
  const auto account = bound(about, "serviceaccount");
  AccountToken token{.id = std::string(text_of(&claims, "jti")),
                     .account = {.ns = std::string(text_of(about, "namespace")),
                                 .name = account ? account->name : ""},
                     .account_uid = account ? account->uid : "",
                     .audiences = audience_claim(claims),
                     .pod = bound(about, "pod"),
                     .node = bound(about, "node"),
                     .secret = bound(about, "secret")};
  if (token.account.username() != text_of(&claims, "sub") || token.account_uid.empty()) {
    return failure(unauthorized("the token's subject is not its service account"));
  }
  ASSIGN_OR_RETURN(token.issued_at, time_claim(claims, "iat"));
  ASSIGN_OR_RETURN(token.not_before, time_claim(claims, "nbf"));
  ASSIGN_OR_RETURN(token.expires_at, time_claim(claims, "exp"));
  return token;
}

Result<AccountToken> verify_account_token(std::string_view token, const AccountTokenTrust& trust) {
  ASSIGN_OR_RETURN(const json::Value claims, pki::verify_jwt(token, trust.keys));
  if (text_of(&claims, "iss") != trust.issuer) {
    return failure(unauthorized("the token was issued by somebody else"));
  }
  return AccountToken::from_claims(claims);
}

Status check_times(const AccountToken& token, Time now) {
  if (token.expires_at < now - kLeeway) {
    return failure(unauthorized("service account token has expired"));
  }
  if (now + kLeeway < token.not_before) {
    return failure(unauthorized("service account token is not valid yet"));
  }
  if (now + kLeeway < token.issued_at) {
    return failure(unauthorized("service account token is issued in the future"));
  }
  return {};
}

Result<std::vector<std::string>> shared_audiences(const AccountToken& token,
                                                  const std::vector<std::string>& wanted) {
  std::vector<std::string> shared;
  for (const std::string& audience : wanted) {
    const auto at = std::ranges::find(token.audiences, audience);
    if (at != token.audiences.end()) shared.push_back(audience);
  }
  if (shared.empty()) {
    return failure(
        unauthorized(fmt::format("token audiences {} is invalid for the target audiences {}",
                                 quoted_list(token.audiences), quoted_list(wanted))));
  }
  return shared;
}

Status check_objects(const AccountToken& token, const TokenObjects& objects, Time now) {
  const BoundObject account{.name = token.account.name, .uid = token.account_uid};
  RETURN_IF_ERROR(check_object(
      {TokenObject::ServiceAccount, "service account", token.account.ns, account}, objects, now));
  if (token.secret) {
    RETURN_IF_ERROR(check_object({TokenObject::Secret, "secret", token.account.ns, *token.secret},
                                 objects, now));
  }
  if (token.pod) {
    RETURN_IF_ERROR(
        check_object({TokenObject::Pod, "pod", token.account.ns, *token.pod}, objects, now));
  } else if (token.node) {  // Of a pod's token the node is only told, not looked for.
    RETURN_IF_ERROR(check_object({TokenObject::Node, "node", "", *token.node}, objects, now));
  }
  return {};
}

User user_of(const AccountToken& token) {
  User user{
      .name = token.account.username(), .uid = token.account_uid, .groups = token.account.groups()};
  const auto add = [&](std::string_view key, const std::string& value) {
    if (!value.empty()) {
      user.extra.try_emplace(fmt::format("authentication.kubernetes.io/{}", key),
                             std::vector{value});
    }
  };
  if (!token.id.empty()) add("credential-id", "JTI=" + token.id);
  if (token.pod) {
    add("pod-name", token.pod->name);
    add("pod-uid", token.pod->uid);
  }
  if (token.node) {
    add("node-name", token.node->name);
    add("node-uid", token.node->uid);
  }
  return user;
}

}  // namespace berth::apiserver
