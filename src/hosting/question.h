// Question: one request and the fleet it is to be placed in, with what is worked out once for all
// hosts.

#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"
#include "hosting/fleet.h"
#include "hosting/hosted_cluster_request.h"

namespace berth::hosting {

// The clusters that a Placement has chosen.
using Selection = std::set<std::string, std::less<>>;

class Question {
 public:
  // All of it is borrowed and must not change meanwhile. `selection` is null for a request without
  // a placement.
  Question(const HostedClusterRequest& request, const Fleet& fleet, const Selection* selection,
           Time now);

  const HostedClusterRequest& request() const { return request_; }
  const Fleet& fleet() const { return fleet_; }
  const Host& host(HostIndex index) const { return fleet_.hosts()[index]; }
  Time now() const { return now_; }

  bool is_selected(const Host& host) const;

  // How many requests a term counts in the place of a host, and over all places.
  struct Places {
    std::vector<std::int32_t> there = {};  // By host; kNowhere: it is in no such place.
    std::int32_t lowest = 0;               // Over places that the request may be in.
    std::int32_t highest = 0;
  };
  static constexpr std::int32_t kNowhere = -1;

  const std::vector<Places>& anti_affinities() const { return anti_affinities_; }  // By term.
  const std::vector<Places>& spreads() const { return spreads_; }

 private:
  using Counts = std::vector<std::int32_t>;  // By host.

  Counts count_group() const;
  Counts count_matching(const api::LabelSelector& requests) const;
  void add_by_name(Counts& counts, std::string_view host, std::int32_t count) const;
  Places places_of(const Topology& topology, const Counts& counts) const;

  const HostedClusterRequest& request_;
  const Fleet& fleet_;
  const Selection* selection_;
  Time now_;
  std::vector<Places> anti_affinities_;
  std::vector<Places> spreads_;
};

// In which place of the topology a host is; nullopt: in none, for want of the label or claim.
std::optional<std::string_view> place_in(const Topology& topology, const Host& host);

}  // namespace berth::hosting
