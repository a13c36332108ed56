#include "scores/sources/score_source_controller.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/add_on_placement_score.h"
#include "api/kinds/placement_decision.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "scores/score_status.h"

namespace berth::scores {
namespace {

constexpr std::string_view kOcmGroup = "cluster.open-cluster-management.io";

client::ObjectKey score_key(const SourceState& state, const std::string& cluster) {
  return {.ns = cluster, .name = state.source().target};
}

std::optional<control::Event> event_of(const json::Value& source,
                                       const std::optional<SourceNews>& news) {
  if (!news) return std::nullopt;
  const bool is_trouble = news->kind == SourceNews::Kind::Trouble;
  return control::Event{
      .regarding = control::object_reference(source),
      .type = is_trouble ? control::EventType::Warning : control::EventType::Normal,
      .reason = news->reason,
      .action = "Score",
      .note = news->message};
}

}  // namespace

client::Gvr source_resource() { return {"scores.berth.dev", "v1alpha1", "scoresources"}; }

ScoreSourceController::ScoreSourceController(const env::Env& env, client::Api& api,
                                             client::Informers& informers,
                                             control::RecorderService& recorder,
                                             const control::MayWrite& may_write,
                                             ScoreSourceOptions options)
    : env_(env),
      api_(api),
      recorder_(recorder),
      options_(options),
      pacer_(options.writes, Random(env::new_seed(env.entropy))),
      committer_(env.loop, api, may_write, {.field_manager = "berth-scores"}),
      reconciler_(env, "scoresources", options.in_work_max, [this](const Key& key) { work(key); }),
      materials_(
          env, api, [this](const std::string& ns) { add_sources_of(ns); },
          [this] { start_when_synced(); }),
      followed_(
          informers,
          std::array{std::pair(Kind::Sources, source_resource()),
                     std::pair(Kind::Scores, score_resource()),
                     std::pair(Kind::Clusters,
                               client::Gvr{std::string(kOcmGroup), "v1", "managedclusters"}),
                     std::pair(Kind::Decisions, client::Gvr{std::string(kOcmGroup), "v1beta1",
                                                            "placementdecisions"})},
          [this](Kind kind, const client::ObjectKey& key) { on_changed(kind, key); },
          [this] { start_when_synced(); }) {}

void ScoreSourceController::start_when_synced() {
  if (has_synced()) reconciler_.start();
}

void ScoreSourceController::on_changed(Kind kind, const client::ObjectKey& key) {
  switch (kind) {
    case Kind::Sources:
    case Kind::Scores:
      return reconciler_.add({kind, key});
    case Kind::Decisions:
      return add_sources_of(key.ns);
    case Kind::Clusters:
      for (const auto& [source, active] : sources_) reconciler_.add({Kind::Sources, source});
  }
}

void ScoreSourceController::add_sources_of(const std::string& ns) {
  for (auto at = sources_.lower_bound({.ns = ns}); at != sources_.end() && at->first.ns == ns;
       ++at) {
    reconciler_.add({Kind::Sources, at->first});
  }
}

void ScoreSourceController::add_scores_of(const Active& active) {
  if (!active.state) return;
  for (const std::string& cluster : active.state->clusters()) {
    reconciler_.add({Kind::Scores, score_key(*active.state, cluster)});
  }
}

void ScoreSourceController::work(const Key& key) {
  key.kind == Kind::Sources ? work_source(key) : work_score(key);
}

void ScoreSourceController::work_source(const Key& key) {
  const client::ObjectPtr object = followed_.store(Kind::Sources).find(key.object);
  if (!object || api::Metadata(object->body()).is_being_deleted()) {
    retire(key.object);
    return reconciler_.finish(key);
  }
  Active& active = sources_[key.object];
  refresh(key.object, *object, active);
  write_status(key, *object, active);
}

// Its scores find out that nobody stands for them any more.
void ScoreSourceController::retire(const client::ObjectKey& source) {
  const auto found = sources_.find(source);
  if (found == sources_.end()) return;
  const Active gone = std::move(found->second);
  sources_.erase(found);
  add_scores_of(gone);
}

void ScoreSourceController::refresh(const client::ObjectKey& source, const client::Object& object,
                                    Active& active) {
  if (active.uid != object.uid()) {  // Deleted and made again between two looks.
    add_scores_of(active);
    active = {};
    active.uid = object.uid();
  }
  auto read = read_score_source(object.body());
  const bool same = read.ok() && active.state && same_spec(active.state->source(), *read);
  active.refusal = read.ok() ? std::nullopt : std::optional(read.error());
  active.obstacle = std::nullopt;
  if (same) {
    active.state->set_facts(std::move(read->facts));
  } else {
    add_scores_of(active);  // Under the old name they are no longer wanted.
    active.runner = nullptr;
    active.taken.clear();
    active.state = std::nullopt;
    if (read.ok()) active.state.emplace(*std::move(read));
  }
  if (!active.state) return;
  refresh_clusters(active);
  refresh_runner(source, active);
}

void ScoreSourceController::refresh_clusters(Active& active) {
  const ScoreSource& source = active.state->source();
  std::set<std::string> selected;
  bool is_decided = false;
  for (const client::ObjectPtr& object :
       followed_.store(Kind::Decisions).in_namespace(source.facts.object_namespace)) {
    const auto decision = api::read_placement_decision(object->body());
    if (decision.placement() != source.placement || decision.facts.is_deleting) continue;
    is_decided = true;
    for (const auto& chosen : decision.decisions) selected.insert(chosen.cluster);
  }
  if (!is_decided) {
    active.obstacle = Obstacle{"PlacementNotDecided",
                               fmt::format("there is no PlacementDecision of the Placement {}/{}",
                                           source.facts.object_namespace, source.placement)};
  }
  std::vector<api::ManagedCluster> clusters;
  for (const std::string& name : selected) {
    const client::ObjectPtr cluster = followed_.store(Kind::Clusters).find({.name = name});
    if (cluster) clusters.push_back(api::read_managed_cluster(cluster->body()));
  }
  if (selected != active.state->clusters()) add_scores_of(active);  // Also those that leave.
  if (active.state->set_clusters(selected, clusters)) add_scores_of(active);
  std::erase_if(active.taken, [&](const std::string& name) { return !selected.contains(name); });
}

void ScoreSourceController::refresh_runner(const client::ObjectKey& source, Active& active) {
  const Endpoint& endpoint = active.state->source().endpoint;
  auto access = read_access(endpoint, [&](MaterialRef::Kind kind, const std::string& name) {
    return materials_.find(source.ns, kind, name);
  });
  if (!access.ok()) active.obstacle = Obstacle{"CredentialsMissing", access.error().message};
  if (active.obstacle) {
    active.runner = nullptr;
    return;
  }
  if (active.runner && *access == active.access) return;
  auto client = PrometheusClient::make(env_, endpoint, *access);
  if (!client.ok()) {
    active.obstacle = Obstacle{"EndpointUnusable", client.error().message};
    active.runner = nullptr;
    return;
  }
  active.access = *std::move(access);
  active.runner = std::make_unique<QueryRunner>(
      env_, active.state->source(), *std::move(client),
      [this, source](const ScoreQuery& query, Result<PrometheusAnswer> answer, Time asked) {
        on_answer(source, query, std::move(answer), asked);
      });
}

void ScoreSourceController::on_answer(const client::ObjectKey& source, const ScoreQuery& query,
                                      Result<PrometheusAnswer> answer, Time asked) {
  Active& active = sources_.at(source);
  const bool is_news =
      !answer.ok() && active.state->outcome(query.score_name).last_error != answer.error().message;
  if (is_news) {
    env_.log.warn("scores.query_failed", {{"source", source.text()},
                                          {"score", query.score_name},
                                          {"error", answer.error().message}});
  }
  active.state->take(query, std::move(answer), asked);
  add_scores_of(active);
  reconciler_.add({Kind::Sources, source});
}

// What people wait for at once; what only counts on, now and then.
void ScoreSourceController::write_status(const Key& key, const client::Object& object,
                                         Active& active) {
  const SourceReport report{.generation = api::Metadata(object.body()).generation(),
                            .refusal = active.refusal,
                            .obstacle = active.obstacle,
                            .state = active.state ? &*active.state : nullptr,
                            .taken = active.taken};
  const json::Value& before = api::field(object.body(), "status");
  const bool is_told = api::integer_field(before, "observedGeneration") == report.generation;
  if (is_told && is_starting(report)) return reconciler_.finish(key);
  json::Value after = source_status(before, report, env_.clock.now());
  if (after == before) return reconciler_.finish(key);
  if (!differs_in_substance(before, after) && active.status_written) {
    const Duration left =
        *active.status_written + options_.status_interval - env_.clock.monotonic();
    if (left > Duration::zero()) {
      reconciler_.add_after(key, left);
      return reconciler_.finish(key);
    }
  }
  active.status_written = env_.clock.monotonic();
  const auto news = news_of(before, after);
  control::Change change{
      .resource = source_resource(), .before = object.body(), .after = object.body()};
  (*change.after)["status"] = std::move(after);
  committer_.submit(
      std::move(change),
      scope_.guard([this, key, event = event_of(object.body(), news)](const Status& status) {
        on_status_written(key, status);
        // Only what is on record is told: so nobody hears twice of it, not even after a restart.
        if (event && status.ok()) recorder_.record(*event);
      }));
}

void ScoreSourceController::on_status_written(const Key& key, const Status& status) {
  const bool gone = !status.ok() && client::is_not_found(status.error());
  if (!status.ok() && !gone && !client::is_stale_write(status.error())) {
    env_.log.warn("scores.status_failed",
                  {{"source", key.object.text()}, {"error", status.error().message}});
  }
  reconciler_.finish(key, gone ? Status() : status);
}

ScoreSourceController::Active* ScoreSourceController::find_source(const std::string& uid) {
  const auto found =
      std::ranges::find_if(sources_, [&](const auto& entry) { return entry.second.uid == uid; });
  return uid.empty() || found == sources_.end() ? nullptr : &found->second;
}

// The source that may make the object: its owner or else the first. All others find it taken.
ScoreSourceController::Active* ScoreSourceController::claimant_of(const client::ObjectKey& score,
                                                                  const Active* owner) {
  Active* first = nullptr;
  const bool exists = followed_.store(Kind::Scores).find(score) != nullptr;
  for (auto& [source, active] : sources_) {
    const bool claims = active.state && active.state->source().target == score.name &&
                        active.state->clusters().contains(score.ns);
    if (!claims) continue;
    const bool has_it = exists ? &active == owner : !first;
    if (has_it) first = &active;
    const bool changed =
        has_it ? active.taken.erase(score.ns) > 0 : active.taken.insert(score.ns).second;
    if (changed) reconciler_.add({Kind::Sources, source});
  }
  return first;
}

void ScoreSourceController::work_score(const Key& key) {
  const client::ObjectPtr object = followed_.store(Kind::Scores).find(key.object);
  const std::string uid = object ? source_uid_of(object->body()) : "";
  const Active* owner = find_source(uid);
  const Active* claimant = claimant_of(key.object, owner);
  if (claimant) return publish(key, object.get(), *claimant);
  const bool is_ours = object && !uid.empty() && !api::Metadata(object->body()).is_being_deleted();
  if (!is_ours) {
    pacer_.give_up(key.object);
    return reconciler_.finish(key);
  }
  if (!owner) return confirm_orphan(key, object);
  const bool is_renamed = owner->state && owner->state->source().target != key.object.name;
  if (is_renamed) {
    return submit_score(key, {.resource = score_resource(), .before = object->body()});
  }
  remove_when_over(key, *object);
}

void ScoreSourceController::publish(const Key& key, const client::Object* object,
                                    const Active& active) {
  const Time now = env_.clock.now();
  PublicationPlan plan = plan_publication(object ? &object->body() : nullptr,
                                          active.state->publication(key.object.ns), now);
  if (plan.look_again) reconciler_.add_after(key, *plan.look_again - now);
  if (!plan.after) {
    pacer_.give_up(key.object);
    return reconciler_.finish(key);
  }
  control::Change change{.resource = score_resource(), .after = *std::move(plan.after)};
  if (object) change.before = object->body();
  submit_score(key, std::move(change));
}

// A cluster that left the placement, or a source that is refused now: the score lapses, so that a
// moment of confusion costs nothing, and what has lapsed goes.
void ScoreSourceController::remove_when_over(const Key& key, const client::Object& object) {
  const auto score = api::read_add_on_placement_score(object.body());
  const Time now = env_.clock.now();
  if (score.valid_until && *score.valid_until > now) {
    reconciler_.add_after(key, *score.valid_until - now);
    return reconciler_.finish(key);
  }
  submit_score(key, {.resource = score_resource(), .before = object.body()});
}

// The cache may not know the source yet; nothing is deleted on a rumour.
void ScoreSourceController::confirm_orphan(const Key& key, const client::ObjectPtr& object) {
  const auto name = api::Metadata(object->body()).annotations().find(kSourceAnnotation);
  const auto source = client::ObjectKey::parse(name.value_or(""));
  if (!source.ok() || source->ns.empty()) return reconciler_.finish(key);  // Not by us.
  api_.get({.resource = source_resource(), .ns = source->ns, .name = source->name},
           scope_.guard([this, key, object](const Result<json::Value>& answer) {
             if (!answer.ok() && !client::is_not_found(answer.error())) {
               return reconciler_.finish(key, failure(answer.error()));
             }
             const bool lives = answer.ok() &&
                                api::Metadata(*answer).uid() == source_uid_of(object->body()) &&
                                !api::Metadata(*answer).is_being_deleted();
             if (lives) return reconciler_.finish(key);
             submit_score(key, {.resource = score_resource(), .before = object->body()});
           }));
}

void ScoreSourceController::submit_score(const Key& key, control::Change change) {
  const Duration wait = pacer_.turn(key.object, env_.clock.monotonic());
  if (wait > Duration::zero()) {  // Then it is looked at anew.
    reconciler_.add_after(key, wait);
    return reconciler_.finish(key);
  }
  committer_.submit(std::move(change), scope_.guard([this, key](const Status& status) {
    pacer_.on_written(status, env_.clock.monotonic());
    const bool known = !status.ok() && (client::is_stale_write(status.error()) ||
                                        client::is_already_exists(status.error()));
    if (!status.ok() && !known) {
      env_.log.warn("scores.write_failed",
                    {{"score", key.object.text()}, {"error", status.error().message}});
    }
    reconciler_.finish(key, status);
  }));
}

}  // namespace berth::scores
