// Tells pods what was decided about them: the condition PodScheduled and events, in
// kube-scheduler's words; and nodes what is wrong with their annotations.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"
#include "nodes/scheduling.h"

namespace berth::nodes {

class Teller {
 public:
  // Events go to an Api of their own: bindings do not wait for them. `instance` names this process
  // in them. All that is borrowed outlives the teller.
  Teller(const env::Env& env, client::Api& api, client::Api& events, control::MayWrite may_write,
         std::string instance);

  // What the pod has been told already, by us or by whoever was here before.
  void see(const json::Value& pod);
  void forget(std::string_view uid);

  void tell_bound(const BindPod& bound);
  void tell_refused(const RefusePod& refused);
  void tell_gated(const GatedPod& gated);
  void tell_failed(const PodName& pod, const Error& error);
  void tell_node(const json::Value& node, const std::vector<std::string>& problems);

  std::size_t in_flight() const { return in_flight_; }

 private:
  struct Condition {
    std::string status = {};
    std::string reason = {};
    std::string message = {};

    bool operator==(const Condition&) const = default;
  };

  control::RecorderService& recorder(const std::string& scheduler);
  void write(const PodName& pod, Condition condition);

  env::Env env_;
  client::Api& api_;
  client::Api& events_;
  control::MayWrite may_write_;
  std::string instance_;
  std::map<std::string, std::unique_ptr<control::RecorderService>> recorders_;  // By profile.
  std::map<std::string, Condition, std::less<>> told_;  // By uid; of pods that wait.
  std::size_t in_flight_ = 0;
  env::Scope scope_;
};

}  // namespace berth::nodes
