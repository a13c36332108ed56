#include "upkeep/upkeep_service.h"

#include <utility>

namespace berth::upkeep {

Upkeep::Controllers::Controllers(const env::Env& env, const client::ClientConfig& hub,
                                 const UpkeepSettings& settings, const control::MayWrite& may_write)
    : api(env, hub, settings.api),
      informers(env, api),
      served(env, api, informers, settings.look_period),
      watched(env, api),
      namespaces(env, api, informers, served, may_write),
      garbage(env, api, settings.feed ? *settings.feed : watched, served, may_write),
      accounts(env, api, informers, may_write, settings.ca_pem),
      events(env, api, may_write, settings.events),
      roles(env, api, informers, may_write) {
  if (settings.sign_token) {
    tokens.emplace(env, api, informers, may_write, settings.ca_pem, settings.sign_token);
  }
  if (settings.sign_certificate) {
    certificates.emplace(env, api, informers, may_write, settings.sign_certificate);
  }
  if (settings.definitions == DefinitionCleanup::ByUpkeep) {
    definitions.emplace(env, api, informers, may_write);
  }
}

Upkeep::Upkeep(const env::Env& env, client::ClientConfig hub, UpkeepSettings settings,
               control::MayWrite may_write)
    : env_(env),
      hub_(std::move(hub)),
      settings_(std::move(settings)),
      may_write_(std::move(may_write)) {}

void Upkeep::start() {
  if (controllers_) return;
  controllers_ = std::make_unique<Controllers>(env_, hub_, settings_, may_write_);
}

void Upkeep::stop() { controllers_ = nullptr; }

std::vector<std::string> Upkeep::waits_for() const {
  if (!controllers_) return {"start"};
  const Controllers& all = *controllers_;
  std::vector<std::string> waiting;
  const auto ask = [&waiting](std::string name, bool synced) {
    if (!synced) waiting.push_back(std::move(name));
  };
  ask("namespaces", all.namespaces.has_synced());
  ask("garbage", all.garbage.has_synced());
  ask("serviceaccounts", all.accounts.has_synced());
  ask("tokens", !all.tokens || all.tokens->has_synced());
  ask("certificates", !all.certificates || all.certificates->has_synced());
  ask("events", all.events.has_synced());
  ask("roles", all.roles.has_synced());
  ask("definitions", !all.definitions || all.definitions->has_synced());
  return waiting;
}

bool Upkeep::is_idle() const {
  if (!has_synced()) return false;
  const Controllers& all = *controllers_;
  return all.namespaces.is_idle() && all.garbage.is_idle() && all.accounts.is_idle() &&
         (!all.tokens || all.tokens->is_idle()) &&
         (!all.certificates || all.certificates->is_idle()) && all.roles.is_idle() &&
         (!all.definitions || all.definitions->is_idle());
}

}  // namespace berth::upkeep
