#include "hosting/fleet.h"

#include <algorithm>

#include "base/check.h"

namespace berth::hosting {

std::vector<Host>::iterator Fleet::place_of(std::string_view name) {
  return std::ranges::lower_bound(hosts_, name, {}, &Host::name);
}

const Host* Fleet::find(std::string_view name) const {
  const auto found = std::ranges::lower_bound(hosts_, name, {}, &Host::name);
  return found == hosts_.end() || found->name != name ? nullptr : &*found;
}

void Fleet::put(Host host) {
  const auto place = place_of(host.name);
  if (place != hosts_.end() && place->name == host.name) {
    *place = std::move(host);
  } else {
    hosts_.insert(place, std::move(host));
  }
}

void Fleet::remove(std::string_view name) {
  const auto place = place_of(name);
  if (place != hosts_.end() && place->name == name) hosts_.erase(place);
}

void Fleet::claim(HostIndex host, Claim claim, Time now) {
  CHECK(host < hosts_.size());
  hosts_[host].ledger.claims.push_back(std::move(claim));
  hosts_[host].weigh(now);
}

void Fleet::release(std::string_view host, std::string_view request_uid, Time now) {
  const auto place = place_of(host);
  if (place == hosts_.end() || place->name != host) return;
  std::erase_if(place->ledger.claims,
                [&](const Claim& claim) { return claim.request_uid == request_uid; });
  place->weigh(now);
}

void Fleet::place(const HostedClusterRequest& request, std::string_view host) {
  forget(request.facts.uid);
  const auto [entry, is_new] =
      placed_.emplace(request.facts.uid, Placed{.object_namespace = request.facts.object_namespace,
                                                .group = request.group,
                                                .labels = request.labels_with_group(),
                                                .host = std::string(host)});
  ++groups_[{entry->second.object_namespace, entry->second.group}][entry->second.host];
}

void Fleet::forget(std::string_view request_uid) {
  const auto known = placed_.find(request_uid);
  if (known == placed_.end()) return;
  const auto group = groups_.find({known->second.object_namespace, known->second.group});
  const auto count = group->second.find(known->second.host);
  if (--count->second == 0) group->second.erase(count);
  if (group->second.empty()) groups_.erase(group);
  placed_.erase(known);
}

const std::map<std::string, std::int32_t>& Fleet::group_counts(const std::string& object_namespace,
                                                               const std::string& group) const {
  static const std::map<std::string, std::int32_t> kNone;
  const auto found = groups_.find({object_namespace, group});
  return found == groups_.end() ? kNone : found->second;
}

}  // namespace berth::hosting
