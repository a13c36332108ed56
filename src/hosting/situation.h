// All that the hosting controller knows: hosts, requests, claims that are being written, and what
// placements have chosen. Pure: the shell feeds it with what its caches show, and asks.

#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "hosting/decide.h"
#include "hosting/fleet.h"
#include "hosting/ledger_plan.h"
#include "hosting/request_step.h"

namespace berth::hosting {

class Situation {
 public:
  using Uids = std::set<std::string, std::less<>>;

  // --- What there is; each answers whose claims are others now ---------------------------------

  // As its ledger has it. Claims that are being written count besides.
  Uids put_host(Host host, Time now);
  Uids remove_host(std::string_view name);

  void put_request(HostedClusterRequest request);
  void remove_request(const api::ObjectKey& key);

  void put_selection(const api::ObjectKey& placement, Selection clusters);

  // --- Who gets which host ---------------------------------------------------------------------

  struct Assignment {
    std::string request_uid;
    std::string host = {};  // Empty: none; the refusal is noted.
  };

  // Requests that want a host and have no claim, in the order in which they are decided.
  std::vector<std::string> waiting(Time now) const;

  // Another request for the hosted cluster of the same infraID, that has a host, or comes first;
  // null: none. Only of a request that has no host itself.
  const HostedClusterRequest* rival_of(std::string_view request_uid, Time now) const;
  Uids sharing_infra_id(const std::string& infra_id) const;
  bool is_waiting(std::string_view request_uid, Time now) const;

  // Decides for one of them, and takes its claim for written until drop() or the ledger shows it.
  Assignment assign(const std::string& request_uid, Time now);

  // --- What a ledger should say ----------------------------------------------------------------

  // The claims that were assigned to the host and still fit beside those that its ledger is to
  // have. Those that do not are dropped; `dropped` are their requests.
  struct Additions {
    std::vector<Claim> claims = {};
    Uids dropped = {};
  };
  Additions additions(const std::string& host, const std::vector<Claim>& beside, Time now);

  // The claims have been written, or could not be: the ledger alone counts.
  Uids settle(const std::string& host, Time now);

  std::vector<std::string> assigned_to(std::string_view host) const;

  // --- What is known ---------------------------------------------------------------------------

  const HostedClusterRequest* find(std::string_view uid) const;
  const HostedClusterRequest* find(const api::ObjectKey& key) const;
  const Host* find_host(std::string_view name) const;            // As its ledger has it.
  std::vector<HeldClaim> claims_of(std::string_view uid) const;  // In ledgers.
  std::string_view refusal(std::string_view uid) const;
  const Fleet& fleet() const { return fleet_; }
  const std::map<std::string, Host, std::less<>>& hosts() const { return hosts_; }
  std::size_t requests() const { return requests_.size(); }

  // The question that a decision about the request would answer now.
  Question question(const HostedClusterRequest& request, Time now) const;

 private:
  bool wants_claim(const HostedClusterRequest& request, Time now) const;
  void forget_sharing(const HostedClusterRequest& request);
  void merge(const std::string& host, Time now);
  void place_anew(const std::string& uid);
  void forget_host(const std::string& uid, const std::string& host);

  std::map<std::string, Host, std::less<>> hosts_;                  // Without assumed claims.
  Fleet fleet_;                                                     // With them.
  std::map<std::string, std::vector<Claim>> assumed_;               // By host.
  std::map<std::string, std::string, std::less<>> assumed_on_;      // The host, by request.
  std::map<std::string, std::set<std::string>, std::less<>> held_;  // Hosts, by request.
  std::map<std::string, HostedClusterRequest, std::less<>> requests_;
  std::map<api::ObjectKey, std::string> uids_;
  std::map<std::string, std::set<std::string>, std::less<>> assigned_;  // Requests, by host.
  std::map<std::string, Uids, std::less<>> sharing_;                    // Requests, by infraID.
  std::map<api::ObjectKey, Selection> selections_;
  std::map<std::string, std::string, std::less<>> refusals_;
};

}  // namespace berth::hosting
