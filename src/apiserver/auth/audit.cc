#include "apiserver/auth/audit.h"

#include <algorithm>
#include <string_view>

#include "apiserver/auth/reviews.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::size_t kUserAgentMax = 1024;

bool speaks_of_secrets(std::string_view name) {
  const std::string lower = lower_ascii(name);
  return std::ranges::any_of(
      std::initializer_list<std::string_view>{"token", "secret", "password", "code", "key"},
      [&](std::string_view word) { return lower.find(word) != std::string::npos; });
}

std::string without_secrets(std::string_view uri) {
  const std::size_t question = uri.find('?');
  if (question == std::string_view::npos) return std::string(uri);
  std::string safe(uri.substr(0, question));
  char separator = '?';
  for (const std::string_view item : split(uri.substr(question + 1), '&')) {
    const std::size_t equals = item.find('=');
    const bool hidden =
        equals != std::string_view::npos && speaks_of_secrets(item.substr(0, equals));
    safe.push_back(separator);
    safe.append(hidden ? item.substr(0, equals + 1) : item);
    if (hidden) safe.append("...");
    separator = '&';
  }
  return safe;
}

json::Value reference_of(const Attributes& a) {
  json::Value reference = json::Value::object();
  const auto add = [&](std::string_view field, const std::string& text) {
    if (!text.empty()) reference.append_member(field, text);
  };
  add("resource", a.resource);
  add("namespace", a.ns);
  add("name", a.name);
  add("apiGroup", a.group);
  add("apiVersion", a.version);
  add("subresource", a.subresource);
  return reference;
}

json::Value status_of(const AuditFacts& facts) {
  json::Value status = json::Value::object({{"metadata", json::Value::object()}});
  if (facts.status >= 400) {
    status.append_member("status", "Failure");
    if (!facts.reason.empty()) status.append_member("reason", facts.reason);
  }
  status.append_member("code", facts.status);
  return status;
}

}  // namespace

std::string audit_line(const AuditFacts& facts) {
  json::Value event = json::Value::object({{"kind", "Event"},
                                           {"apiVersion", "audit.k8s.io/v1"},
                                           {"level", "Metadata"},
                                           {"auditID", facts.id},
                                           {"stage", "ResponseComplete"},
                                           {"requestURI", without_secrets(facts.uri)},
                                           {"verb", facts.attributes.verb},
                                           {"user", user_info(facts.user)}});
  if (facts.impersonated) event.append_member("impersonatedUser", user_info(*facts.impersonated));
  if (!facts.source_address.empty()) {
    event.append_member("sourceIPs", json::Value::array({facts.source_address}));
  }
  if (!facts.user_agent.empty()) {
    event.append_member("userAgent", cut_utf8(facts.user_agent, kUserAgentMax));
  }
  if (facts.attributes.is_resource) {
    event.append_member("objectRef", reference_of(facts.attributes));
  }
  if (facts.status != 0) event.append_member("responseStatus", status_of(facts));
  event.append_member("requestReceivedTimestamp", format_micros(facts.received));
  event.append_member("stageTimestamp", format_micros(facts.finished));
  event.append_member(
      "annotations",
      json::Value::object({{"authorization.k8s.io/decision", facts.allowed ? "allow" : "forbid"},
                           {"authorization.k8s.io/reason", facts.decision_reason}}));
  return json::print(event);
}

}  // namespace berth::apiserver
