// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_configuration_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "fleet/addons/addon_writes_controller.h"

namespace berth::fleet {
namespace {

constexpr std::array kFollowed = {AddOnResource::AddOns,     AddOnResource::Managed,
                                  AddOnResource::Templates,  AddOnResource::Configs,
                                  AddOnResource::Placements, AddOnResource::Decisions};
constexpr std::size_t kInWorkMax = 4;
constexpr Duration kNapMax = std::chrono::minutes(10);

// A pass looks at all clusters of an add-on, and each of them changes several times in a rollout:
// passes take no more than a share of the time.
constexpr int kRestPerWork = 4;

}  // namespace

AddOnConfigurationController::AddOnConfigurationController(const env::Env& env, client::Api& api,
                                                           client::Informers& informers,
                                                           const control::MayWrite& may_write)
    : env_(env),
      committer_(env.loop, api, may_write, {.field_manager = "berth-addons"}),
      reconciler_(env, "addon-configuration", kInWorkMax,
                  [this](const std::string& name) { work(name); }),
      followed_(
          informers, resources_of(kFollowed),
          [this](AddOnResource kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {}

void AddOnConfigurationController::refresh(AddOnResource kind, const client::ObjectKey& key) {
  if (kind == AddOnResource::AddOns || kind == AddOnResource::Managed) return add_soon(key.name);
  for (const client::ObjectPtr& add_on : followed_.store(AddOnResource::AddOns).objects()) {
    add_soon(std::string(add_on->name()));
  }
}

void AddOnConfigurationController::add_soon(const std::string& name) {
  reconciler_.add_after(
      name, std::max<Duration>(rests_until_ - env_.clock.monotonic(), Duration::zero()));
}

ConfigurationPlan AddOnConfigurationController::plan(
    const AddOn& add_on, const client::Object& object,
    const std::map<std::string, client::ObjectPtr>& managed) {
  ConfigurationView view{
      .add_on = add_on,
      .object = object.body(),
      .placement =
          [this](const ObjectName& placement) { return placement_in(followed_, placement); },
      .lookup = [this, &add_on](const ConfigKind& kind,
                                const ObjectName& config) -> std::optional<ConfigState> {
        if (!add_on.has_template) return std::nullopt;
        return hashes_.find(followed_, kind, config);
      },
      .now = env_.clock.now()};
  for (const auto& [cluster, each] : managed) view.managed.emplace(cluster, &each->body());
  return plan_configuration(view);
}

void AddOnConfigurationController::work(const std::string& name) {
  const client::ObjectPtr object =
      followed_.store(AddOnResource::AddOns).find({.ns = "", .name = name});
  if (!object) return reconciler_.finish(name);
  const Instant begin = env_.clock.monotonic();
  const AddOn add_on = read_add_on(object->body());
  const auto managed = managed_of(followed_.store(AddOnResource::Managed), name);
  ConfigurationPlan made = plan(add_on, *object, managed);
  const Instant end = env_.clock.monotonic();
  rests_until_ = end + kRestPerWork * (end - begin);
  for (const std::string& problem : made.problems) {
    env_.log.warn("addons.rollout_unreadable", {{"addon", name}, {"error", problem}});
  }
  if (made.recheck) {
    reconciler_.add_after(name, std::clamp<Duration>(*made.recheck - env_.clock.now(),
                                                     std::chrono::milliseconds(1), kNapMax));
  }
  std::vector<control::Change> changes;
  if (made.object != object->body()) {
    changes.push_back({.resource = resource_of(AddOnResource::AddOns),
                       .before = object->body(),
                       .after = std::move(made.object)});
  }
  for (auto& [cluster, after] : made.managed) {
    changes.push_back({.resource = resource_of(AddOnResource::Managed),
                       .before = managed.at(cluster)->body(),
                       .after = std::move(after)});
  }
  if (changes.empty()) return reconciler_.finish(name);
  submit(name, std::move(changes));
}

void AddOnConfigurationController::submit(const std::string& name,
                                          std::vector<control::Change> changes) {
  submit_each(committer_, std::move(changes), scope_.guard([this, name](const Status& status) {
    if (!status.ok() && is_refusal(status.error())) {
      env_.log.warn("addons.configuration_failed",
                    {{"addon", name}, {"error", status.error().message}});
    }
    reconciler_.finish(name, status);
  }));
}

}  // namespace berth::fleet
