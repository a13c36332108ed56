// Keeps every ledger right: takes the claims that were assigned, moves those on that are there, and
// gives room back when nothing is left. All that a ledger needs is one write for the version that
// was looked at; if it has changed meanwhile, everything about it is looked at again.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/remembered_writes.h"
#include "env/env.h"
#include "env/scope.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/situation.h"
#include "hosting/undone_writes.h"

namespace berth::hosting {

class LedgersController {
 public:
  struct Hooks {
    std::function<ClaimOwner(const std::string& host, std::string_view uid)> owner;
    std::function<void()> claims_changed;  // Somebody may have to be assigned again.
  };

  // All that is borrowed outlives the controller.
  LedgersController(const env::Env& env, client::Api& api, control::Committer& committer,
                    const HostingFollowed& followed, Situation& situation, Hooks hooks);

  void start() { reconciler_.start(); }
  void add(const std::string& host) { reconciler_.add(host); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  // What the server said about requests that seem to have lost their claims.
  struct Answers {
    std::string ledger_version = {};  // They hold for this one: it was seen before they were asked.
    std::map<std::string, bool, std::less<>> is_assigned = {};  // By uid.
  };

  void work(const std::string& host, Answers answers);
  LedgerPlan plan(const Host& host, const Answers& answers, Time now) const;
  void ask(const std::string& host, std::vector<std::string> uids, Answers answers);
  void create(const std::string& host);
  bool is_summary_due(const std::string& host, const json::Value& before, const json::Value& after);
  void submit(const std::string& host, control::Change change);
  void on_committed(const std::string& host, const control::RememberedWrites& writes,
                    const Status& status);
  void finish(const std::string& host, const Status& status);
  void look_again(const std::string& host, std::optional<Time> when);

  env::Env env_;
  client::Api& api_;
  control::Committer& committer_;
  const HostingFollowed& followed_;
  Situation& situation_;
  Hooks hooks_;
  UndoneWrites undone_;
  std::map<std::string, Instant> summarised_;  // When amounts were last written for themselves.
  control::Reconciler<std::string> reconciler_;
  env::Scope scope_;
};

}  // namespace berth::hosting
