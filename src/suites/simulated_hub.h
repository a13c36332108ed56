// A whole hub in a simulated world: the real API server over the real store on a simulated disk,
// upkeep, and the controllers that a suite looks at, as clients of their own. It may crash and
// start again at any time, like any other process.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "apiserver/bootstrap.h"
#include "apiserver/hub_facts.h"
#include "apiserver/user.h"
#include "client/client_config.h"
#include "client/kubeconfig.h"
#include "client/resource.h"
#include "env/env.h"
#include "http/message.h"
#include "json/value.h"
#include "pki/authority.h"
#include "sim/world.h"
#include "store/entry.h"
#include "store/snapshot.h"

namespace berth::suites {

struct HubSetup {
  std::vector<json::Value> definitions = {};  // CustomResourceDefinitions.
  Duration certificate_life = std::chrono::hours(24);

  // What runs beside the server in each of its lives, on a loop of its own.
  std::function<std::shared_ptr<void>(const env::Env&, const client::ClientConfig&)> controllers =
      [](const env::Env&, const client::ClientConfig&) { return nullptr; };

  // The status of the next answer to a client; 0: the real one.
  std::function<int()> trouble = [] { return 0; };

  // Each durable change once, in order, also those that nobody heard of before a crash.
  std::function<void(const store::EntryChange&)> on_change = [](const store::EntryChange&) {};
};

class SimulatedHub {
 public:
  static constexpr std::string_view kHost = "hub";  // Also the name of its machine.

  // Decides by the world's seed what keys are. The world dies first.
  SimulatedHub(sim::World& world, HubSetup setup);

  // Who may only ask to join: his rights are fleet/registration's, with this kubeconfig.
  client::Kubeconfig bootstrap() const;

  bool is_up() const { return !life_.expired() && world_.node(std::string(kHost)).is_running(); }
  Time now() const;  // By its own clock.

  // As it was last known; keys are "name" or "namespace/name".
  std::optional<json::Value> find(const client::Gvr& resource, const std::string& key) const;
  std::vector<json::Value> list(const client::Gvr& resource, const std::string& ns = "") const;

  // "leases/ns/name" of everything in that namespace.
  std::vector<std::string> keys_in(const std::string& ns) const;

  // What an administrator asks for, or somebody else who may. Nobody hears what comes of it: look,
  // and ask again. A hub that is down does nothing.
  void create(const client::Gvr& resource, const json::Value& object,
              const apiserver::User& user = apiserver::hub_user()) const;
  void update(const client::ResourcePath& path, const json::Value& object) const;
  void merge(const client::ResourcePath& path, const json::Value& patch) const;
  void remove(const client::ResourcePath& path) const;

 private:
  struct Life;

  void ask(http::Method method, const client::ResourcePath& path, std::string body,
           const apiserver::User& user = apiserver::hub_user()) const;
  void note(const store::BatchPtr& batch);
  client::ClientConfig client_of(const std::string& user) const;
  store::SnapshotPtr snapshot() const;

  sim::World& world_;
  HubSetup setup_;
  pki::Authority authority_;
  std::shared_ptr<const apiserver::HubFacts> facts_;
  std::weak_ptr<Life> life_;
  store::SnapshotPtr seen_;  // When it was last up.
  store::Revision noted_ = 0;
};

// A CustomResourceDefinition that takes any fields, with a status of its own.
enum class KindScope { Cluster, Namespaced };
json::Value plain_definition(const client::Gvr& resource, const std::string& kind, KindScope scope);

}  // namespace berth::suites
