// Assigns hosted clusters to hosting clusters, delivers them, and follows them to their end.
//
// It follows what decisions depend on and keeps it in a Situation. Whenever something has changed,
// all requests that wait for a host are decided in order, each seeing the claims of those before
// it; ledgers write the claims down (ledgers_controller.h), and requests are carried on from there
// (requests_controller.h).

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/informer_service.h"
#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "hosting/capacity_controller.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/ledgers_controller.h"
#include "hosting/requests_controller.h"
#include "hosting/situation.h"

namespace berth::hosting {

struct HostingOptions {
  SizeClasses classes = default_size_classes();
  Duration tick = std::chrono::seconds(10);  // How late the passing of time is noticed.
};

class HostingController {
 public:
  // All that is borrowed outlives the controller.
  HostingController(const env::Env& env, client::Api& api, client::Informers& informers,
                    control::RecorderService& recorder, control::MayWrite may_write,
                    HostingOptions options = {});

  bool has_synced() const { return has_begun_; }
  bool is_idle() const;  // Nothing is to be done before something changes.
  const Situation& situation() const { return situation_; }
  std::uint64_t decisions() const { return decisions_; }

 private:
  void refresh(HostingResource kind, const client::ObjectKey& key);
  void refresh_request(const client::ObjectKey& key);
  void refresh_host(const std::string& name);
  void refresh_selection(const client::ObjectKey& decision);
  void refresh_work(const client::ObjectKey& key);
  void refresh_config(const client::ObjectKey& key);
  void begin_when_synced();

  ClaimOwner owner_of(const std::string& host, std::string_view uid) const;

  void sweep_soon();
  void begin_sweep();
  void continue_sweep();
  void arm_tick();
  void on_tick();

  env::Env env_;
  HostingOptions options_;
  Situation situation_;
  control::Committer committer_;
  LedgersController ledgers_;
  RequestsController requests_;
  CapacityController capacity_;

  bool sweep_is_due_ = false;  // Something has changed since the last one began.
  bool sweeping_ = false;
  std::vector<std::string> waiting_;  // Of the sweep that is going on; the next one is last.
  std::uint64_t decisions_ = 0;
  std::map<client::ObjectKey, client::ObjectKey> placement_of_;  // By decision.
  env::Timer tick_ = {};
  env::Timer pause_ = {};
  bool has_begun_ = false;
  HostingFollowed followed_;  // Late: it tells everything else what changed.

  // The scores with the number of hosted clusters, and when each was written: other caches drop
  // that.
  client::InformerService counts_;
  client::HandlerId counts_handler_ = 0;
  env::Scope scope_;
};

}  // namespace berth::hosting
