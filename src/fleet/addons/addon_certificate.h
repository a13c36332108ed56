// How the agent of a cluster gets an add-on its credentials, step by step:
//
//   no good certificate,  a key is made     the hub has it:      it is issued:
//   or time to renew ---> and asked with -> wait -------------> save it, rest
//
// The key stays in memory until its certificate is there: a secret with a key alone would let the
// add-on start with nothing to show. A key that a restart loses is made anew.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "fleet/addons/addon_registration.h"
#include "fleet/addons/names.h"
#include "fleet/registration/hub_identity.h"
#include "json/value.h"
#include "pki/key.h"

namespace berth::fleet {

// With so many of its requests unanswered on the hub, no further one is made.
inline constexpr std::size_t kAddOnRequestsMax = 10;

// What one secret of an add-on is to hold.
struct AddOnCredentials {
  AddOnKey key;
  AddOnRegistration registration;
  HubSecret companions = {};  // Beside certificate and key: the kubeconfig, the cluster's name.

  std::string name() const { return add_on_secret(key.name, registration.signer); }
};

AddOnCredentials make_credentials(const AddOnKey& key, const AddOnRegistration& registration,
                                  const HubEndpoint& hub);

struct AddOnCertificateView {
  const AddOnCredentials& wanted;
  const HubSecret& secret;                        // As it is; empty: there is none.
  const pki::PrivateKey* pending = nullptr;       // Null: none was made.
  std::vector<const json::Value*> requests = {};  // Of the add-on on this cluster.
  Time now;
};

struct AddOnCertificateStep {
  enum class Kind : std::uint8_t {
    Rest,     // Until `until`.
    MakeKey,  // And look again.
    Ask,      // Create `request`.
    Wait,     // For the hub.
    Save,     // `secret`.
  };

  Kind kind = Kind::Rest;
  std::optional<Time> until = std::nullopt;
  json::Value request = {};
  HubSecret secret = {};
  std::string why = {};  // For a human.
};

Result<AddOnCertificateStep> next_add_on_certificate_step(const AddOnCertificateView& view);

}  // namespace berth::fleet
