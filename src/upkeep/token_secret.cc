#include "upkeep/token_secret.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"

namespace berth::upkeep {
namespace {

using json::Value;

constexpr std::string_view kNameKey = "kubernetes.io/service-account.name";
constexpr std::string_view kUidKey = "kubernetes.io/service-account.uid";

std::string annotation(const Value& object, std::string_view key) {
  return api::text_field(api::field(api::field(object, "metadata"), "annotations"), key);
}

void set_text(Value& object, std::string_view name, std::string_view text) {
  if (api::text_field(object, name) != text) object[name] = text;
}

}  // namespace

bool is_token_secret(const Value& secret) {
  return api::text_field(secret, "type") == kTokenSecretType;
}

std::string account_of(const Value& secret) { return annotation(secret, kNameKey); }

bool belongs_to(const Value& secret, const Value& account) {
  const api::Metadata metadata(account);
  const std::string uid = annotation(secret, kUidKey);
  return account_of(secret) == metadata.name() && (uid.empty() || uid == metadata.uid());
}

bool lacks_token(const Value& secret) {
  return api::text_field(api::field(secret, "data"), "token").empty();
}

Value filled(Value secret, const Value& account, std::string_view ca_pem,
             const std::optional<std::string>& token) {
  const std::string ns(api::Metadata(secret).namespace_name());
  set_text(secret["metadata"]["annotations"], kUidKey, api::Metadata(account).uid());
  Value data = api::field(secret, "data");
  if (token && lacks_token(secret)) data["token"] = encode_base64(*token);
  set_text(data, "ca.crt", encode_base64(ca_pem));
  // Somebody may have chosen another one on purpose.
  if (api::text_field(data, "namespace").empty()) data["namespace"] = encode_base64(ns);
  secret["data"] = std::move(data);
  return secret;
}

}  // namespace berth::upkeep
