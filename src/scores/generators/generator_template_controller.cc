#include "scores/generators/generator_template_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include "api/kinds/placement_decision.h"
#include "client/errors.h"
#include "scores/generators/generator_resources_service.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kInWorkMax = 16;

// A cluster can be missing for a moment while it moves from one PlacementDecision to another, and a
// new template may be heard of later than what another leader has made from it: neither is worth
// losing measurements for.
constexpr Duration kPatience = 5s;

// One status for many generators that change together.
constexpr Duration kStatusDelay = 100ms;

client::Gvr decision_resource() {
  return {"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"};
}

}  // namespace

GeneratorTemplateController::GeneratorTemplateController(const env::Env& env, client::Api& api,
                                                         client::Informers& informers,
                                                         control::MayWrite may_write)
    : env_(env),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-scores"}),
      reconciler_(env, "generatortemplates", kInWorkMax, [this](const Key& key) { work(key); }),
      followed_(
          informers,
          std::array{std::pair(Kind::Templates, generator_template_resource()),
                     std::pair(Kind::Decisions, decision_resource()),
                     std::pair(Kind::Generators, generator_resource())},
          [this](Kind kind, const client::ObjectKey& key) { on_changed(kind, key); },
          [this] { reconciler_.start(); }) {}

void GeneratorTemplateController::on_changed(Kind kind, const client::ObjectKey& key) {
  switch (kind) {
    case Kind::Templates:
      return on_template(key);
    case Kind::Decisions:
      return on_decision(key);
    case Kind::Generators:
      return on_generator(key);
  }
}

// All generators that it has made or has to make, by what it was and by what it is.
void GeneratorTemplateController::on_template(const client::ObjectKey& key) {
  reconciler_.add({Part::Status, key});
  if (const auto before = templates_.extract(key)) {
    for (const std::string& cluster : selected_by(before.mapped())) {
      reconciler_.add({Part::Generator, {cluster, key.name}});
    }
  }
  const client::ObjectPtr object = followed_.store(Kind::Templates).find(key);
  if (!object || api::read_facts(object->body()).is_deleting) return;
  GeneratorTemplate source = read_generator_template(object->body());
  for (const std::string& cluster : selected_by(source)) {
    reconciler_.add({Part::Generator, {cluster, key.name}});
  }
  templates_[key] = std::move(source);
}

void GeneratorTemplateController::on_decision(const client::ObjectKey& key) {
  if (const auto before = decided_.extract(key)) {
    decisions_of_[before.mapped().placement].erase(key);
    add_generators(before.mapped().placement, before.mapped().clusters);
  }
  const client::ObjectPtr object = followed_.store(Kind::Decisions).find(key);
  if (!object) return;
  const auto decision = api::read_placement_decision(object->body());
  Decided decided{.placement = {key.ns, std::string(decision.placement())}};
  for (const api::ClusterDecision& item : decision.decisions) {
    decided.clusters.push_back(item.cluster);
  }
  decisions_of_[decided.placement].insert(key);
  add_generators(decided.placement, decided.clusters);
  decided_[key] = std::move(decided);
}

void GeneratorTemplateController::on_generator(const client::ObjectKey& key) {
  reconciler_.add({Part::Generator, key});
  for (const auto& [name, source] : templates_) {
    if (name.name == key.name) reconciler_.add_after({Part::Status, name}, kStatusDelay);
  }
}

// Of every template of that Placement, in these clusters.
void GeneratorTemplateController::add_generators(const client::ObjectKey& placement,
                                                 const std::vector<std::string>& clusters) {
  for (const auto& [name, source] : templates_) {
    if (name.ns != placement.ns || source.placement != placement.name) continue;
    reconciler_.add({Part::Status, name});
    for (const std::string& cluster : clusters) {
      reconciler_.add({Part::Generator, {cluster, name.name}});
    }
  }
}

std::set<std::string> GeneratorTemplateController::selected_by(
    const GeneratorTemplate& source) const {
  std::set<std::string> clusters;
  const auto decisions = decisions_of_.find({source.facts.object_namespace, source.placement});
  if (decisions == decisions_of_.end()) return clusters;
  for (const client::ObjectKey& decision : decisions->second) {
    const std::vector<std::string>& some = decided_.at(decision).clusters;
    clusters.insert(some.begin(), some.end());
  }
  return clusters;
}

bool GeneratorTemplateController::selects(const GeneratorTemplate& source,
                                          const std::string& cluster) const {
  const auto decisions = decisions_of_.find({source.facts.object_namespace, source.placement});
  return decisions != decisions_of_.end() &&
         std::ranges::any_of(decisions->second, [&](const client::ObjectKey& decision) {
           return std::ranges::find(decided_.at(decision).clusters, cluster) !=
                  decided_.at(decision).clusters.end();
         });
}

void GeneratorTemplateController::work(const Key& key) {
  auto change =
      key.part == Part::Generator ? generator_change(key.object) : status_change(key.object);
  if (!change) return reconciler_.finish(key);
  committer_.submit(*std::move(change), scope_.guard([this, key](const Status& status) {
    const bool is_settled = !status.ok() && (client::is_already_exists(status.error()) ||
                                             client::is_namespace_terminating(status.error()));
    if (!status.ok() && !is_settled && !client::is_stale_write(status.error())) {
      env_.log.warn("generatortemplates.write_failed",
                    {{"object", key.object.text()}, {"error", status.error().message}});
    }
    reconciler_.finish(key, is_settled ? Status() : status);
  }));
}

// Which template the generator of that key is to be made from: the one that it was made from, as
// long as that wants it, else the first that does; null: none.
const GeneratorTemplate* GeneratorTemplateController::wanted_by(const client::ObjectKey& generator,
                                                                const std::string& uid) const {
  const GeneratorTemplate* found = nullptr;
  for (const auto& [name, source] : templates_) {
    if (name.name != generator.name || !selects(source, generator.ns)) continue;
    if (source.facts.uid == uid) return &source;
    if (!found) found = &source;
  }
  return found;
}

std::optional<control::Change> GeneratorTemplateController::generator_change(
    const client::ObjectKey& key) {
  const client::ObjectPtr is = followed_.store(Kind::Generators).find(key);
  const std::string uid = is ? template_uid_of(is->body()) : "";
  const GeneratorTemplate* source = wanted_by(key, uid);
  if (source || !is) unwanted_.erase(key);
  if (is && (uid.empty() || api::read_facts(is->body()).is_deleting)) return std::nullopt;
  control::Change change{.resource = generator_resource()};
  if (is) change.before = is->body();
  if (!source) {
    if (!is || !may_delete(key)) return std::nullopt;
    return change;
  }
  if (is && is_current(is->body(), *source, key.ns)) return std::nullopt;
  change.after = generator_from(*source, key.ns, is ? &is->body() : nullptr);
  return change;
}

bool GeneratorTemplateController::may_delete(const client::ObjectKey& key) {
  const Instant now = env_.clock.monotonic();
  const Instant since = unwanted_.emplace(key, now).first->second;
  if (now >= since + kPatience) return true;
  reconciler_.add_after({Part::Generator, key}, since + kPatience - now);
  return false;
}

std::optional<control::Change> GeneratorTemplateController::status_change(
    const client::ObjectKey& key) const {
  const client::ObjectPtr is = followed_.store(Kind::Templates).find(key);
  const auto source = templates_.find(key);
  if (!is || source == templates_.end()) return std::nullopt;
  FanOut fan_out;
  for (const std::string& cluster : selected_by(source->second)) {
    ++fan_out.selected;
    const auto generator = followed_.store(Kind::Generators).find({cluster, key.name});
    if (!generator) continue;
    if (template_uid_of(generator->body()) != source->second.facts.uid) {
      fan_out.taken.push_back(cluster);
    } else if (is_current(generator->body(), source->second, cluster)) {
      ++fan_out.current;
    }
  }
  json::Value after = is->body();
  after["status"] = template_status(api::field(after, "status"), fan_out,
                                    source->second.facts.generation, env_.clock.now());
  if (after == is->body()) return std::nullopt;
  return control::Change{
      .resource = generator_template_resource(), .before = is->body(), .after = std::move(after)};
}

}  // namespace berth::scores
