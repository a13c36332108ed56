// Follows what node scheduling depends on, and tells a Scheduling of it: pods, nodes, ReplicaSets
// and, where the server knows them, PodReservations.

#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "client/follower_service.h"
#include "control/served_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"
#include "nodes/scheduling.h"

namespace berth::nodes {

const client::Gvr& pods_resource();
const client::Gvr& nodes_resource();
const client::Gvr& replica_sets_resource();
const client::Gvr& pod_reservations_resource();

class ClusterFeed {
 public:
  struct Hooks {
    env::Task changed = [] {};  // After the Scheduling was told something; and once all is known.
    std::function<void(const json::Value& pod)> saw_pod = [](const json::Value&) {};
    std::function<void(std::string_view uid)> lost_pod = [](std::string_view) {};
    std::function<void(const json::Value& node, const std::vector<std::string>& problems)>
        bad_annotations = [](const json::Value&, const std::vector<std::string>&) {};
  };

  // Starts at once. All that is borrowed outlives the feed.
  ClusterFeed(const env::Env& env, client::Api& api, Scheduling& scheduling, Hooks hooks);

  // Everything that there is has been told. A server without PodReservations has none.
  bool has_synced() const;

 private:
  Now now() const { return {env_.clock.monotonic(), env_.clock.now()}; }
  client::FollowerListener pod_listener();
  client::FollowerListener node_listener();
  client::FollowerListener replica_set_listener();
  client::FollowerListener reservation_listener();
  void put_pod(const client::Object& pod);
  void put_node(const client::Object& node);
  void put_reservation(const client::Object& reservation);
  void put_replica_set(const client::Object& replica_set);
  void remove_pod(const std::string& uid);
  void complain(std::string_view kind, const client::Object& object, const Error& error);

  env::Env env_;
  client::Api& api_;
  Scheduling& scheduling_;
  Hooks hooks_;
  std::set<std::string, std::less<>> replica_sets_;  // Uids.
  client::Follower pods_;
  client::Follower nodes_;
  client::Follower owners_;
  std::unique_ptr<client::Follower> reservations_;
  control::ServedService served_;
  env::Scope scope_;
};

}  // namespace berth::nodes
