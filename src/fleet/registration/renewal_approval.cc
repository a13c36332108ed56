#include "fleet/registration/renewal_approval.h"

#include <algorithm>
#include <set>
#include <string>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using json::Value;

Result<pki::Subject> subject_of(const Value& request) {
  const std::string encoded = api::text_field(api::field(request, "spec"), "request");
  const auto pem = decode_base64(encoded);
  if (!pem.ok()) return failure(Code::Invalid, "spec.request is no base64");
  ASSIGN_OR_RETURN(const pki::Request parsed, pki::Request::from_pem(*pem));
  return parsed.subject;
}

}  // namespace

bool is_undecided(const Value& request) {
  const auto conditions = api::elements_field(api::field(request, "status"), "conditions");
  return std::ranges::none_of(conditions, [](const Value& condition) {
    const std::string_view type = api::field(condition, "type").string_or_empty();
    return type == "Approved" || type == "Denied" || type == "Failed";
  });
}

Result<AgentName> requested_agent(const Value& request) {
  const api::ObjectFacts facts = api::read_facts(request);
  const std::string cluster(facts.label(kClusterNameLabel));
  if (cluster.empty()) return failure(Code::Invalid, "it has no label with a cluster's name");
  if (api::text_field(api::field(request, "spec"), "signerName") != kClientSigner) {
    return failure(Code::Invalid, "it is for another signer");
  }
  ASSIGN_OR_RETURN(const pki::Subject subject, subject_of(request));
  std::set<std::string> groups(subject.organizations.begin(), subject.organizations.end());
  groups.erase(std::string(kManagedClustersGroup));
  if (groups != std::set<std::string>{group_of(cluster)}) {
    return failure(Code::Invalid,
                   fmt::format("it asks for other groups than that of {}", quote(cluster)));
  }
  const std::optional<AgentName> agent = agent_of(subject.common_name);
  if (!agent || agent->cluster != cluster) {
    return failure(Code::Invalid, fmt::format("it asks for the user {}, which is no agent of {}",
                                              quote(subject.common_name), quote(cluster)));
  }
  return *agent;
}

bool is_renewal(const Value& request) {
  const auto agent = requested_agent(request);
  return agent.ok() && api::text_field(api::field(request, "spec"), "username") == user_of(*agent);
}

Value renewal_review(const Value& request) {
  const Value& spec = api::field(request, "spec");
  Value asked = Value::object(
      {{"user", api::field(spec, "username")},
       {"resourceAttributes", Value::object({{"group", "register.open-cluster-management.io"},
                                             {"resource", "managedclusters"},
                                             {"subresource", "clientcertificates"},
                                             {"verb", "renew"}})}});
  for (const std::string_view name : {"uid", "groups", "extra"}) {
    if (const Value* part = spec.find(name)) asked[name] = *part;
  }
  return Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                        {"kind", "SubjectAccessReview"},
                        {"spec", std::move(asked)}});
}

bool is_allowed(const Value& review) {
  return api::field(api::field(review, "status"), "allowed").as_bool().value_or(false);
}

Value approved(Value request, std::string_view reason, std::string_view message, Time now) {
  request["status"]["conditions"].push_back(
      Value::object({{"type", "Approved"},
                     {"status", "True"},
                     {"reason", reason},
                     {"message", message},
                     {"lastUpdateTime", format_seconds(now)}}));
  return request;
}

}  // namespace berth::fleet
