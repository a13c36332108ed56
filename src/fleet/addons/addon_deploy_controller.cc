// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_deploy_controller.h"

#include <array>
#include <utility>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/addons/addon_writes_controller.h"
#include "fleet/addons/permissions.h"
#include "json/print.h"

namespace berth::fleet {
namespace {

constexpr std::array kFollowed = {AddOnResource::AddOns,    AddOnResource::Managed,
                                  AddOnResource::Templates, AddOnResource::Configs,
                                  AddOnResource::Clusters,  AddOnResource::Works,
                                  AddOnResource::Bindings};
constexpr std::size_t kInWorkMax = 64;

// All that a deployment reads of a cluster; everything else of it changes all the time.
std::string fingerprint(const json::Value& cluster) {
  const api::ObjectFacts facts = api::read_facts(cluster);
  std::string text = facts.is_deleting ? "deleting" : "";
  for (const api::Label& annotation : facts.annotations) {
    if (annotation.key.starts_with(kAddOnGroup) || annotation.key == kImageRegistriesAnnotation) {
      text += "\n" + annotation.key + "=" + annotation.value;
    }
  }
  const json::Value& conditions = api::field(api::field(cluster, "status"), "conditions");
  const json::Value* available =
      api::find_condition(conditions, "ManagedClusterConditionAvailable");
  return text + "\n" + (available ? api::text_field(*available, "status") : "");
}

std::vector<control::Change> changes_of(AddOnResource kind, std::vector<AddOnChange> changes) {
  std::vector<control::Change> made;
  for (AddOnChange& change : changes) {
    control::Change next{.resource = resource_of(kind), .after = std::move(change.after)};
    if (change.before) next.before = *change.before;
    made.push_back(std::move(next));
  }
  return made;
}

}  // namespace

AddOnDeployController::AddOnDeployController(const env::Env& env, client::Api& api,
                                             client::Informers& informers,
                                             const control::MayWrite& may_write)
    : env_(env),
      committer_(env.loop, api, may_write, {.field_manager = "berth-addons"}),
      reconciler_(env, "addon-deploy", kInWorkMax, [this](const AddOnKey& key) { work(key); }),
      followed_(
          informers, resources_of(kFollowed),
          [this](AddOnResource kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {}

void AddOnDeployController::refresh(AddOnResource kind, const client::ObjectKey& key) {
  switch (kind) {
    case AddOnResource::Managed:
      return reconciler_.add({key.ns, key.name});
    case AddOnResource::AddOns:
      return refresh_add_on(key);
    case AddOnResource::Templates:
      return add_with_config(kAddOnTemplates, key);
    case AddOnResource::Configs:
      return add_with_config(kAddOnDeploymentConfigs, key);
    case AddOnResource::Clusters:
      return refresh_cluster(key);
    case AddOnResource::Works:
      return add_in_namespace(key.ns);
    case AddOnResource::Bindings:
      return refresh_binding(key);
    default:
      return;
  }
}

// Its status tells how far all clusters are, and changes with each of them.
void AddOnDeployController::refresh_add_on(const client::ObjectKey& key) {
  if (!add_ons_.has_changed(key, followed_.store(AddOnResource::AddOns).find(key))) return;
  for (const auto& [cluster, managed] :
       managed_of(followed_.store(AddOnResource::Managed), key.name)) {
    reconciler_.add({cluster, key.name});
  }
}

void AddOnDeployController::refresh_cluster(const client::ObjectKey& key) {
  const client::ObjectPtr cluster = followed_.store(AddOnResource::Clusters).find(key);
  const std::string now = cluster ? fingerprint(cluster->body()) : "gone";
  std::string& before = clusters_[key.name];
  if (before == now) return;
  before = now;
  if (!cluster) clusters_.erase(key.name);
  add_in_namespace(key.name);
}

void AddOnDeployController::refresh_binding(const client::ObjectKey& key) {
  const client::ObjectPtr binding = followed_.store(AddOnResource::Bindings).find(key);
  if (const auto known = bindings_.find(key); known != bindings_.end()) {
    reconciler_.add(known->second);
    bindings_of_[known->second].erase(key);
    if (bindings_of_[known->second].empty()) bindings_of_.erase(known->second);
    bindings_.erase(known);
  }
  if (!binding) return;
  const AddOnKey owner = add_on_of_binding(binding->body());
  if (owner.name.empty()) return;
  bindings_[key] = owner;
  bindings_of_[owner].insert(key);
  reconciler_.add(owner);
}

void AddOnDeployController::add_in_namespace(const std::string& cluster) {
  for (const client::ObjectPtr& managed :
       followed_.store(AddOnResource::Managed).in_namespace(cluster)) {
    reconciler_.add({cluster, std::string(managed->name())});
  }
}

void AddOnDeployController::add_with_config(const ConfigKind& kind, const client::ObjectKey& key) {
  const ObjectName object{key.ns, key.name};
  for (const client::ObjectPtr& managed : followed_.store(AddOnResource::Managed).objects()) {
    const auto config = desired_config(managed->body(), kind);
    if (!config || config->object != object) continue;
    reconciler_.add({std::string(managed->ns()), std::string(managed->name())});
  }
}

void AddOnDeployController::work(const AddOnKey& key) {
  const client::ObjectPtr managed =
      followed_.store(AddOnResource::Managed).find({.ns = key.cluster, .name = key.name});
  if (!managed) return clear_away(key);
  const std::optional<AddOn> add_on = add_on_of(*managed);
  if (!add_on) return reconciler_.finish(key);
  run(key, std::make_shared<Stages>(plan(key, *add_on, *managed)));
}

// Bindings in namespaces of others have no owner that would take them along.
void AddOnDeployController::clear_away(const AddOnKey& key) {
  refusals_.erase(key);
  Stage stage{.kind = Stage::Kind::Bindings};
  if (const auto known = bindings_of_.find(key); known != bindings_of_.end()) {
    for (const client::ObjectKey& binding : known->second) {
      const client::ObjectPtr object = followed_.store(AddOnResource::Bindings).find(binding);
      if (!object || api::read_facts(object->body()).label(kClusterNameLabel).empty()) continue;
      stage.changes.push_back(
          {.resource = resource_of(AddOnResource::Bindings), .before = object->body()});
    }
  }
  run(key, std::make_shared<Stages>(Stages{std::move(stage)}));
}

// An add-on that is deleted may be gone before its copies have cleaned up after themselves.
std::optional<AddOn> AddOnDeployController::add_on_of(const client::Object& managed) const {
  const client::ObjectPtr object =
      followed_.store(AddOnResource::AddOns).find({.ns = "", .name = std::string(managed.name())});
  if (object) return read_add_on(object->body());
  const api::ObjectFacts facts = api::read_facts(managed.body());
  const bool has_template = desired_config(managed.body(), kAddOnTemplates).has_value();
  if (!facts.is_deleting || !has_template) return std::nullopt;
  return AddOn{.facts = {.name = facts.name}, .has_template = true};
}

AddOnDeployController::Stages AddOnDeployController::plan(const AddOnKey& key, const AddOn& add_on,
                                                          const client::Object& managed) {
  AddOnDeploymentView view{.add_on = add_on, .managed = managed.body(), .now = env_.clock.now()};
  std::vector<client::ObjectPtr> held;
  const auto body = [&held](client::ObjectPtr object) -> const json::Value* {
    if (!object) return nullptr;
    held.push_back(std::move(object));
    return &held.back()->body();
  };
  view.cluster =
      body(followed_.store(AddOnResource::Clusters).find({.ns = "", .name = key.cluster}));
  if (const auto config = desired_config(managed.body(), kAddOnTemplates)) {
    view.add_on_template = body(
        followed_.store(AddOnResource::Templates).find({.ns = "", .name = config->object.name}));
    view.template_hash = hashes_.find(followed_, config->kind, config->object)->hash;
  }
  if (const auto config = desired_config(managed.body(), kAddOnDeploymentConfigs)) {
    view.config = body(followed_.store(AddOnResource::Configs)
                           .find({config->object.object_namespace, config->object.name}));
    view.config_hash = hashes_.find(followed_, config->kind, config->object)->hash;
  }
  std::vector<const json::Value*> works;
  for (client::ObjectPtr& work : followed_.store(AddOnResource::Works).in_namespace(key.cluster)) {
    const bool is_its = api::read_facts(work->body()).label(kAddonNameLabel) == key.name;
    if (is_its) works.push_back(body(std::move(work)));
  }
  std::vector<const json::Value*> bindings;
  if (const auto known = bindings_of_.find(key); known != bindings_of_.end()) {
    for (const client::ObjectKey& binding : known->second) {
      const json::Value* found = body(followed_.store(AddOnResource::Bindings).find(binding));
      if (found) bindings.push_back(found);
    }
  }
  view.works = works;
  view.bindings = bindings;
  if (const auto known = refusals_.find(key); known != refusals_.end()) {
    view.refusals = known->second;
  }
  return stages_of(key, managed, plan_add_on(view));
}

AddOnDeployController::Stages AddOnDeployController::stages_of(const AddOnKey& key,
                                                               const client::Object& managed,
                                                               AddOnDeploymentPlan plan) {
  Stage told{.kind = Stage::Kind::Managed};
  if (plan.managed != managed.body()) {
    told.changes.push_back({.resource = resource_of(AddOnResource::Managed),
                            .before = managed.body(),
                            .after = std::move(plan.managed)});
  }
  Stages stages = {
      {Stage::Kind::Bindings, changes_of(AddOnResource::Bindings, std::move(plan.bindings))},
      {Stage::Kind::Works, changes_of(AddOnResource::Works, std::move(plan.works))}};
  // What was refused may be refused again: first it is told.
  const bool tells_first = refusals_.contains(key);
  stages.insert(tells_first ? stages.begin() : stages.end(), std::move(told));
  return stages;
}

void AddOnDeployController::run(const AddOnKey& key, std::shared_ptr<Stages> stages) {
  while (!stages->empty() && stages->front().changes.empty()) stages->erase(stages->begin());
  if (stages->empty()) return reconciler_.finish(key);
  Stage stage = std::move(stages->front());
  stages->erase(stages->begin());
  committer_.submit(
      std::move(stage.changes),
      scope_.guard([this, key, stages = std::move(stages), kind = stage.kind](
                       const Status& status) { on_stage(key, stages, kind, status); }));
}

void AddOnDeployController::on_stage(const AddOnKey& key, const std::shared_ptr<Stages>& stages,
                                     Stage::Kind kind, const Status& status) {
  if (status.ok()) {
    if (auto known = refusals_.find(key);
        known != refusals_.end() && kind != Stage::Kind::Managed) {
      (kind == Stage::Kind::Bindings ? known->second.bindings : known->second.works).clear();
      if (known->second.bindings.empty() && known->second.works.empty()) refusals_.erase(known);
      reconciler_.add(key);  // To tell that it is well.
    }
    return run(key, stages);
  }
  const bool is_gone = kind == Stage::Kind::Managed && client::is_not_found(status.error());
  if (is_gone) return reconciler_.finish(key);  // With its last finalizer.
  if (is_refusal(status.error())) {
    env_.log.warn("addons.write_failed",
                  {{"addon", key.text()}, {"error", status.error().message}});
    if (kind == Stage::Kind::Bindings) refusals_[key].bindings = status.error().message;
    if (kind == Stage::Kind::Works) refusals_[key].works = status.error().message;
  }
  reconciler_.finish(key, status);
}

}  // namespace berth::fleet
