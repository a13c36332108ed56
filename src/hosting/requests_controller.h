// Carries every request one step further, as far as it can go: next_step() says what, this does it.

#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "control/committer_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/request_step.h"
#include "hosting/situation.h"
#include "hosting/undone_writes.h"

namespace berth::hosting {

class RequestsController {
 public:
  struct Hooks {
    std::function<void(const std::string& host)> ledger_is_due;
    std::function<HostedClusterRequest(const json::Value& object)> read;
  };

  // All that is borrowed outlives the controller.
  RequestsController(const env::Env& env, client::Api& api, control::Committer& committer,
                     control::RecorderService& recorder, const HostingFollowed& followed,
                     Situation& situation, Hooks hooks);

  void start() { reconciler_.start(); }
  void add(const std::string& uid) { reconciler_.add(uid); }
  bool is_idle() const { return reconciler_.is_idle(); }

  // It got no host. Told now and then: the words change with everybody else's luck.
  void tell_refusal(const std::string& uid);
  void forget(const std::string& uid);

  // The works of a request are told by their label.
  void on_work(const client::ObjectKey& key);
  std::optional<WorkState> find_work(const std::string& host, std::string_view uid) const;

  // It is being deleted, and the server has been asked: its work is gone.
  bool is_gone(const HostedClusterRequest& request) const;

 private:
  // When it was so that the server was asked.
  struct Proof {
    bool was_deleting;
    std::int64_t attempts;

    bool operator==(const Proof&) const = default;
  };
  struct Told {
    std::string text;
    Instant next;
  };

  static Proof proof_of(const HostedClusterRequest& request) {
    return {request.facts.is_deleting, request.attempts};
  }

  std::string rival_with_host(const HostedClusterRequest& request) const;
  void work(const std::string& uid);
  void clear_shells(const std::string& uid);
  void run(const std::string& uid, const client::ObjectPtr& object, const Secrets* secrets);
  void carry_out(const std::string& uid, const client::ObjectPtr& object, Step step);
  void commit(const std::string& uid, control::Change change, const Step& step,
              const client::ObjectPtr& object);
  void on_committed(const std::string& uid, const Status& status);
  void read_secrets(const std::string& uid, const client::ObjectPtr& object);
  void read_next(const std::string& uid, const client::ObjectPtr& object,
                 std::vector<std::string> names, std::shared_ptr<Secrets> found);
  void prove_gone(const std::string& uid);
  void on_asked(const std::string& uid, const Proof& proof, const Result<json::Value>& answer);

  env::Env env_;
  client::Api& api_;
  control::Committer& committer_;
  control::RecorderService& recorder_;
  const HostingFollowed& followed_;
  Situation& situation_;
  Hooks hooks_;
  std::map<std::string, std::set<client::ObjectKey>, std::less<>> works_;  // By uid.
  std::map<client::ObjectKey, std::string> owners_;                        // Of works.
  std::map<std::string, Proof, std::less<>> gone_;
  std::map<std::string, Told, std::less<>> told_;
  UndoneWrites undone_;  // By uid and kind.
  control::Reconciler<std::string> reconciler_;
  env::Scope scope_;
};

}  // namespace berth::hosting
