// Answers kube-scheduler's questions over the extender protocol, and binds the pods it has decided
// about, so that nothing is between its decision and our accounts.
//
//   POST /filter, /prioritize, /preempt, /bind

#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "client/api_service.h"
#include "control/operations_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"
#include "nodes/binder_service.h"
#include "nodes/cluster_feed_service.h"
#include "nodes/extending.h"
#include "nodes/reminder_service.h"
#include "nodes/scheduling.h"

namespace berth::nodes {

class ExtenderService {
 public:
  // Starts to follow the cluster at once. The Api outlives the service.
  ExtenderService(const env::Env& env, client::Api& api);

  // Before that it answers nothing.
  bool has_synced() const { return feed_.has_synced(); }
  const Scheduling& scheduling() const { return scheduling_; }

  // To be added at "/". Must not be called after the service has died.
  control::Route route();

 private:
  void answer(const http::ServerRequest& request, http::Answer answer);
  Result<json::Value> decide(std::string_view verb, const json::Value& body);
  json::Value filter(const ExtenderArgs& arguments);
  void remember(const PendingPod& pod);
  void bind(const json::Value& body, http::Answer answer);
  void bind_known(const PendingPod& pod, const std::string& node, http::Answer answer);
  void arm_expiry();
  ClusterFeed::Hooks feed_hooks();

  env::Env env_;
  client::Api& api_;
  Scheduling scheduling_;
  Binder binder_;
  std::map<std::string, PendingPod> asked_about_;  // By uid; the last ones.
  std::deque<std::string> asked_order_;
  std::set<std::string> binding_;  // Uids.
  env::Counter& questions_;
  env::Counter& refusals_;
  env::Timer expiry_ = {};
  Reminder reminder_;
  ClusterFeed feed_;
  env::Scope scope_;
};

}  // namespace berth::nodes
