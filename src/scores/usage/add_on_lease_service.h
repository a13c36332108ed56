// The Lease by which a hub sees that an add-on's agent is well: on the managed cluster, named like
// the add-on, renewed only while the agent does its job.

#pragma once

#include <functional>
#include <string>

#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::scores {

struct AddOnLeaseOptions {
  std::string ns;
  std::string name;
  std::string holder = {};
  Duration renew_every = std::chrono::seconds(60);
};

class AddOnLease {
 public:
  // Starts at once. `is_well` is asked before every renewal. The Api outlives this.
  AddOnLease(const env::Env& env, client::Api& cluster, AddOnLeaseOptions options,
             std::function<bool()> is_well);

  // What went wrong last; empty while all is well.
  const std::string& trouble() const { return trouble_; }

 private:
  void tick();
  void tick_after(Duration delay);
  void renew();
  void create();
  void on_answer(const Status& status);
  json::Value spec() const;

  env::Env env_;
  client::Api& cluster_;
  AddOnLeaseOptions options_;
  std::function<bool()> is_well_;
  std::string trouble_ = {};
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::scores
