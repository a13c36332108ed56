// Tested by scores/sources/score_source_controller_test.cc.
#include "scores/sources/testing/scoring_by_prometheus_service.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "json/merge_patch.h"
#include "json/parse.h"
#include "json/yaml_read.h"
#include "scores/score_status.h"

namespace berth::scores::testing {
namespace {

using namespace std::chrono_literals;
using client::testing::ModelAnswer;
using client::testing::ModelRequest;
using json::Value;

struct Program {
  Program(env::Env& env, const ScoreSourceOptions& options)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.retry = {.attempts_max = 1}}}),
        informers(env, api),
        recorder(env, api, {.controller = "scores-controller", .instance = "scores-controller-1"}),
        controller(env, api, informers, recorder, [] { return true; }, options) {}

  client::Api api;
  client::Informers informers;
  control::RecorderService recorder;
  ScoreSourceController controller;
};

Value series(const std::string& cluster, std::string_view part, const std::string& text) {
  return Value::object({{"metric", Value::object({{"cluster", cluster}, {"berth_part", part}})},
                        {"value", Value::array({Value(1), Value(text)})}});
}

}  // namespace

ModelAnswer ModelPrometheus::answer(const ModelRequest& request) {
  ++requests;
  last_path = request.path;
  if (!error.empty()) {
    return {.status = 422,
            .document =
                Value::object({{"status", "error"}, {"errorType", "execution"}, {"error", error}})};
  }
  Value document = json::parse(R"({"status":"success","data":{"resultType":"vector"}})").value();
  Value& result = document["data"]["result"] = Value::array();
  for (const auto& [cluster, number] : numbers) {
    const std::string text = std::isnan(number.value) ? "NaN" : fmt::format("{}", number.value);
    result.push_back(series(cluster, "value", text));
    result.push_back(series(cluster, "time0", std::to_string(number.sampled.unix_seconds())));
  }
  return {.document = std::move(document)};
}

ScoringByPrometheus::ScoringByPrometheus() : world_(sim::WorldOptions{}) {
  hub_.on_write = [this](const auto& write) {
    writes_.push_back(write.what + (write.status < 300 ? "" : " refused"));
  };
  world_.add_node("server").start([this](std::span<env::Env> loops) {
    return std::shared_ptr<client::testing::ModelServer>(
        hub_.serve(loops[0], {.trouble = [this] { return trouble_; }}));
  });
  select({"oslo", "rome"});
}

void ScoringByPrometheus::start_prometheus(const std::string& token,
                                           const std::optional<env::TlsServer>& tls) {
  world_.add_node("prometheus").start([this, token, tls](std::span<env::Env> loops) {
    return std::make_shared<client::testing::ModelServer>(
        loops[0], unused_,
        client::testing::ModelServerOptions{
            .port = 9090, .tls = tls, .token = token, .answer = [this](const auto& request) {
              return std::optional(prometheus_.answer(request));
            }});
  });
}

void ScoringByPrometheus::start(const ScoreSourceOptions& options) {
  world_.add_node("berth").start([options](std::span<env::Env> loops) {
    return std::make_shared<Program>(loops[0], options);
  });
  world_.run_for(1s);
}

void ScoringByPrometheus::apply(const client::Gvr& resource, std::string_view yaml) {
  hub_.put(resource, json::read_one_yaml(yaml).value());
}

void ScoringByPrometheus::put_source(std::string_view patch, const std::string& name) {
  Value source = json::read_one_yaml(R"(
apiVersion: scores.berth.dev/v1alpha1
kind: ScoreSource
metadata: {namespace: monitoring}
spec:
  endpoint: {url: "http://prometheus:9090/base"}
  placementRef: {name: all}
  targetScoreName: usage
  queries: [{scoreName: cpu, promql: free}]
)")
                     .value();
  source["metadata"]["name"] = name;
  hub_.put(kSources, json::apply_merge_patch(source, json::read_one_yaml(patch).value()));
}

void ScoringByPrometheus::select(const std::set<std::string>& clusters) {
  Value decision = json::read_one_yaml(R"(
metadata:
  {name: all-decision-1, namespace: monitoring,
   labels: {cluster.open-cluster-management.io/placement: all}}
)")
                       .value();
  for (const std::string& cluster : clusters) {
    apply(kClusters, fmt::format("metadata: {{name: {}}}", cluster));
    decision["status"]["decisions"].push_back(Value::object({{"clusterName", cluster}}));
  }
  hub_.put(kDecisions, decision);
}

void ScoringByPrometheus::measure(const std::string& cluster, double value) {
  prometheus_.numbers[cluster] = {value, now()};
}

std::string ScoringByPrometheus::score(const std::string& cluster, const std::string& name) {
  const Value* object = hub_.find(score_resource(), cluster + "/" + name);
  if (!object) return "none";
  const auto score = api::read_add_on_placement_score(*object);
  std::string text;
  for (const Score& item : score.scores) {
    text += item.name + "=" + std::to_string(item.value) + " ";
  }
  if (!score.valid_until) return text + "for ever";
  return fmt::format("{}for {}s", text, (*score.valid_until - now()) / Duration(1s));
}

std::string ScoringByPrometheus::condition(std::string_view type, const std::string& source) {
  const Value* object = hub_.find(kSources, source);
  const Value* list = object ? object->find_path({"status", "conditions"}) : nullptr;
  const Value* found = list ? api::find_condition(*list, type) : nullptr;
  if (!found) return "none";
  return api::text_field(*found, "status") + " " + api::text_field(*found, "reason") + " " +
         api::text_field(*found, "message");
}

std::vector<std::string> ScoringByPrometheus::events() {
  std::vector<std::string> all;
  for (const auto& [key, event] : hub_.store(kEvents).state()) {
    const Value& regarding = api::field(event, "regarding");
    all.push_back(fmt::format("{} {}/{} {} {}", api::text_field(regarding, "kind"),
                              api::text_field(regarding, "namespace"),
                              api::text_field(regarding, "name"), api::text_field(event, "type"),
                              api::text_field(event, "reason")));
  }
  return all;
}

std::size_t ScoringByPrometheus::count_writes(std::string_view what) const {
  return static_cast<std::size_t>(std::ranges::count_if(
      writes_, [&](const std::string& write) { return write.starts_with(what); }));
}

}  // namespace berth::scores::testing
