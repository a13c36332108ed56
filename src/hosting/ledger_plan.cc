#include "hosting/ledger_plan.h"

#include <algorithm>
#include <utility>

#include "hosting/decide.h"

namespace berth::hosting {
namespace {

// States only go forward: who saw less of it than others takes nothing back.
void advance(Claim& claim, const HostedClusterRequest& request,
             const std::optional<WorkState>& work, Time now) {
  if (claim.state == ClaimState::Releasing) return;
  if (request.problem.empty()) claim.size = request.size;
  if (!work || !work->is_filled) return;
  if (work->is_applied && !claim.delivered_since) {
    claim.delivered_since = now;
    claim.state = ClaimState::Delivered;
  }
  if (work->is_available && claim.delivered_since && !claim.available_since) {
    claim.available_since = now;
    claim.state = ClaimState::Observed;
  }
}

class Planning {
 public:
  explicit Planning(const LedgerView& view) : view_(view) {}

  LedgerPlan run() {
    for (const Claim& claim : view_.claims) {
      Claim next = claim;
      if (keep(next)) plan_.claims.push_back(std::move(next));
    }
    for (const std::string& uid : view_.assigned) recover(uid);
    return std::move(plan_);
  }

 private:
  // Whether the claim stays; it may become another.
  bool keep(Claim& claim) {
    const ClaimOwner owner = view_.owner(claim.request_uid);
    if (!owner.request) return keep_ownerless(claim, owner.work.has_value());
    const HostedClusterRequest& request = *owner.request;
    // Made for an assignment that this picture of the request does not show yet.
    if (claim.attempt > request.attempts)
      return !request.facts.is_deleting || !request.host.empty();
    if (request.host != view_.host) return false;
    if (request.facts.is_deleting) {
      claim.state = ClaimState::Releasing;
      return !owner.is_gone;
    }
    if (!request.is_reassigning) advance(claim, request, owner.work, view_.now);
    return true;
  }

  bool keep_ownerless(const Claim& claim, bool has_work) {
    if (has_work) return true;
    const Time end = claim.since + kOwnerlessClaimLife;
    if (view_.now >= end) return false;
    plan_.recheck = std::min(plan_.recheck.value_or(end), end);
    return true;
  }

  // Somebody has lost a claim of a request that is assigned here: it holds the room all the same.
  // The picture of the request may be older than that of the ledger, from which the claim of a
  // request that is gone was taken rightly: only what the server says now brings it back. Whoever
  // writes another claim meanwhile makes this write fail.
  void recover(const std::string& uid) {
    if (std::ranges::find(plan_.claims, uid, &Claim::request_uid) != plan_.claims.end()) return;
    const ClaimOwner owner = view_.owner(uid);
    if (!owner.request || owner.is_gone || owner.request->host != view_.host) return;
    if (owner.request->facts.is_deleting) return;
    if (!owner.is_confirmed) return plan_.doubtful.push_back(uid);
    if (!*owner.is_confirmed) return;
    Claim claim = make_claim(*owner.request, view_.now);
    claim.attempt = owner.request->attempts;
    advance(claim, *owner.request, owner.work, view_.now);
    plan_.claims.push_back(std::move(claim));
  }

  const LedgerView& view_;
  LedgerPlan plan_;
};

}  // namespace

LedgerPlan plan_ledger(const LedgerView& view) { return Planning(view).run(); }

bool has_assignment(const json::Value& object, const HostedClusterRequest& request) {
  const HostedClusterRequest now = read_request(object);
  return now.facts.uid == request.facts.uid && !now.facts.is_deleting && now.host == request.host &&
         now.attempts == request.attempts;
}

}  // namespace berth::hosting
