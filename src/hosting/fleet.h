// All hosting clusters, and which requests have claims where: what decisions are made on.

#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "api/labels.h"
#include "hosting/host.h"
#include "hosting/hosted_cluster_request.h"

namespace berth::hosting {

using HostIndex = std::uint32_t;

// A request that has a claim, as anti-affinity and spreading see it.
struct Placed {
  std::string object_namespace = {};
  std::string group = {};
  std::vector<api::Label> labels = {};  // With the group.
  std::string host = {};
};

class Fleet {
 public:
  // Sorted by name. An index holds until a host comes or goes.
  const std::vector<Host>& hosts() const { return hosts_; }
  const Host* find(std::string_view name) const;

  void put(Host host);
  void remove(std::string_view name);

  // Takes the claim for written. The host must be there.
  void claim(HostIndex host, Claim claim, Time now);
  void release(std::string_view host, std::string_view request_uid, Time now);

  // Where the request has its claim; replaces what was said before.
  void place(const HostedClusterRequest& request, std::string_view host);
  void forget(std::string_view request_uid);

  const std::map<std::string, Placed, std::less<>>& placed() const { return placed_; }

  // How many requests of that namespace and group are on each host.
  const std::map<std::string, std::int32_t>& group_counts(const std::string& object_namespace,
                                                          const std::string& group) const;

 private:
  std::vector<Host>::iterator place_of(std::string_view name);

  std::vector<Host> hosts_;
  std::map<std::string, Placed, std::less<>> placed_;  // By the uid of the request.
  std::map<std::pair<std::string, std::string>, std::map<std::string, std::int32_t>> groups_;
};

}  // namespace berth::hosting
