// Tested by tests/kube/up_test.cc.
#include "app/up/scenario_run.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "fleet/registration/resources.h"
#include "local/scenario_play.h"

namespace berth::app {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr Duration kPeriod = 500ms;
constexpr Duration kPatience = 2min;  // Until all have scores.

const client::ResourcePath kDecisions{
    .resource = {"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"},
    .ns = "default"};

Duration now() { return std::chrono::steady_clock::now().time_since_epoch(); }

// Makes the fleet as it should be at that moment.
Status arrange(const ScenarioRun& run, Duration elapsed) {
  for (const auto& [name, scene] : local::scene_at(run.scenario, elapsed)) {
    RETURN_IF_ERROR(run.fleet.set_there(name, scene.is_there && !scene.is_out));
    run.fleet.set_silent(name, scene.is_silent);
    RETURN_IF_ERROR(run.fleet.set_load(name, scene.load));
  }
  return run.fleet.let_in_newcomers();
}

// Whether every cluster that is there from the beginning has scores.
bool has_scores(const ScenarioRun& run) {
  const auto scores = run.fleet.hub().list({.resource = fleet::placement_scores()});
  if (!scores.ok()) return false;
  std::set<std::string> scored;
  for (const Value& score : *scores) {
    if (api::text_field(api::field(score, "status"), "validUntil").empty()) continue;
    scored.insert(api::read_facts(score).object_namespace);
  }
  return std::ranges::includes(scored, run.scenario.first_clusters);
}

// What fails is tried again with the next look; it is told once.
class Troubles {
 public:
  explicit Troubles(const ScenarioRun& run) : run_(run) {}

  void note(const Status& status) {
    const std::string message = status.ok() ? "" : status.error().message;
    if (!message.empty() && message != last_) run_.tell("scenario: " + message);
    last_ = message;
  }

 private:
  const ScenarioRun& run_;
  std::string last_;
};

void judge_now(const ScenarioRun& run, local::ScenarioJudge& judge, Duration elapsed) {
  const auto decisions = run.fleet.hub().list(kDecisions);
  if (!decisions.ok()) return;
  for (const auto& verdict : judge.look(elapsed, local::decided_by(*decisions))) {
    std::string text = "scenario: " + verdict.text;
    if (!verdict.came_true) text += "\n" + run.explain(verdict.placement);
    run.tell(text);
  }
}

}  // namespace

Result<int> play(const ScenarioRun& run) {
  Troubles troubles(run);
  const Duration opened = now();
  do {
    troubles.note(arrange(run, Duration::zero()));
    if (now() - opened > kPatience) {
      return failure(Code::Timeout, "not all clusters have scores; see the log");
    }
    if (!run.wait(kPeriod)) return 0;
  } while (!has_scores(run));
  run.tell(fmt::format("scenario: begins: {}", run.scenario.about));
  local::ScenarioJudge judge(run.scenario);
  const Duration began = now();
  for (Duration elapsed = 0s; !judge.is_over(elapsed); elapsed = now() - began) {
    troubles.note(arrange(run, elapsed));
    judge_now(run, judge, elapsed);
    if (!run.wait(kPeriod)) break;
  }
  run.tell(fmt::format("scenario: ends: {} of {} expectations came true", judge.came_true(),
                       judge.expectations()));
  return judge.failures();
}

std::vector<FleetCluster> clusters_of(const local::Scenario& scenario) {
  std::vector<FleetCluster> clusters;
  for (const local::ScenarioCluster& script : scenario.clusters) {
    clusters.push_back({.name = script.name,
                        .nodes = script.nodes,
                        .joins_later = !scenario.first_clusters.contains(script.name)});
  }
  return clusters;
}

}  // namespace berth::app
