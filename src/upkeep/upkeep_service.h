// Everything that a hub without kube-controller-manager has to do for itself, over one set of
// caches.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "client/informers_service.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "upkeep/certificates_controller.h"
#include "upkeep/definitions_controller.h"
#include "upkeep/events_controller.h"
#include "upkeep/garbage_controller.h"
#include "upkeep/namespaces_controller.h"
#include "upkeep/object_feed_service.h"
#include "upkeep/roles_controller.h"
#include "upkeep/served_service.h"
#include "upkeep/service_accounts_controller.h"
#include "upkeep/token_secrets_controller.h"
#include "upkeep/watched_feed_service.h"

namespace berth::upkeep {

// Whether the API server empties the definitions that are deleted by itself, as kube-apiserver
// does.
enum class DefinitionCleanup { ByServer, ByUpkeep };

struct UpkeepSettings {
  std::string ca_pem;                // What clients trust: goes into every namespace.
  SignToken sign_token;              // Null: secrets for tokens are left alone.
  SignCertificate sign_certificate;  // Null: certificates are not signed, nor requests cleared.
  EventsOptions events = {};
  client::ApiOptions api = {.user_agent = "berth-upkeep", .rate = {.per_second = 0}};
  DefinitionCleanup definitions = DefinitionCleanup::ByUpkeep;
  Duration look_period = Served::kPeriod;  // How often to look for what is served without one.
  // From whom garbage collection hears of all objects; outlives the upkeep. Null: it watches them.
  ObjectFeed* feed = nullptr;
};

class Upkeep {
 public:
  // Does nothing before start(). Lives on the loop of `env`.
  Upkeep(
      const env::Env& env, client::ClientConfig hub, UpkeepSettings settings,
      control::MayWrite may_write = [] { return true; });

  void start();

  // No request of it is under way afterwards, and none will follow: its connections are its own. It
  // may be started again, with empty caches.
  void stop();

  bool is_running() const { return controllers_ != nullptr; }

  // Whether everybody has read what there is, and is at work.
  bool has_synced() const { return waits_for().empty(); }

  // Who has not, for messages and health checks.
  std::vector<std::string> waits_for() const;

  // Whether nothing is to be done before something changes, or its time comes.
  bool is_idle() const;

 private:
  struct Controllers {
    Controllers(const env::Env& env, const client::ClientConfig& hub,
                const UpkeepSettings& settings, const control::MayWrite& may_write);

    client::Api api;
    client::Informers informers;
    Served served;
    WatchedFeed watched;
    NamespacesController namespaces;
    GarbageController garbage;
    ServiceAccountsController accounts;
    std::optional<TokenSecretsController> tokens = std::nullopt;
    std::optional<CertificatesController> certificates = std::nullopt;
    EventsController events;
    RolesController roles;
    std::optional<DefinitionsController> definitions = std::nullopt;
  };

  env::Env env_;
  client::ClientConfig hub_;
  UpkeepSettings settings_;
  control::MayWrite may_write_;
  std::unique_ptr<Controllers> controllers_;
};

}  // namespace berth::upkeep
