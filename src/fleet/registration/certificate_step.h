// How an agent comes to its certificate, step by step:
//
//   no good certificate,        a key                  the hub has the           it is issued
//   or it is time to renew ---> is made ---> asked ---> request: wait ---------> take it, rest
//                                 ^                        | gone from the hub
//                                 +----- cannot be used ---+---> ask again with the same key
//
// The key outlives a restart, so at most one request of an agent is open at a time.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "fleet/registration/hub_identity.h"
#include "fleet/registration/names.h"
#include "json/value.h"
#include "pki/key.h"

namespace berth::fleet {

// With so many requests of its own on the hub, an agent makes no further one.
inline constexpr std::size_t kRequestsMax = 10;

// The object to be created on the hub. `life`: what the agent wishes; zero leaves it to the hub.
Result<json::Value> certificate_request(const AgentName& name, const pki::PrivateKey& key,
                                        Duration life);

struct CertificateSituation {
  AgentName name;
  Time now;
  const HubIdentity* identity = nullptr;          // Null: none that is good.
  const pki::PrivateKey* pending = nullptr;       // Null: none was made.
  std::vector<const json::Value*> requests = {};  // Of the cluster, as the hub has them.
  double renewal_share = 0.2;                     // Of its life that is left when to renew.
};

struct CertificateStep {
  enum class Kind : std::uint8_t {
    Rest,     // Until `until`.
    MakeKey,  // And store it as pending; then look again.
    Ask,      // Create the request for the pending key.
    Wait,     // For the hub.
    Take,     // Store `certificate_pem`.
    Halt,     // Too many requests are there already.
  };

  Kind kind = Kind::Rest;
  std::optional<Time> until = std::nullopt;
  std::string certificate_pem = {};
  std::string why = {};  // For a human.
};

CertificateStep next_certificate_step(const CertificateSituation& situation);

// When to renew: between a fifth and a quarter of the life before the end, by a draw in [0, 1), so
// that a fleet does not come at once.
double renewal_share(double draw);

}  // namespace berth::fleet
