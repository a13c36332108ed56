#include "placement/placement_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/placement_decision.h"
#include "client/errors.h"

namespace berth::placement {
namespace {

// Placements whose writes are done wait for the caches; others are written meanwhile.
constexpr std::size_t kInWorkPerWrite = 4;

// Some 5 ms, and one evaluation more: at most 1,000,000, which is 10 ms.
constexpr std::uint64_t kSliceCost = 500'000;
constexpr Duration kSlicePause = std::chrono::milliseconds(5);

// So many of the long runs take turns; the others wait for one of them to end, because what a run
// has found takes memory.
constexpr std::size_t kTakingTurns = 4;

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

Options measured(Options options, Stopwatch& stopwatch) {
  options.stopwatch = &stopwatch;
  return options;
}

json::Value reference_to(const api::ObjectFacts& facts) {
  return json::Value::object({{"apiVersion", "cluster.open-cluster-management.io/v1beta1"},
                              {"kind", "Placement"},
                              {"namespace", facts.object_namespace},
                              {"name", facts.name},
                              {"uid", facts.uid},
                              {"resourceVersion", facts.resource_version}});
}

}  // namespace

PlacementController::PlacementController(const env::Env& env, client::Api& api,
                                         client::Informers& informers,
                                         control::RecorderService& recorder,
                                         control::MayWrite may_write,
                                         PlacementControllerOptions options)
    : env_(env),
      recorder_(recorder),
      options_(options),
      plugin_metrics_(env),
      situation_(measured(options.engine, plugin_metrics_)),
      committer_(env.loop, api, std::move(may_write),
                 {.in_flight_max = options.in_flight_max, .field_manager = "berth-placement"}),
      reconciler_(env, "placement", kInWorkPerWrite * options.in_flight_max,
                  [this](const api::ObjectKey& key) { begin(key); }),
      scheduling_seconds_(
          scheduling_histogram(env.metrics, {.name = "scheduling_scheduling_duration_seconds",
                                             .help = "How long it takes to decide a placement."})),
      bind_seconds_(scheduling_histogram(env.metrics,
                                         {.name = "scheduling_bind_duration_seconds",
                                          .help = "How long it takes to write decisions down."})),
      followed_(
          informers, resources_of(kWatched),
          [this](Watched kind, const api::ObjectKey& key) { refresh(kind, key); },
          [this] { on_synced(); }) {
  arm_tick();
}

void PlacementController::on_synced() {
  env_.log.info("placement.synced", {{"placements", situation_.placements()},
                                     {"clusters", situation_.fleet().clusters().index_end()}});
  reconciler_.start();
}

void PlacementController::refresh(Watched kind, const api::ObjectKey& key) {
  const auto& store = followed_.store(kind);
  if (kind == Watched::Decisions && defer(key, store.find(key).get())) return;
  const std::vector<api::ObjectKey> concerned = take(kind, key);
  // Of a placement in work it is mostly its own status; finish() tells.
  if (kind == Watched::Placements && in_work_.contains({key.ns, key.name})) return;
  enqueue(concerned);
}

std::vector<api::ObjectKey> PlacementController::take(Watched kind, const api::ObjectKey& key) {
  const client::ObjectPtr object = followed_.store(kind).find(key);
  const bool had_objects = situation_.keeps_cluster_objects();
  std::vector<api::ObjectKey> concerned =
      object ? situation_.put(kind, object->body()) : situation_.remove(kind, key.ns, key.name);
  if (situation_.keeps_cluster_objects() != had_objects) put_all_clusters();
  return concerned;
}

std::string PlacementController::version_of(Watched kind, const api::ObjectKey& key) const {
  const client::ObjectPtr object = followed_.store(kind).find(key);
  return std::string(object ? object->resource_version() : std::string_view{});
}

// Decisions of a placement in work stay as they are planned until it is finished.
bool PlacementController::defer(const api::ObjectKey& decision, const client::Object* object) {
  std::vector<std::string> placements;
  if (object) placements.emplace_back(api::read_placement_decision(object->body()).placement());
  if (const auto* known = situation_.fleet().decisions().find({decision.ns, decision.name})) {
    placements.emplace_back(known->placement());
  }
  for (const std::string& placement : placements) {
    const auto work = in_work_.find({decision.ns, placement});
    if (work == in_work_.end()) continue;
    work->second.decisions.insert(decision.name);
    return true;
  }
  return false;
}

void PlacementController::put_all_clusters() {
  for (const client::ObjectPtr& cluster : followed_.store(Watched::Clusters).objects()) {
    enqueue(situation_.put(Watched::Clusters, cluster->body()));
  }
}

void PlacementController::enqueue(const std::vector<api::ObjectKey>& keys) {
  for (const api::ObjectKey& key : keys) reconciler_.add(key);
}

void PlacementController::begin(const api::ObjectKey& key) {
  std::optional<Run> rest = go_on({.key = key});
  if (!rest) return;
  reconciler_.set_aside(key);
  if (line_.size() >= kTakingTurns) rest->begun.reset();
  line_.push_back(*std::move(rest));
  if (line_.size() == 1) arm_slice();
}

void PlacementController::take_turn() {
  Run run = std::move(line_.front());
  line_.pop_front();
  if (std::optional<Run> rest = go_on(std::move(run))) {
    const std::size_t place = std::min(line_.size(), kTakingTurns - 1);
    line_.insert(line_.begin() + static_cast<std::ptrdiff_t>(place), *std::move(rest));
  }
  if (!line_.empty()) arm_slice();
}

void PlacementController::arm_slice() {
  slice_ = env::after(env_.loop, env_.clock, kSlicePause, scope_.guard([this] { take_turn(); }));
}

std::optional<PlacementController::Run> PlacementController::go_on(Run run) {
  const CompiledPlacement* placement = situation_.find(run.key);
  if (!placement) {
    set_expiry(run.key, std::nullopt);
    reconciler_.finish(run.key);
    return std::nullopt;
  }
  const std::string& version = placement->placement.facts.resource_version;
  if (!run.begun || run.placement_version != version) {
    run.begun.emplace(env_.clock.now(), options_.engine.expression_budget);
    run.placement_version = version;
  }
  const Instant began = env_.clock.monotonic();
  run.begun->begin_slice(kSliceCost);
  Result<Plan> plan = situation_.plan(run.key, *run.begun);
  run.lasted += env_.clock.monotonic() - began;
  if (plan.ok() && plan->is_paused) return run;
  ++plans_;
  scheduling_seconds_.observe(seconds(run.lasted));
  if (!plan.ok()) {
    env_.log.warn("placement.unreadable_fleet",
                  {{"placement", run.key.text()}, {"error", plan.error().message}});
    reconciler_.finish(run.key);  // What makes it readable again wakes it.
    return std::nullopt;
  }
  set_expiry(run.key, plan->valid_until);
  if (plan->writes.empty()) {
    reconciler_.finish(run.key);
  } else {
    submit(run.key, *std::move(plan));
  }
  return std::nullopt;
}

void PlacementController::submit(const api::ObjectKey& key, Plan plan) {
  situation_.assume(key, plan);
  Work work{.commit = nullptr,
            .began = env_.clock.monotonic(),
            .placement_version = situation_.find(key)->placement.facts.resource_version,
            .runs_again = plan.runs_again};
  for (const PlannedWrite& write : plan.writes) {
    if (write.kind != PlannedWrite::Kind::PatchPlacementStatus) work.decisions.insert(write.name);
  }
  work.commit = std::make_shared<PlanCommit>(key, std::move(plan.writes));
  const auto commit = work.commit;
  in_work_.emplace(key, std::move(work));
  pace_events();
  committer_.submit(commit,
                    scope_.guard([this, key](const Status& status) { on_committed(key, status); }));
}

void PlacementController::on_committed(const api::ObjectKey& key, const Status& status) {
  Work& work = in_work_.at(key);
  bind_seconds_.observe(seconds(env_.clock.monotonic() - work.began));
  tell(key, *work.commit);
  // That others write too is everyday life.
  if (!status.ok() && !client::is_stale_write(status.error()) &&
      !client::is_conflict(status.error())) {
    env_.log.warn("placement.write_failed",
                  {{"placement", key.text()}, {"error", status.error().message}});
  }
  work.status = status;
  work.began = env_.clock.monotonic();
  await_caches(key);
}

void PlacementController::await_caches(const api::ObjectKey& key) {
  Work& work = in_work_.at(key);
  const WrittenVersions versions = work.commit->versions();
  const auto await = [&](Watched kind, const std::string& version) {
    if (version.empty()) return;
    ++work.caches_awaited;
    followed_.informer(kind).when_reached(version, scope_.guard([this, key, commit = work.commit] {
      const auto found = in_work_.find(key);
      if (found == in_work_.end() || found->second.commit != commit) return;
      if (--found->second.caches_awaited == 0) finish(key);
    }));
  };
  await(Watched::Decisions, versions.decisions);
  await(Watched::Placements, versions.placement);
  if (work.caches_awaited == 0) finish(key);
}

void PlacementController::finish(const api::ObjectKey& key) {
  const Work work = std::move(in_work_.extract(key).mapped());
  const bool has_news = take_up(key, work);
  pace_events();
  if (work.runs_again) {
    reconciler_.finish_unsettled(key);
  } else {
    reconciler_.finish(key, *work.status);
  }
  if (has_news) reconciler_.add(key);
}

bool PlacementController::take_up(const api::ObjectKey& key, const Work& work) {
  const auto take_one = [this, &key](Watched kind, const api::ObjectKey& object) {
    for (const api::ObjectKey& concerned : take(kind, object)) {
      if (concerned != key) reconciler_.add(concerned);
    }
  };
  bool decisions_have_news = false;
  for (const std::string& name : work.decisions) {
    const api::ObjectKey decision{.ns = key.ns, .name = name};
    const auto sight = work.commit->compare(name, version_of(Watched::Decisions, decision));
    if (sight == PlanCommit::Sight::NotGoneYet) continue;  // It counts as gone already.
    decisions_have_news = decisions_have_news || sight == PlanCommit::Sight::News;
    take_one(Watched::Decisions, decision);
  }
  take_one(Watched::Placements, key);
  const std::string& written = work.commit->versions().placement;
  const std::string& expected = written.empty() ? work.placement_version : written;
  if (version_of(Watched::Placements, key) != expected) return true;
  return decisions_have_news && work.status->ok();  // After a failure it waits for its turn.
}

void PlacementController::tell(const api::ObjectKey& key, const PlanCommit& commit) {
  const CompiledPlacement* placement = situation_.find(key);
  if (!placement) return;
  const json::Value regarding = reference_to(placement->placement.facts);
  for (const PlanCommit::News& news : commit.news()) {
    const bool is_warning = news.notice.type == Notice::Type::Warning;
    recorder_.record({.regarding = regarding,
                      .type = is_warning ? control::EventType::Warning : control::EventType::Normal,
                      .reason = news.notice.reason,
                      .action = news.notice.action,
                      .note = news.notice.note,
                      .related = news.decision});
  }
}

// Decisions first: events go when none is being written, or have waited long enough.
void PlacementController::pace_events() {
  const Instant now = env_.clock.monotonic();
  if (in_work_.empty()) {
    events_since_ = std::nullopt;
    return recorder_.resume();
  }
  if (!events_since_) {
    events_since_ = now;
    return recorder_.pause();
  }
  if (now - *events_since_ >= options_.events_patience) recorder_.resume();
}

void PlacementController::set_expiry(const api::ObjectKey& key, std::optional<Time> when) {
  if (const auto known = expiry_of_.find(key); known != expiry_of_.end()) {
    expiries_.erase({known->second, key});
    expiry_of_.erase(known);
  }
  if (!when) return;
  expiry_of_.emplace(key, *when);
  expiries_.emplace(*when, key);
  if (expiries_.begin()->second == key) arm_tick();
}

void PlacementController::on_tick() {
  const Time now = env_.clock.now();
  while (!expiries_.empty() && expiries_.begin()->first <= now) {
    const api::ObjectKey key = expiries_.begin()->second;
    set_expiry(key, std::nullopt);
    reconciler_.add(key);
  }
  // A server that was set back never shows the version that is waited for.
  std::vector<api::ObjectKey> late;
  for (const auto& [key, work] : in_work_) {
    const Duration waited = env_.clock.monotonic() - work.began;
    if (work.status && waited > options_.cache_patience) late.push_back(key);
  }
  for (const api::ObjectKey& key : late) finish(key);
  situation_.drop_unread_cluster_objects();
  arm_tick();
}

// At the first expiry, and now and then: the calendar may step, which no timer notices.
void PlacementController::arm_tick() {
  Duration length = options_.tick;
  if (!expiries_.empty()) {
    const Duration left = expiries_.begin()->first - env_.clock.now();
    length = std::clamp<Duration>(left, std::chrono::milliseconds(1), length);
  }
  tick_ = env::after(env_.loop, env_.clock, length, scope_.guard([this] { on_tick(); }));
}

}  // namespace berth::placement
