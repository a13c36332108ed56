#include "fleet/addons/addon_agent_controller.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/addons/addon_health.h"
#include "fleet/addons/addon_registration.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

using json::Value;

constexpr std::size_t kInWorkMax = 8;

client::InformerSpec requests_of(const std::string& cluster) {
  return {.collection = {.resource = certificate_requests()},
          .selection = {.labels =
                            fmt::format("{}={},{}", kClusterNameLabel, cluster, kAddonNameLabel)}};
}

std::string namespace_of(const Value& managed) {
  const std::string found = api::text_field(api::field(managed, "status"), "namespace");
  if (!found.empty()) return found;
  const std::string asked = api::text_field(api::field(managed, "spec"), "installNamespace");
  return asked.empty() ? std::string(kDefaultAgentNamespace) : asked;
}

// How the agent gets kubeconfigs: by certificates. Nothing is said where none is asked for.
Value with_driver(Value status) {
  const auto registrations = read_registrations(status);
  const bool has_kubeconfig = std::ranges::any_of(
      registrations, [](const auto& each) { return each.signer == kClientSigner; });
  if (has_kubeconfig) {
    status["kubeClientDriver"] = "csr";
  } else {
    status.erase("kubeClientDriver");
  }
  return status;
}

}  // namespace

AddOnAgent::AddOnAgent(const env::Env& env, client::Api& hub, client::Api& cluster,
                       AddOnAgentSettings settings)
    : env_(env),
      hub_(hub),
      cluster_(cluster),
      settings_(std::move(settings)),
      managed_(env, hub,
               {.collection = {.resource = managed_cluster_addons(), .ns = settings_.cluster}}),
      requests_(env, hub, requests_of(settings_.cluster)),
      committer_(env.loop, hub, [] { return true; }, {.field_manager = "berth-agent"}),
      reconciler_(env, "addon-agent", kInWorkMax,
                  [this](const std::string& add_on) { work(add_on); }) {
  managed_.add_handler(scope_.guard(
      [this](const client::Delta& delta) { reconciler_.add(std::string(delta.object().name())); }));
  managed_.when_synced(scope_.guard([this] { reconciler_.start(); }));
  managed_.start();
  requests_.start();
  tick();
}

// Leases are looked at in turn: a lease that is not renewed says nothing.
void AddOnAgent::tick() {
  for (const client::ObjectPtr& managed : managed_.store().objects()) {
    reconciler_.add(std::string(managed->name()));
  }
  tick_ =
      env::after(env_.loop, env_.clock, settings_.health_period, scope_.guard([this] { tick(); }));
}

void AddOnAgent::work(const std::string& add_on) {
  const client::ObjectPtr managed =
      managed_.store().find({.ns = settings_.cluster, .name = add_on});
  if (!managed) {
    if (const auto known = identities_.find(add_on); known != identities_.end()) {
      std::vector<Place> places;
      for (const auto& [place, identity] : known->second) places.push_back(place);
      for (const Place& place : places) forget(add_on, place);
      identities_.erase(add_on);
    }
    return reconciler_.finish(add_on);
  }
  // Until it is gone, its agent may need the hub to clean up.
  if (!api::read_facts(managed->body()).is_deleting) keep_identities(add_on, managed->body());
  report(add_on, *managed);
}

void AddOnAgent::keep_identities(const std::string& add_on, const Value& managed) {
  const AddOnKey key{.cluster = settings_.cluster, .name = add_on};
  Identities& identities = identities_[add_on];
  std::set<Place> wanted;
  for (const AddOnRegistration& each : read_registrations(api::field(managed, "status"))) {
    const Place place{each.signer, each.subject.common_name, namespace_of(managed)};
    wanted.insert(place);
    if (identities.contains(place)) continue;
    identities[place] = std::make_unique<AddOnIdentityController>(
        env_, hub_, cluster_, requests_, make_credentials(key, each, settings_.hub), place.ns);
  }
  std::vector<Place> stale;
  for (const auto& [place, identity] : identities) {
    if (!wanted.contains(place)) stale.push_back(place);
  }
  for (const Place& place : stale) {
    const bool is_reused = std::ranges::any_of(wanted, [&](const Place& other) {
      return other.signer == place.signer && other.ns == place.ns;
    });
    if (is_reused) {
      identities.erase(place);
    } else {
      forget(add_on, place);
    }
  }
}

void AddOnAgent::forget(const std::string& add_on, const Place& place) {
  identities_[add_on].erase(place);
  const std::string name = add_on_secret(add_on, place.signer);
  cluster_.remove({.resource = secrets(), .ns = place.ns, .name = name}, {},
                  scope_.guard([this, name](const Result<Value>& removed) {
                    if (removed.ok() || client::is_not_found(removed.error())) return;
                    env_.log.warn("addon.secret_not_removed",
                                  {{"secret", name}, {"error", removed.error().message}});
                  }));
}

void AddOnAgent::report(const std::string& add_on, const client::Object& managed) {
  Value status = api::field(managed.body(), "status");
  if (!status.is_object()) status = Value::object();
  status = with_driver(std::move(status));
  const std::string mode = api::text_field(api::field(status, "healthCheck"), "mode");
  if (mode == "Customized") return write(add_on, managed, std::move(status));
  cluster_.get({.resource = leases(), .ns = namespace_of(managed.body()), .name = add_on},
               scope_.guard([this, add_on, status = std::move(status),
                             version = std::string(managed.resource_version())](
                                const Result<Value>& lease) mutable {
                 const client::ObjectPtr now =
                     managed_.store().find({.ns = settings_.cluster, .name = add_on});
                 const bool is_known = lease.ok() || client::is_not_found(lease.error());
                 // What changed meanwhile brings itself back; what cannot be read has its next
                 // turn.
                 if (!now || now->resource_version() != version || !is_known) {
                   return reconciler_.finish(add_on);
                 }
                 const api::Condition condition =
                     probe_lease(add_on, lease.ok() ? &*lease : nullptr, env_.clock.now());
                 status["conditions"] = api::with_condition(api::field(status, "conditions"),
                                                            condition, env_.clock.now());
                 write(add_on, *now, std::move(status));
               }));
}

void AddOnAgent::write(const std::string& add_on, const client::Object& managed, Value status) {
  Value after = managed.body();
  if (status.size() > 0) after["status"] = std::move(status);
  if (after == managed.body()) return reconciler_.finish(add_on);
  committer_.submit(
      {.resource = managed_cluster_addons(), .before = managed.body(), .after = std::move(after)},
      scope_.guard([this, add_on](const Status& written) {
        if (!written.ok() && client::is_forbidden(written.error())) {
          env_.log.warn("addon.report_failed",
                        {{"addon", add_on}, {"error", written.error().message}});
        }
        const bool is_gone = !written.ok() && client::is_not_found(written.error());
        reconciler_.finish(add_on, is_gone ? Status() : written);
      }));
}

}  // namespace berth::fleet
