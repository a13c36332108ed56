#include "fleet/addons/addon_approval.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "pki/request.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::string_view kAuthenticated = "system:authenticated";

bool is_decided(const Value& request) {
  const Value& conditions = api::field(api::field(request, "status"), "conditions");
  return api::find_condition(conditions, "Approved") || api::find_condition(conditions, "Denied");
}

std::set<std::string> sorted(const std::vector<std::string>& all) {
  std::set<std::string> set(all.begin(), all.end());
  // Everybody is in that one, whether a certificate says so or not.
  set.erase(std::string(kAuthenticated));
  return set;
}

Result<pki::Subject> subject_of(const Value& spec) {
  ASSIGN_OR_RETURN(const std::string pem, decode_base64(api::text_field(spec, "request")));
  ASSIGN_OR_RETURN(pki::Request request, pki::Request::from_pem(pem));
  return std::move(request.subject);
}

}  // namespace

std::optional<AddOnKey> add_on_of_request(const Value& request) {
  const api::ObjectFacts facts = api::read_facts(request);
  AddOnKey key{.cluster = std::string(facts.label(kClusterNameLabel)),
               .name = std::string(facts.label(kAddonNameLabel))};
  if (!facts.name.starts_with("addon") || key.cluster.empty() || key.name.empty()) {
    return std::nullopt;
  }
  if (is_decided(request)) return std::nullopt;
  return key;
}

Status check_add_on_request(const Value& request, const AddOnKey& key,
                            const std::vector<AddOnRegistration>& registrations) {
  const Value& spec = api::field(request, "spec");
  const std::string signer = api::text_field(spec, "signerName");
  const auto registration = std::ranges::find(registrations, signer, &AddOnRegistration::signer);
  if (registration == registrations.end()) {
    return failure(Code::Forbidden, fmt::format("{} does not register with {}", key.name, signer));
  }
  ASSIGN_OR_RETURN(const pki::Subject subject, subject_of(spec));
  if (subject.common_name != registration->subject.common_name) {
    return failure(Code::Forbidden,
                   fmt::format("the subject is {} instead of {}", subject.common_name,
                               registration->subject.common_name));
  }
  if (sorted(subject.organizations) != sorted(registration->subject.organizations)) {
    return failure(Code::Forbidden, "the groups are not the ones that were agreed upon");
  }
  const std::string user = api::text_field(spec, "username");
  const std::optional<AgentName> agent = agent_of(user);
  if (!agent || agent->cluster != key.cluster) {
    return failure(Code::Forbidden,
                   fmt::format("{} is not the agent of cluster {}", user, key.cluster));
  }
  return {};
}

Value with_approval(Value request, Time now) {
  Value& conditions = request["status"]["conditions"];
  if (!conditions.is_array()) conditions = Value::array();
  conditions.push_back(Value::object({{"type", "Approved"},
                                      {"status", "True"},
                                      {"reason", "AutoApprovedByHubCSRApprovingController"},
                                      {"message", "Auto approving addon agent certificate."},
                                      {"lastUpdateTime", format_seconds(now)},
                                      {"lastTransitionTime", format_seconds(now)}}));
  return request;
}

}  // namespace berth::fleet
