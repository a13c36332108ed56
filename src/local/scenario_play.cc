#include "local/scenario_play.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "api/kinds/fields.h"

namespace berth::local {
namespace {

using json::Value;
using Kind = ScenarioStep::Kind;

constexpr std::string_view kPlacementLabel = "cluster.open-cluster-management.io/placement";

// A load on its way from one height to another.
struct Slope {
  Duration since = Duration::zero();
  Duration over = Duration::zero();
  int from = 0;
  int to = 0;

  int at(Duration elapsed) const {
    if (elapsed >= since + over) return to;
    const double part =
        std::chrono::duration<double>(elapsed - since) / std::chrono::duration<double>(over);
    return from + static_cast<int>((to - from) * part);
  }
};

void set_all(std::map<std::string, ClusterScene>& scene, const std::vector<std::string>& names,
             bool ClusterScene::* what, bool truth) {
  for (const std::string& name : names) scene[name].*what = truth;
}

std::string names_of(const std::set<std::string>& clusters) {
  return clusters.empty() ? "nowhere" : fmt::format("on {}", fmt::join(clusters, ", "));
}

double seconds(Duration length) { return std::chrono::duration<double>(length).count(); }

std::string place_of(const ScenarioStep& step) {
  return step.line > 0 ? fmt::format("line {}", step.line)
                       : fmt::format("the step at {} s", seconds(step.at));
}

}  // namespace

std::map<std::string, ClusterScene> scene_at(const Scenario& scenario, Duration elapsed) {
  std::map<std::string, ClusterScene> scene;
  std::map<std::string, Slope> slopes;
  for (const ScenarioCluster& cluster : scenario.clusters) {
    scene[cluster.name].is_there = scenario.first_clusters.contains(cluster.name);
  }
  for (const ScenarioStep& step : scenario.timeline) {
    if (step.at > elapsed) break;
    if (step.kind == Kind::Join) set_all(scene, step.clusters, &ClusterScene::is_there, true);
    if (step.kind == Kind::Outage) set_all(scene, step.clusters, &ClusterScene::is_out, true);
    if (step.kind == Kind::Silence) set_all(scene, step.clusters, &ClusterScene::is_silent, true);
    if (step.kind == Kind::Recovery) {
      set_all(scene, step.clusters, &ClusterScene::is_out, false);
      set_all(scene, step.clusters, &ClusterScene::is_silent, false);
    }
    for (const auto& [name, load] : step.loads) {
      slopes[name] = {
          .since = step.at, .over = step.over, .from = slopes[name].at(step.at), .to = load};
    }
  }
  for (const auto& [name, slope] : slopes) scene[name].load = slope.at(elapsed);
  return scene;
}

Decided decided_by(std::span<const Value> decisions) {
  Decided decided;
  for (const Value& decision : decisions) {
    const api::ObjectFacts facts = api::read_facts(decision);
    if (facts.object_namespace != "default") continue;
    std::set<std::string>& clusters = decided[std::string(facts.label(kPlacementLabel))];
    for (const Value& one : api::elements_field(api::field(decision, "status"), "decisions")) {
      clusters.insert(api::text_field(one, "clusterName"));
    }
  }
  return decided;
}

ScenarioJudge::ScenarioJudge(const Scenario& scenario) {
  for (const ScenarioStep& step : scenario.timeline) {
    end_ = std::max(end_, step.at + step.over);
    for (const auto& [placement, clusters] : step.decisions) {
      pending_.push_back({&step, placement, &clusters});
    }
  }
  expectations_ = static_cast<int>(pending_.size());
}

std::vector<ScenarioVerdict> ScenarioJudge::look(Duration elapsed, const Decided& decided) {
  static const std::set<std::string> kNowhere;
  std::vector<ScenarioVerdict> verdicts;
  std::erase_if(pending_, [&](const Pending& one) {
    const ScenarioStep& step = *one.step;
    if (elapsed < step.at) return false;
    const auto found = decided.find(one.placement);
    const std::set<std::string>& now = found == decided.end() ? kNowhere : found->second;
    if (now == *one.clusters) {
      ++came_true_;
      verdicts.push_back({.placement = one.placement,
                          .came_true = true,
                          .text = fmt::format("{}: {} is {}, as expected", place_of(step),
                                              one.placement, names_of(now))});
      return true;
    }
    if (elapsed < step.at + step.within) return false;
    ++failures_;
    verdicts.push_back({.placement = one.placement,
                        .text = fmt::format("{}: {} should be {} within {} s, and is {}",
                                            place_of(step), one.placement, names_of(*one.clusters),
                                            seconds(step.within), names_of(now))});
    return true;
  });
  return verdicts;
}

}  // namespace berth::local
