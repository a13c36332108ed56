#include "suites/scoring.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "scores/usage/usage_agent_service.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;
using client::testing::ServerBug;
using control::testing::ModelHub;
using json::Value;
using scores::Score;

const client::Gvr& nodes() {
  static const client::Gvr gvr{"", "v1", "nodes"};
  return gvr;
}

const client::Gvr& pods() {
  static const client::Gvr gvr{"", "v1", "pods"};
  return gvr;
}

constexpr int kNodes = 4;
constexpr int kPods = 12;
constexpr Duration kBusy = 5min;

// Everything is faster than in real life, so that minutes are enough.
constexpr scores::PublishTimes kTimes = {
    .refresh = 10s, .validity = 30s, .change_interval = 2s, .retry_max = 5s};
constexpr Duration kSilenceMax = 15s;  // The model server sends bookmarks every five.

// What the hub's time is, is known to about this.
constexpr Duration kBlur = 5s;

// So old may be what a score says while it holds. Nodes and pods come on two watches, so what was
// true of the ones may be older than what was true of the others.
constexpr Duration kAgeMax = kTimes.validity + kSilenceMax + kBlur;

client::ClientConfig config_of(const std::string& machine) {
  client::ClientConfig config = client::testing::model_config("http");
  config.server.host = machine;
  return config;
}

const client::ApiOptions kApiOptions = {.rate = {.per_second = 0},
                                        .call = {.timeout = 5s, .retry = {.attempts_max = 1}}};

scores::UsageOptions usage_options() {
  return {.sets = {scores::ScoreSet::Seed, scores::ScoreSet::Node},
          .resources = {scores::parse_resource("cpu,max=64").value()},
          .shapes = {scores::parse_shape("small=cpu=1500m").value()}};
}

// What `berth agent` is, on a simulated machine.
struct Agent {
  Agent(const env::Env& env, const scores::UsageAgentOptions& options)
      : cluster(env, config_of("cluster"), kApiOptions),
        hub(env, config_of("server"), kApiOptions),
        agent(env, cluster, hub, options) {}

  client::Api cluster;
  client::Api hub;
  scores::UsageAgent agent;
};

Value parsed(const std::string& text) { return json::parse(text).value(); }

class Scoring final : public sim::Workload {
 public:
  explicit Scoring(ScoringMistake mistake) : mistake_(mistake) {}

  void start(sim::World& world) override {
    world_ = &world;
    random_ = world.random().stream("workload");
    for (int i = 0; i < kNodes; ++i) put_node(i);
    for (int i = 0; i < kPods; ++i) put_pod(i);
    remember_truth();
    world.add_node("server").start([this](std::span<env::Env> loops) {
      if (mistake_ != ScoringMistake::OwnCalendar) {
        hub_.calendar = [&clock = loops[0].clock] { return clock.now(); };
      }
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world.add_node("cluster").start([this](std::span<env::Env> loops) {
      const bool forgets = mistake_ == ScoringMistake::LostEvents;
      return std::shared_ptr<client::testing::ModelServer>(
          cluster_.serve(loops[0], {.bug = forgets ? ServerBug::SkippedEvent : ServerBug::None}));
    });
    for (const std::string name : {"left", "right"}) {
      world.add_node(name, {.clock = {.wall_offset = draw_step()}})
          .start([this](std::span<env::Env> loops) {
            return std::make_shared<Agent>(loops[0], agent_options());
          });
    }
    plan_mutation();
  }

  // While a score holds on the hub, it says what was true not long ago, and it does not hold for
  // longer than it should.
  Status check() override {
    const Value* object = hub_.find(scores::score_resource(), "c1/resource-usage-score");
    if (!object) return {};
    const auto published = api::read_add_on_placement_score(*object);
    if (published.scores.empty()) return {};
    if (!published.valid_until) return wrong("the scores hold for ever");
    const Duration left = *published.valid_until - hub_now();
    if (left > kTimes.validity + kBlur) return wrong("the scores hold for too long");
    if (left < 0s || was_true(published.scores)) return {};
    return wrong(fmt::format("the scores hold and are not true: {} {}", published.scores[0].name,
                             published.scores[0].value));
  }

  Status settled() override {
    if (world_->now() < kBusy) return failure(Code::Timeout, "still changing");
    const Value* object = hub_.find(scores::score_resource(), "c1/resource-usage-score");
    if (!object) return failure(Code::Timeout, "there are no scores");
    const auto published = api::read_add_on_placement_score(*object);
    if (!published.valid_until || *published.valid_until < hub_now()) {
      return failure(Code::Timeout, "the scores have lapsed");
    }
    if (published.scores != scores_of(past_nodes_.back().objects, past_pods_.back().objects)) {
      return failure(Code::Timeout, "the scores are not true yet");
    }
    if (!api::is_condition_true(*object, scores::kScoreCondition)) {
      return failure(Code::Timeout, "the condition still tells of trouble");
    }
    return {};
  }

 private:
  using State = client::testing::ModelStore::State;

  // What there was of one kind, and since when.
  struct Past {
    sim::Moment since;
    State objects;
  };
  using History = std::deque<Past>;

  static Status wrong(std::string what) { return failure(Code::InternalError, std::move(what)); }

  scores::UsageAgentOptions agent_options() const {
    scores::UsageAgentOptions options{
        .cluster = "c1", .usage = usage_options(), .times = kTimes, .silence_max = kSilenceMax};
    if (mistake_ == ScoringMistake::BlindTrust) options.silence_max = 24h;
    if (mistake_ == ScoringMistake::NeverLapses) options.times.validity = 10min;
    return options;
  }

  void remember_truth() {
    remember(nodes(), past_nodes_);
    remember(pods(), past_pods_);
  }

  void remember(const client::Gvr& resource, History& history) {
    history.push_back({world_->now(), cluster_.store(resource).state()});
    while (history.size() > 1 && history[1].since + kAgeMax < world_->now()) history.pop_front();
  }

  // Computed afresh.
  static std::vector<Score> scores_of(const State& nodes, const State& pods) {
    scores::ResourceUsage usage(usage_options());
    for (const auto& [key, node] : nodes) (void)usage.put_node(node);
    for (const auto& [key, pod] : pods) (void)usage.put_pod(pod);
    return *scores::checked({.scores = usage.scores()}).scores;
  }

  // Whether they were true not long ago. Newest first: they mostly still are.
  bool was_true(const std::vector<Score>& scores) {
    if (scores == confirmed_ && world_->now() <= confirmed_until_) return true;
    for (std::size_t i = past_nodes_.size(); i-- > 0;) {
      for (std::size_t j = past_pods_.size(); j-- > 0;) {
        const sim::Moment until = std::min(end_of(past_nodes_, i), end_of(past_pods_, j)) + kAgeMax;
        if (until < world_->now()) break;
        if (scores_of(past_nodes_[i].objects, past_pods_[j].objects) != scores) continue;
        confirmed_ = scores;
        confirmed_until_ = until;
        return true;
      }
    }
    return false;
  }

  // Until when that was so: the newest still is.
  sim::Moment end_of(const History& history, std::size_t i) const {
    return i + 1 < history.size() ? history[i + 1].since : world_->now();
  }

  Time hub_now() const { return world_->node("server").clock().wall(world_->now()); }

  Duration draw_step() { return std::chrono::seconds(random_->between(-7200, 7200)); }

  void put_node(int i) {
    cluster_.put(nodes(), parsed(fmt::format(
                              R"({{"metadata":{{"name":"n{}"}},"spec":{{"unschedulable":{}}},
                                  "status":{{"allocatable":{{"cpu":"{}","pods":"8"}},"conditions":[
                                  {{"type":"Ready","status":"{}"}}]}}}})",
                              i, random_->chance(0.1), random_->between(4, 16),
                              random_->chance(0.9) ? "True" : "Unknown")));
  }

  void put_pod(int i) {
    const char* phases[] = {"Pending", "Running", "Running", "Succeeded"};
    cluster_.put(pods(), parsed(fmt::format(
                             R"({{"metadata":{{"name":"p{}","namespace":"ns"}},"spec":{{
                                 "nodeName":"n{}","containers":[{{"name":"c","resources":{{
                                 "requests":{{"cpu":"{}m"}}}}}}]}},"status":{{"phase":"{}"}}}})",
                             i, random_->below(kNodes), random_->between(0, 4000),
                             phases[random_->below(std::size(phases))])));
  }

  void mutate() {
    const int draw = static_cast<int>(random_->below(10));
    const int node = static_cast<int>(random_->below(kNodes));
    const int pod = static_cast<int>(random_->below(kPods));
    if (draw < 6) return put_pod(pod);
    if (draw < 8) return cluster_.erase(pods(), fmt::format("ns/p{}", pod));
    if (draw == 8) return put_node(node);
    const std::string agent = random_->chance(0.5) ? "left" : "right";
    world_->node(agent).clock().step_wall(draw_step());
  }

  void plan_mutation() {
    const Duration gap = std::chrono::milliseconds(random_->between(1, 5000));
    world_->schedule().add(world_->now() + gap, [this] {
      mutate();
      remember_truth();
      if (world_->now() < kBusy) plan_mutation();
    });
  }

  ScoringMistake mistake_;
  sim::World* world_ = nullptr;
  std::optional<Random> random_;
  ModelHub hub_;
  ModelHub cluster_;
  History past_nodes_;
  History past_pods_;
  std::vector<Score> confirmed_;
  sim::Moment confirmed_until_ = sim::Moment::zero();
};

}  // namespace

sim::Suite scoring_suite(ScoringMistake mistake) {
  return {.name = "scores",
          .make = [mistake] { return std::make_unique<Scoring>(mistake); },
          .faults = {"bad-network", "clogs", "cut-streams", "kills", "partitions", "power-losses"},
          .faulty = kBusy,
          .settles_within = 15min};  // As long as a watch, and then some.
}

}  // namespace berth::suites
