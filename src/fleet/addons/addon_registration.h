// How the agent of an add-on becomes known to the hub: the identities it may ask for, and where it
// finds its credentials.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "fleet/addons/names.h"
#include "json/value.h"
#include "pki/subject.h"

namespace berth::fleet {

// One identity: who signs it, and for whom.
struct AddOnRegistration {
  std::string signer;
  pki::Subject subject = {};

  bool operator==(const AddOnRegistration&) const = default;
};

// What the template asks for, each signer once.
std::vector<AddOnRegistration> template_registrations(const json::Value& add_on_template,
                                                      const AddOnKey& key);

// As statuses carry them.
std::vector<AddOnRegistration> read_registrations(const json::Value& status);
json::Value registrations_json(const std::vector<AddOnRegistration>& registrations);

// The status with the configurations that the add-on understands, its identities and its namespace.
// With the driver "token" the agent itself keeps the subject of its kubeconfig.
json::Value with_registration(json::Value status,
                              const std::vector<AddOnRegistration>& registrations,
                              std::string_view agent_namespace);

}  // namespace berth::fleet
