// Gives every namespace its default ServiceAccount and the hub's certificates, and gives them back
// when somebody deletes or edits them.

#pragma once

#include <compare>
#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::upkeep {

class ServiceAccountsController {
 public:
  // All that is borrowed outlives the controller. `ca_pem` is what clients in pods trust.
  ServiceAccountsController(const env::Env& env, client::Api& api, client::Informers& informers,
                            const control::MayWrite& may_write, std::string ca_pem);
  ~ServiceAccountsController();

  bool has_synced() const { return followed_.has_synced() && certificates_.has_synced(handler_); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Namespaces, Accounts };
  enum class Part { Account, Certificates };
  struct Key {
    Part part;
    std::string ns;

    auto operator<=>(const Key&) const = default;
  };

  void on_changed(Kind kind, const client::ObjectKey& key);
  void start_when_synced();
  void work(const Key& key);
  control::Change change_of(const Key& key) const;

  env::Env env_;
  std::string ca_pem_;
  control::Committer committer_;
  control::Reconciler<Key> reconciler_;
  client::InformerService certificates_;  // Of all ConfigMaps only these.
  client::HandlerId handler_ = 0;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
