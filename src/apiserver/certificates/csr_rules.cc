#include "apiserver/certificates/csr_rules.h"

#include <algorithm>

#include <fmt/format.h>

#include "api/metadata.h"
#include "base/rfc3339.h"
#include "base/strings.h"
#include "json/text_of.h"

namespace berth::apiserver {
namespace {

StatusDetails details_of(const json::Value& csr) {
  return {.name = std::string(api::Metadata(csr).name()),
          .group = std::string(kCsrGroup),
          .kind = std::string(kCsrResource)};
}

Refusal refusal(const json::Value& csr, std::string_view why) {
  return {{.code = Code::Forbidden,
           .message = fmt::format("{}.{} {} is forbidden: {}", kCsrResource, kCsrGroup,
                                  quote(api::Metadata(csr).name()), why)},
          details_of(csr)};
}

Attempt<void> check_causes(const json::Value& csr, std::vector<Cause> causes) {
  if (causes.empty()) return {};
  return refuse(invalid(kCsrGroup, kCsrKind, api::Metadata(csr).name(), std::move(causes)));
}

json::Value list_of(const std::vector<std::string>& texts) {
  json::Value list = json::Value::array();
  for (const std::string& text : texts) list.push_back(text);
  return list;
}

// Whatever the client says about itself gives way to what we know.
void stamp_requester(json::Value& spec, const User& user) {
  for (const std::string_view field : {"username", "uid", "groups", "extra"}) spec.erase(field);
  spec.append_member("username", user.name);
  if (!user.uid.empty()) spec.append_member("uid", user.uid);
  if (!user.groups.empty()) spec.append_member("groups", list_of(user.groups));
  if (user.extra.empty()) return;
  json::Value extra = json::Value::object();
  for (const auto& [key, values] : user.extra) extra.append_member(key, list_of(values));
  spec.append_member("extra", std::move(extra));
}

bool may_act_for_signer(const CsrWrite& write, std::string_view verb) {
  const std::string_view signer = csr_signer(write.before);
  const auto allowed = [&](std::string name) {
    return write.authorizer(write.user, {.verb = std::string(verb),
                                         .group = std::string(kCsrGroup),
                                         .version = "*",
                                         .resource = "signers",
                                         .name = std::move(name)});
  };
  return allowed(std::string(signer)) ||
         allowed(std::string(signer.substr(0, signer.find('/'))) + "/*");
}

// A condition that keeps its status keeps the time since when it has it.
std::string transition_time(const CsrWrite& write, const json::Value& condition) {
  for (const json::Value* old : csr_conditions(write.before, text_of(condition, "type"))) {
    const std::string_view since = text_of(*old, "lastTransitionTime");
    if (text_of(*old, "status") == text_of(condition, "status") && !since.empty()) {
      return std::string(since);
    }
  }
  return format_seconds(write.now);
}

void stamp_conditions(const CsrWrite& write, json::Value& conditions) {
  for (json::Value& condition : conditions.elements()) {
    if (!condition.is_object()) continue;
    if (text_of(condition, "lastUpdateTime").empty()) {
      condition["lastUpdateTime"] = format_seconds(write.now);
    }
    if (text_of(condition, "lastTransitionTime").empty()) {
      condition["lastTransitionTime"] = transition_time(write, condition);
    }
  }
}

// Approved and Denied are not the status endpoint's: what it sends of them is replaced by what is
// there, unless it adds or removes some, which validation refuses.
void keep_approval(const CsrWrite& write, json::Value& conditions) {
  for (const std::string_view type : {"Approved", "Denied"}) {
    const auto old = csr_conditions(write.before, type);
    std::vector<json::Value*> now;
    for (json::Value& condition : conditions.elements()) {
      if (text_of(condition, "type") == type) now.push_back(&condition);
    }
    if (old.size() != now.size()) continue;
    for (std::size_t i = 0; i < now.size(); ++i) *now[i] = *old[i];
  }
}

json::Value member_or(const json::Value& object, std::string_view field, json::Value otherwise) {
  const json::Value* member = object.find(field);
  return member == nullptr || member->is_null() ? std::move(otherwise) : *member;
}

json::Value prepared(const CsrWrite& write, json::Value after) {
  const json::Value empty = json::Value::object();
  json::Value status = member_or(after, "status", empty);
  const json::Value old_status = member_or(write.before, "status", empty);
  after["spec"] = member_or(write.before, "spec", empty);
  if (write.endpoint == CsrEndpoint::Object) {
    after["status"] = old_status;
    return after;
  }
  json::Value conditions = member_or(status, "conditions", json::Value::array());
  if (write.endpoint == CsrEndpoint::Status) keep_approval(write, conditions);
  stamp_conditions(write, conditions);
  if (write.endpoint == CsrEndpoint::Approval) status = old_status;
  if (conditions.size() > 0) {
    status["conditions"] = std::move(conditions);
  } else {
    status.erase("conditions");
  }
  after["status"] = std::move(status);
  return after;
}

}  // namespace

Attempt<json::Value> new_csr(json::Value object, const User& user) {
  json::Value& spec = object["spec"];
  if (!spec.is_object()) spec = json::Value::object();
  stamp_requester(spec, user);
  object["status"] = json::Value::object();
  RETURN_IF_ERROR(check_causes(object, validate_csr(object)));
  if (csr_signer(object) == kClientSigner) {
    const auto request = read_csr_request(object);
    const auto& groups = request.value().subject.organizations;
    if (std::ranges::find(groups, kMasters) != groups.end()) {
      return refuse(refusal(
          object,
          fmt::format("use of {} signer with system:masters group is not allowed", kClientSigner)));
    }
  }
  return object;
}

Attempt<json::Value> updated_csr(const CsrWrite& write, json::Value after) {
  after = prepared(write, std::move(after));
  RETURN_IF_ERROR(check_causes(after, validate_csr_update(write.endpoint, write.before, after)));
  const std::string signer = quote(csr_signer(write.before));
  if (write.endpoint == CsrEndpoint::Approval && !may_act_for_signer(write, "approve")) {
    return refuse(refusal(
        after, fmt::format("user not permitted to approve requests with signerName {}", signer)));
  }
  const bool status_changes = member_or(write.before, "status", json::Value::object()) !=
                              member_or(after, "status", json::Value::object());
  if (write.endpoint == CsrEndpoint::Status && status_changes &&
      !may_act_for_signer(write, "sign")) {
    return refuse(refusal(
        after, fmt::format("user not permitted to sign requests with signerName {}", signer)));
  }
  return after;
}

}  // namespace berth::apiserver
