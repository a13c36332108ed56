// What the hub serves now: asked again when definitions come and go, for controllers that work on
// every resource there is.

#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <vector>

#include "client/discovery_service.h"
#include "client/informers_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::upkeep {

class Served {
 public:
  using Resources = std::vector<client::ResourceInfo>;

  // Aggregated servers come and go without a definition: how often to look for them.
  static constexpr Duration kPeriod = std::chrono::seconds(30);

  // The Api and the informers outlive this.
  Served(const env::Env& env, client::Api& api, client::Informers& informers,
         Duration period = kPeriod);
  ~Served();

  // Runs later, on the loop, after each look that succeeded. Its owner outlives this, or silences
  // it with a scope.
  void on_looked(std::function<void()> told) { told_.push_back(std::move(told)); }

  // One version of each resource, the server's favourite first; empty before the first look.
  const Resources& resources() const { return resources_; }
  bool has_looked() const { return has_looked_; }

  // What is served, asked after this call.
  void look(std::move_only_function<void(const Status&)> looked);

 private:
  void look_soon(Duration delay);
  void take(const client::Discovery& table);

  env::Env env_;
  Duration period_;
  client::DiscoveryService discovery_;
  client::InformerService& definitions_;
  client::HandlerId handler_;
  std::vector<std::function<void()>> told_;
  Resources resources_;
  bool has_looked_ = false;
  env::Timer soon_ = {};  // After a definition changed.
  env::Timer again_ = {};
  env::Scope scope_;
};

}  // namespace berth::upkeep
