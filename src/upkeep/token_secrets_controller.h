// Fills Secrets that ask for a token of a ServiceAccount, and deletes them when the account goes.

#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::upkeep {

// A token without end for the account, which is valid as long as the secret holds it.
using SignToken =
    std::function<Result<std::string>(const json::Value& account, const json::Value& secret)>;

class TokenSecretsController {
 public:
  // All that is borrowed outlives the controller.
  TokenSecretsController(const env::Env& env, client::Api& api, client::Informers& informers,
                         const control::MayWrite& may_write, std::string ca_pem, SignToken sign);
  ~TokenSecretsController();

  bool has_synced() const { return followed_.has_synced() && secrets_.has_synced(handler_); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Accounts };

  void on_account(const client::ObjectKey& account);
  void start_when_synced();
  void work(const client::ObjectKey& key);
  void confirm_absence(const client::ObjectPtr& secret);
  void fill(const client::ObjectPtr& secret, const json::Value& account);
  void submit(const client::ObjectKey& key, control::Change change);

  env::Env env_;
  client::Api& api_;
  std::string ca_pem_;
  SignToken sign_;
  control::Committer committer_;
  control::Reconciler<client::ObjectKey> reconciler_;
  client::InformerService secrets_;  // Of all Secrets only those with tokens.
  client::HandlerId handler_ = 0;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
