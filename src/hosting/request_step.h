// What is to be done next about one request: a state machine that looks at what there is, never at
// what happened, so that it may die after any write and go on.
//
//   Pending -> claim -> Reserved -> shell -> Delivering -> filled -> Provisioning -> Ready
//                 \------ Reassigning: only if it is proven that nothing was applied
//
// The one write that decides is status.hostingCluster: it holds for the version that was read.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"
#include "hosting/hosted_cluster_request.h"
#include "hosting/hosting_ledger.h"
#include "hosting/work.h"
#include "json/value.h"

namespace berth::hosting {

// A claim of the request in the ledger of that host.
struct HeldClaim {
  std::string host;
  Claim claim;
};

struct RequestView {
  const json::Value& object;
  const HostedClusterRequest& request;
  std::vector<HeldClaim> claims = {};           // By name of the host.
  const json::Value* work = nullptr;            // Of that name, in the namespace of request.host.
  std::vector<const json::Value*> strays = {};  // Works of the request in other namespaces.
  bool host_is_available = false;

  // Asked for by steps before this one.
  const Secrets* secrets = nullptr;  // Those that were found.
  bool is_gone = false;  // A read that was begun after the request was as it is found no work.

  std::string refusal = {};  // Why it got no host when it was last tried.

  // "namespace/name" of a request for a hosted cluster of the same infraID; empty: none. Without a
  // host: of one that comes before it. With one: of any that has a host in a picture of all
  // requests that is not older than that of this one. Of two, the one that got its host later is
  // sure to see the other, and gives its host back before anything is put there.
  std::string rival = {};
  std::function<std::string()> rival_with_host = [] { return std::string(); };
  Time now;
};

struct Step {
  enum class Kind : std::uint8_t {
    Wait,          // For somebody else: a claim, the agent, a user, time.
    WriteRequest,  // `after`: status, or finalizers.
    CreateWork,    // `after`.
    WriteWork,     // `after`, in place of `work`.
    DeleteWork,    // `work`; this version of it, or nothing happens.
    ReadSecrets,   // Those that the payload names.
    ProveGone,     // Read the work from the server.
  };

  Kind kind = Kind::Wait;
  std::optional<json::Value> after = std::nullopt;
  const json::Value* work = nullptr;
  std::optional<Time> recheck = std::nullopt;
  std::string event = {};  // The reason of an event about it, when it is done; empty: none.
  std::string note = {};
};

Step next_step(const RequestView& view);

// Whether it is to be given a host now: all is well with it, and it has none.
bool wants_host(const HostedClusterRequest& request, Time now);

}  // namespace berth::hosting
