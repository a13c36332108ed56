#include "hosting/question.h"

#include <algorithm>
#include <map>

namespace berth::hosting {

std::optional<std::string_view> place_in(const Topology& topology, const Host& host) {
  switch (topology.type) {
    case Topology::Type::Cluster:
      return host.name;
    case Topology::Type::Label:
      return api::Labels(host.labels).find(topology.key);
    case Topology::Type::Claim:
      return api::Labels(host.claims).find(topology.key);
  }
  return std::nullopt;
}

Question::Question(const HostedClusterRequest& request, const Fleet& fleet,
                   const Selection* selection, Time now)
    : request_(request), fleet_(fleet), selection_(selection), now_(now) {
  for (const AntiAffinity& term : request.anti_affinities) {
    anti_affinities_.push_back(
        places_of(term.topology, term.requests ? count_matching(*term.requests) : count_group()));
  }
  for (const SpreadTerm& term : request.spreads) {
    spreads_.push_back(places_of(term.topology, count_group()));
  }
}

bool Question::is_selected(const Host& host) const {
  if (request_.placement) return selection_ && selection_->contains(host.name);
  return request_.cluster_labels.matches(api::Labels(host.labels)) &&
         request_.cluster_claims.matches(api::Labels(host.claims));
}

void Question::add_by_name(Counts& counts, std::string_view host, std::int32_t count) const {
  if (const Host* found = fleet_.find(host)) {
    counts[static_cast<std::size_t>(found - fleet_.hosts().data())] += count;
  }
}

Question::Counts Question::count_group() const {
  Counts counts(fleet_.hosts().size());
  for (const auto& [host, count] :
       fleet_.group_counts(request_.facts.object_namespace, request_.group)) {
    add_by_name(counts, host, count);
  }
  return counts;
}

Question::Counts Question::count_matching(const api::LabelSelector& requests) const {
  Counts counts(fleet_.hosts().size());
  for (const auto& [uid, placed] : fleet_.placed()) {
    if (placed.object_namespace != request_.facts.object_namespace) continue;
    if (requests.matches(api::Labels(placed.labels))) add_by_name(counts, placed.host, 1);
  }
  return counts;
}

Question::Places Question::places_of(const Topology& topology, const Counts& counts) const {
  struct Place {
    std::int32_t count = 0;
    bool is_open = false;  // A host there may be chosen, at least by what the request says.
  };
  std::map<std::string_view, Place> places;
  const auto& hosts = fleet_.hosts();
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    const auto name = place_in(topology, hosts[i]);
    if (!name) continue;
    Place& place = places[*name];
    place.count += counts[i];
    place.is_open = place.is_open || (hosts[i].is_hosting && is_selected(hosts[i]));
  }
  Places result{.there = Counts(hosts.size(), kNowhere)};
  std::optional<std::int32_t> lowest;
  for (const auto& [name, place] : places) {
    if (!place.is_open) continue;
    lowest = std::min(lowest.value_or(place.count), place.count);
    result.highest = std::max(result.highest, place.count);
  }
  result.lowest = lowest.value_or(0);
  for (std::size_t i = 0; i < hosts.size(); ++i) {
    if (const auto name = place_in(topology, hosts[i])) result.there[i] = places.at(*name).count;
  }
  return result;
}

}  // namespace berth::hosting
