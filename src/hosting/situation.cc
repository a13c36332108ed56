#include "hosting/situation.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "hosting/filter.h"

namespace berth::hosting {
namespace {

// Whose claims differ between the two.
Situation::Uids differing(const std::vector<Claim>& before, const std::vector<Claim>& after) {
  std::map<std::string_view, const Claim*> old;
  for (const Claim& claim : before) old.emplace(claim.request_uid, &claim);
  Situation::Uids uids;
  for (const Claim& claim : after) {
    const auto known = old.find(claim.request_uid);
    if (known == old.end() || *known->second != claim) uids.insert(claim.request_uid);
    if (known != old.end()) old.erase(known);
  }
  for (const auto& [uid, claim] : old) uids.emplace(uid);
  return uids;
}

}  // namespace

Situation::Uids Situation::put_host(Host host, Time now) {
  const std::string name = host.name;
  Host& kept = hosts_[name];
  Uids touched = differing(kept.ledger.claims, host.ledger.claims);
  for (const Claim& claim : kept.ledger.claims) forget_host(claim.request_uid, name);
  kept = std::move(host);
  for (const Claim& claim : kept.ledger.claims) held_[claim.request_uid].insert(name);
  // What the ledger shows need not be assumed any more.
  if (const auto assumed = assumed_.find(name); assumed != assumed_.end()) {
    std::erase_if(assumed->second, [&](const Claim& claim) {
      if (!kept.ledger.find(claim.request_uid)) return false;
      assumed_on_.erase(claim.request_uid);
      return true;
    });
    if (assumed->second.empty()) assumed_.erase(assumed);
  }
  merge(name, now);
  for (const std::string& uid : touched) place_anew(uid);
  return touched;
}

Situation::Uids Situation::remove_host(std::string_view name) {
  const auto known = hosts_.find(name);
  if (known == hosts_.end()) return {};
  Uids touched = differing(known->second.ledger.claims, {});
  const std::string gone = known->first;
  hosts_.erase(known);
  fleet_.remove(gone);
  if (const auto assumed = assumed_.extract(gone)) {
    for (const Claim& claim : assumed.mapped()) {
      assumed_on_.erase(claim.request_uid);
      touched.insert(claim.request_uid);
    }
  }
  for (const std::string& uid : touched) {
    forget_host(uid, gone);
    place_anew(uid);
  }
  return touched;
}

void Situation::forget_host(const std::string& uid, const std::string& host) {
  const auto held = held_.find(uid);
  if (held == held_.end()) return;
  held->second.erase(host);
  if (held->second.empty()) held_.erase(held);
}

// The host in the fleet: what the ledger says, and what is on its way there.
void Situation::merge(const std::string& host, Time now) {
  Host merged = hosts_.at(host);
  if (const auto assumed = assumed_.find(host); assumed != assumed_.end()) {
    for (const Claim& claim : assumed->second) merged.ledger.claims.push_back(claim);
    merged.weigh(now);
  }
  fleet_.put(std::move(merged));
}

void Situation::place_anew(const std::string& uid) {
  const auto request = requests_.find(uid);
  const auto held = held_.find(uid);
  const auto assumed = assumed_on_.find(uid);
  if (request == requests_.end() || (held == held_.end() && assumed == assumed_on_.end())) {
    return fleet_.forget(uid);
  }
  std::string host = assumed == assumed_on_.end() ? *held->second.begin() : assumed->second;
  const std::string& own = request->second.host;
  if (held != held_.end() && held->second.contains(own)) host = own;
  fleet_.place(request->second, host);
}

void Situation::put_request(HostedClusterRequest request) {
  const std::string uid = request.facts.uid;
  const api::ObjectKey key{request.facts.object_namespace, request.facts.name};
  if (const auto other = uids_.find(key); other != uids_.end() && other->second != uid) {
    remove_request(key);
  }
  uids_[key] = uid;
  HostedClusterRequest& kept = requests_[uid];
  if (kept.host != request.host) {
    if (const auto old = assigned_.find(kept.host); old != assigned_.end()) {
      old->second.erase(uid);
      if (old->second.empty()) assigned_.erase(old);
    }
    if (!request.host.empty()) assigned_[request.host].insert(uid);
  }
  forget_sharing(kept);
  kept = std::move(request);
  sharing_[kept.held_infra_id()].insert(uid);
  if (!kept.host.empty()) refusals_.erase(uid);
  place_anew(uid);
}

void Situation::remove_request(const api::ObjectKey& key) {
  const auto known = uids_.find(key);
  if (known == uids_.end()) return;
  const std::string uid = known->second;
  if (const auto old = assigned_.find(requests_.at(uid).host); old != assigned_.end()) {
    old->second.erase(uid);
    if (old->second.empty()) assigned_.erase(old);
  }
  forget_sharing(requests_.at(uid));
  requests_.erase(uid);
  refusals_.erase(uid);
  uids_.erase(known);
  fleet_.forget(uid);
}

void Situation::forget_sharing(const HostedClusterRequest& request) {
  const auto sharing = sharing_.find(request.held_infra_id());
  if (sharing == sharing_.end()) return;
  sharing->second.erase(request.facts.uid);
  if (sharing->second.empty()) sharing_.erase(sharing);
}

void Situation::put_selection(const api::ObjectKey& placement, Selection clusters) {
  selections_[placement] = std::move(clusters);
}

bool Situation::is_waiting(std::string_view request_uid, Time now) const {
  const HostedClusterRequest* request = find(request_uid);
  return request && wants_claim(*request, now) && !assumed_on_.contains(request_uid);
}

bool Situation::wants_claim(const HostedClusterRequest& request, Time now) const {
  return wants_host(request, now) && !held_.contains(request.facts.uid) &&
         !rival_of(request.facts.uid, now);
}

const HostedClusterRequest* Situation::rival_of(std::string_view request_uid, Time now) const {
  const HostedClusterRequest* request = find(request_uid);
  if (!request || !request->host.empty() || request->held_infra_id().empty()) return nullptr;
  const auto order = [this](const HostedClusterRequest& each) {
    const std::string& uid = each.facts.uid;
    const bool has_claim = held_.contains(uid) || assumed_on_.contains(uid);
    return std::tuple(!has_claim, each.created, std::string_view(uid));
  };
  for (const std::string& uid : sharing_.at(request->held_infra_id())) {
    const HostedClusterRequest& other = requests_.at(uid);
    if (!other.host.empty()) return &other;
    if (wants_host(other, now) && order(other) < order(*request)) return &other;
  }
  return nullptr;
}

Situation::Uids Situation::sharing_infra_id(const std::string& infra_id) const {
  const auto sharing = sharing_.find(infra_id);
  return infra_id.empty() || sharing == sharing_.end() ? Uids() : sharing->second;
}

std::vector<std::string> Situation::waiting(Time now) const {
  std::vector<const HostedClusterRequest*> requests;
  for (const auto& [uid, request] : requests_) {
    if (is_waiting(uid, now)) requests.push_back(&request);
  }
  std::vector<std::string> uids;
  for (const std::size_t i : decision_order(requests)) uids.push_back(requests[i]->facts.uid);
  return uids;
}

Question Situation::question(const HostedClusterRequest& request, Time now) const {
  const Selection* selection = nullptr;
  if (request.placement) {
    const auto found =
        selections_.find(api::ObjectKey{request.facts.object_namespace, *request.placement});
    if (found != selections_.end()) selection = &found->second;
  }
  return {request, fleet_, selection, now};
}

Situation::Assignment Situation::assign(const std::string& request_uid, Time now) {
  const HostedClusterRequest& request = requests_.at(request_uid);
  const Question asked = question(request, now);
  const Decision decision = decide(asked);
  if (!decision.host) {
    refusals_[request_uid] = refusal_text(asked, decision);
    return {.request_uid = request_uid};
  }
  refusals_.erase(request_uid);
  const std::string host = fleet_.hosts()[*decision.host].name;
  Claim claim = make_claim(request, now);
  assumed_[host].push_back(claim);
  assumed_on_[request_uid] = host;
  fleet_.claim(*decision.host, std::move(claim), now);
  fleet_.place(request, host);
  return {.request_uid = request_uid, .host = host};
}

Situation::Additions Situation::additions(const std::string& host, const std::vector<Claim>& beside,
                                          Time now) {
  Additions additions;
  const auto assumed = assumed_.extract(host);
  const auto known = hosts_.find(host);
  if (!assumed || known == hosts_.end()) return additions;
  Host next = known->second;
  next.ledger.claims = beside;
  next.weigh(now);
  fleet_.put(std::move(next));
  const auto index = static_cast<HostIndex>(fleet_.find(host) - fleet_.hosts().data());
  std::vector<Claim> kept;
  for (const Claim& claim : assumed.mapped()) {
    const auto request = requests_.find(claim.request_uid);
    const bool is_wanted = request != requests_.end() && wants_claim(request->second, now) &&
                           claim.attempt == request->second.attempts + 1;
    assumed_on_.erase(claim.request_uid);
    place_anew(claim.request_uid);
    if (!is_wanted) continue;
    const Question asked = question(request->second, now);
    const bool fits = std::ranges::all_of(
        filters(), [&](const Filter& filter) { return filter.passes(asked, index); });
    if (!fits) {
      additions.dropped.insert(claim.request_uid);
      continue;
    }
    fleet_.claim(index, claim, now);
    fleet_.place(request->second, host);
    assumed_on_[claim.request_uid] = host;
    kept.push_back(claim);
  }
  additions.claims = kept;
  if (!kept.empty()) assumed_[host] = std::move(kept);
  return additions;
}

Situation::Uids Situation::settle(const std::string& host, Time now) {
  Uids dropped;
  if (const auto assumed = assumed_.extract(host)) {
    for (const Claim& claim : assumed.mapped()) {
      assumed_on_.erase(claim.request_uid);
      place_anew(claim.request_uid);
      dropped.insert(claim.request_uid);
    }
  }
  if (hosts_.contains(host)) merge(host, now);
  return dropped;
}

std::vector<std::string> Situation::assigned_to(std::string_view host) const {
  const auto found = assigned_.find(host);
  if (found == assigned_.end()) return {};
  return {found->second.begin(), found->second.end()};
}

const HostedClusterRequest* Situation::find(std::string_view uid) const {
  const auto found = requests_.find(uid);
  return found == requests_.end() ? nullptr : &found->second;
}

const HostedClusterRequest* Situation::find(const api::ObjectKey& key) const {
  const auto found = uids_.find(key);
  return found == uids_.end() ? nullptr : find(found->second);
}

const Host* Situation::find_host(std::string_view name) const {
  const auto found = hosts_.find(name);
  return found == hosts_.end() ? nullptr : &found->second;
}

std::vector<HeldClaim> Situation::claims_of(std::string_view uid) const {
  std::vector<HeldClaim> claims;
  const auto held = held_.find(uid);
  if (held == held_.end()) return claims;
  for (const std::string& host : held->second) {
    claims.push_back({.host = host, .claim = *hosts_.at(host).ledger.find(uid)});
  }
  return claims;
}

std::string_view Situation::refusal(std::string_view uid) const {
  const auto found = refusals_.find(uid);
  return found == refusals_.end() ? std::string_view() : std::string_view(found->second);
}

}  // namespace berth::hosting
