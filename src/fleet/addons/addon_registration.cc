#include "fleet/addons/addon_registration.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/kinds/fields.h"
#include "fleet/addons/config.h"
#include "fleet/addons/rendering.h"

namespace berth::fleet {
namespace {

using json::Value;

Value texts(const std::vector<std::string>& all) {
  Value list = Value::array();
  for (const std::string& text : all) list.push_back(text);
  return list;
}

pki::Subject read_subject_json(const Value& subject) {
  return {.common_name = api::text_field(subject, "user"),
          .organizations = api::texts_field(subject, "groups"),
          .organizational_units = api::texts_field(subject, "organizationUnit")};
}

// The subject that a custom signer is asked to sign, if the template names one.
std::optional<pki::Subject> custom_subject(const Value& add_on_template, std::string_view signer) {
  const Value& spec = api::field(add_on_template, "spec");
  for (const Value& registration : api::elements_field(spec, "registration")) {
    const Value& custom = api::field(registration, "customSigner");
    if (api::text_field(custom, "signerName") != signer) continue;
    const Value& subject = api::field(custom, "subject");
    if (subject.is_object()) return read_subject_json(subject);
  }
  return std::nullopt;
}

Value supported_configs() {
  Value all = Value::array();
  for (const ConfigKind* kind : {&kAddOnDeploymentConfigs, &kAddOnTemplates}) {
    all.push_back(Value::object({{"group", kind->group}, {"resource", kind->resource}}));
  }
  return all;
}

// In whatever order they are: OCM writes them in another one every time.
bool has_supported_configs(const Value& status) {
  const Value wanted = supported_configs();
  const auto known = api::elements_field(status, "supportedConfigs");
  return known.size() == wanted.size() &&
         std::ranges::all_of(wanted.elements(), [&](const Value& each) {
           return std::ranges::find(known, each) != known.end();
         });
}

}  // namespace

std::vector<AddOnRegistration> template_registrations(const Value& add_on_template,
                                                      const AddOnKey& key) {
  std::vector<AddOnRegistration> all;
  for (const std::string& signer : template_signers(add_on_template)) {
    const pki::Subject standard{.common_name = add_on_user(key),
                                .organizations = add_on_groups(key)};
    all.push_back({signer, signer == kClientSigner
                               ? standard
                               : custom_subject(add_on_template, signer).value_or(standard)});
  }
  return all;
}

std::vector<AddOnRegistration> read_registrations(const Value& status) {
  std::vector<AddOnRegistration> all;
  for (const Value& registration : api::elements_field(status, "registrations")) {
    all.push_back({api::text_field(registration, "signerName"),
                   read_subject_json(api::field(registration, "subject"))});
  }
  return all;
}

Value registrations_json(const std::vector<AddOnRegistration>& registrations) {
  Value list = Value::array();
  for (const AddOnRegistration& each : registrations) {
    Value subject = Value::object({{"user", each.subject.common_name}});
    if (!each.subject.organizations.empty()) subject["groups"] = texts(each.subject.organizations);
    if (!each.subject.organizational_units.empty()) {
      subject["organizationUnit"] = texts(each.subject.organizational_units);
    }
    list.push_back(Value::object({{"signerName", each.signer}, {"subject", std::move(subject)}}));
  }
  return list;
}

Value with_registration(Value status, const std::vector<AddOnRegistration>& registrations,
                        std::string_view agent_namespace) {
  if (!has_supported_configs(status)) status["supportedConfigs"] = supported_configs();
  std::vector<AddOnRegistration> next = registrations;
  const std::vector<AddOnRegistration> before = read_registrations(status);
  if (api::text_field(status, "kubeClientDriver") == "token") {
    for (AddOnRegistration& each : next) {
      if (each.signer != kClientSigner) continue;
      const auto known = std::ranges::find(before, each.signer, &AddOnRegistration::signer);
      each.subject = known == before.end() ? pki::Subject() : known->subject;
    }
  }
  if (next.empty()) {
    status.erase("registrations");
  } else if (next != before) {
    status["registrations"] = registrations_json(next);
  }
  status["namespace"] = agent_namespace;
  return status;
}

}  // namespace berth::fleet
