#include "upkeep/service_accounts_controller.h"

#include <array>
#include <utility>

#include "client/errors.h"
#include "upkeep/resources.h"
#include "upkeep/service_account_objects.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 16;

}  // namespace

ServiceAccountsController::ServiceAccountsController(const env::Env& env, client::Api& api,
                                                     client::Informers& informers,
                                                     const control::MayWrite& may_write,
                                                     std::string ca_pem)
    : env_(env),
      ca_pem_(std::move(ca_pem)),
      committer_(env.loop, api, may_write, {.field_manager = "berth-service-accounts"}),
      reconciler_(env, "serviceaccounts", kInWorkMax, [this](const Key& key) { work(key); }),
      certificates_(env, api,
                    {.collection = {.resource = config_maps()},
                     .selection = {.fields = "metadata.name=" + std::string(kRootCertificates)}}),
      followed_(
          informers,
          std::array{std::pair(Kind::Namespaces, namespaces()),
                     std::pair(Kind::Accounts, service_accounts())},
          [this](Kind kind, const client::ObjectKey& key) { on_changed(kind, key); },
          [this] { start_when_synced(); }) {
  handler_ = certificates_.add_handler(scope_.guard([this](const client::Delta& delta) {
    if (delta.object().name() == kRootCertificates) {
      reconciler_.add({Part::Certificates, std::string(delta.object().ns())});
    }
    start_when_synced();
  }));
  certificates_.when_synced(scope_.guard([this] { start_when_synced(); }));
  certificates_.start();
}

ServiceAccountsController::~ServiceAccountsController() { certificates_.remove_handler(handler_); }

void ServiceAccountsController::start_when_synced() {
  if (has_synced()) reconciler_.start();
}

void ServiceAccountsController::on_changed(Kind kind, const client::ObjectKey& key) {
  if (kind == Kind::Accounts) {
    if (key.name == kDefaultAccount) reconciler_.add({Part::Account, key.ns});
    return;
  }
  reconciler_.add({Part::Account, key.name});
  reconciler_.add({Part::Certificates, key.name});
}

// A change of nothing into nothing has neither before nor after.
control::Change ServiceAccountsController::change_of(const Key& key) const {
  control::Change change{.resource =
                             key.part == Part::Account ? service_accounts() : config_maps()};
  const client::ObjectPtr home = followed_.store(Kind::Namespaces).find({.ns = "", .name = key.ns});
  if (!home || !is_active(home->body())) return change;
  if (key.part == Part::Account) {
    const client::ObjectKey name{.ns = key.ns, .name = std::string(kDefaultAccount)};
    if (!followed_.store(Kind::Accounts).find(name)) change.after = default_account(key.ns);
    return change;
  }
  const client::ObjectKey name{.ns = key.ns, .name = std::string(kRootCertificates)};
  const client::ObjectPtr is = certificates_.store().find(name);
  if (is) change.before = is->body();
  change.after = root_certificates(key.ns, is ? &is->body() : nullptr, ca_pem_);
  return change;
}

void ServiceAccountsController::work(const Key& key) {
  control::Change change = change_of(key);
  const bool same = change.before && change.after && *change.before == *change.after;
  if (same || !change.after) return reconciler_.finish(key);
  committer_.submit(std::move(change), scope_.guard([this, key](const Status& status) {
    // Made by somebody else, or the namespace goes: the caches will tell.
    const bool settled = !status.ok() && (client::is_already_exists(status.error()) ||
                                          client::is_namespace_terminating(status.error()) ||
                                          client::is_not_found(status.error()));
    if (!status.ok() && !settled && !client::is_stale_write(status.error())) {
      env_.log.warn("serviceaccounts.write_failed",
                    {{"namespace", key.ns}, {"error", status.error().message}});
    }
    reconciler_.finish(key, settled ? Status() : status);
  }));
}

}  // namespace berth::upkeep
