// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_install_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "client/errors.h"
#include "fleet/addons/addon_writes_controller.h"

namespace berth::fleet {
namespace {

constexpr std::array kFollowed = {AddOnResource::AddOns, AddOnResource::Managed,
                                  AddOnResource::Placements, AddOnResource::Decisions,
                                  AddOnResource::Clusters};
constexpr std::size_t kInWorkMax = 4;
constexpr Duration kNapMax = std::chrono::minutes(10);  // The calendar may be set meanwhile.

}  // namespace

AddOnInstallController::AddOnInstallController(const env::Env& env, client::Api& api,
                                               client::Informers& informers,
                                               const control::MayWrite& may_write,
                                               const AddOnOptions& options)
    : env_(env),
      options_(options),
      committer_(env.loop, api, may_write, {.field_manager = "berth-addons"}),
      reconciler_(env, "addon-install", kInWorkMax,
                  [this](const std::string& name) { work(name); }),
      followed_(
          informers, resources_of(kFollowed),
          [this](AddOnResource kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {}

void AddOnInstallController::refresh(AddOnResource kind, const client::ObjectKey& key) {
  if (kind == AddOnResource::AddOns || kind == AddOnResource::Managed) {
    BesideStatus& known = kind == AddOnResource::AddOns ? add_ons_ : managed_;
    if (known.has_changed(key, followed_.store(kind).find(key))) reconciler_.add(key.name);
    return;
  }
  if (kind == AddOnResource::Clusters) {
    // Only whether a cluster is there matters; its status changes all the time.
    const client::ObjectPtr cluster = followed_.store(kind).find(key);
    const auto before = clusters_.find(key.name);
    if (!cluster) {
      clusters_.erase(key.name);
      return;
    }
    const bool stays = !api::read_facts(cluster->body()).is_deleting;
    if (before != clusters_.end() && before->second == stays) return;
    clusters_[key.name] = stays;
  }
  add_all();
}

void AddOnInstallController::add_all() {
  for (const client::ObjectPtr& add_on : followed_.store(AddOnResource::AddOns).objects()) {
    reconciler_.add(std::string(add_on->name()));
  }
}

void AddOnInstallController::work(const std::string& name) {
  const client::ObjectPtr object =
      followed_.store(AddOnResource::AddOns).find({.ns = "", .name = name});
  if (!object) {
    unsettled_.erase(name);
    return reconciler_.finish(name);
  }
  const AddOn add_on = read_add_on(object->body());
  const auto managed = managed_of(followed_.store(AddOnResource::Managed), name);
  std::vector<client::ObjectPtr> held;
  InstallationView view{
      .add_on = add_on,
      .placement =
          [this](const ObjectName& placement) { return placement_in(followed_, placement); },
      .cluster = [this, &held](std::string_view cluster) -> const json::Value* {
        held.push_back(followed_.store(AddOnResource::Clusters)
                           .find({.ns = "", .name = std::string(cluster)}));
        return held.back() ? &held.back()->body() : nullptr;
      },
      .unsettled = unsettled_[name],
      .grace = options_.placement_grace,
      .now = env_.clock.now()};
  for (const auto& [cluster, each] : managed) view.managed.emplace(cluster, &each->body());
  InstallationPlan plan = plan_installation(view);
  unsettled_[name] = std::move(plan.unsettled);
  look_again(name, plan.recheck);

  std::vector<control::Change> changes;
  const client::Gvr resource = resource_of(AddOnResource::Managed);
  for (json::Value& each : plan.create) {
    changes.push_back({.resource = resource, .after = std::move(each)});
  }
  for (const json::Value* each : plan.remove) {
    changes.push_back({.resource = resource, .before = *each});
  }
  if (changes.empty()) return reconciler_.finish(name);
  env_.log.info(
      "addons.install",
      {{"addon", name}, {"installs", plan.create.size()}, {"removes", plan.remove.size()}});
  submit(name, std::move(changes));
}

void AddOnInstallController::submit(const std::string& name, std::vector<control::Change> changes) {
  submit_each(committer_, std::move(changes), scope_.guard([this, name](const Status& status) {
    if (!status.ok() && is_refusal(status.error())) {
      env_.log.warn("addons.install_failed", {{"addon", name}, {"error", status.error().message}});
    }
    reconciler_.finish(name, status);
  }));
}

void AddOnInstallController::look_again(const std::string& name, std::optional<Time> when) {
  if (!when) return;
  reconciler_.add_after(
      name, std::clamp<Duration>(*when - env_.clock.now(), std::chrono::milliseconds(1), kNapMax));
}

}  // namespace berth::fleet
