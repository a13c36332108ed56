// How many pods per second the node scheduler decides about, without any API around it.
//
//   choose    which node takes the pod: filters and scores, as many nodes looked at as usual
//   best      the same, the best of all nodes
//   held      as choose, with room held on every hundredth node, and the pod claims one of them
//   pod       a pod's whole way: read, queued, decided, assumed, bound, gone again
//   refused   a pod that fits nowhere: every node is looked at, and the message is written
//
// Single thread. With a file name the processor time of each goes there, for docs/benchmarks/plot.

#include <cstdint>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "json/parse.h"
#include "json/value.h"
#include "nodes/scheduling.h"

namespace berth::bench {
namespace {

using json::Value;
using nodes::BindPod;
using nodes::Choice;
using nodes::Cursor;
using nodes::Cycle;
using nodes::default_profile;
using nodes::Now;
using nodes::PendingPod;
using nodes::PodFacts;
using nodes::PodWishes;
using nodes::Profile;
using nodes::RefusePod;
using nodes::Scheduling;
using nodes::SchedulingOptions;
using nodes::Shapes;

constexpr std::string_view kClusterText =
    "nodes of 32 cpu, 256Gi, 110 pods in 10 zones, with 10 labels and 5 bound pods each (1 node in "
    "10 is tainted); pods of 100m and 200Mi";
constexpr int kBoundPods = 5;
constexpr int kHeldEvery = 100;
constexpr Now kNow{Instant(std::chrono::seconds(1000)), Time(std::chrono::seconds(1000))};

std::string node_name(std::int64_t i) { return fmt::format("node-{:06}", i); }

Value node_object(std::int64_t i) {
  Value node = Value::object({{"apiVersion", "v1"}, {"kind", "Node"}});
  node["metadata"]["name"] = node_name(i);
  node["metadata"]["uid"] = fmt::format("uid-{}", i);
  Value& labels = node["metadata"]["labels"];
  labels["kubernetes.io/hostname"] = node_name(i);
  labels["topology.kubernetes.io/zone"] = fmt::format("zone-{}", i % 10);
  for (int k = 0; k < 8; ++k) labels[fmt::format("example.com/label-{}", k)] = "value";
  if (i % 10 == 9) {
    node["spec"]["taints"] =
        Value::array({Value::object({{"key", "dedicated"}, {"effect", "NoSchedule"}})});
  }
  node["status"]["allocatable"] =
      Value::object({{"cpu", "32"}, {"memory", "256Gi"}, {"pods", "110"}});
  return node;
}

Value pod_object(std::int64_t i, std::string_view cpu, const std::string& node) {
  Value pod = json::parse(fmt::format(R"({{"apiVersion":"v1","kind":"Pod","metadata":{{
      "name":"pod-{0}","namespace":"default","uid":"pod-uid-{0}","labels":{{"app":"web"}},
      "ownerReferences":[{{"apiVersion":"apps/v1","kind":"ReplicaSet","name":"web","uid":"owner",
      "controller":true}}]}},"spec":{{"schedulerName":"berth-scheduler","containers":[{{"name":"c",
      "image":"registry.example.com/web:1","resources":{{"requests":{{"cpu":"{1}",
      "memory":"200Mi"}}}}}}]}}}})",
                                      i, cpu))
                  .value();
  if (!node.empty()) pod["spec"]["nodeName"] = node;
  return pod;
}

PendingPod pending(std::string_view cpu) {
  const Value object = pod_object(-1, cpu, "");
  return {.facts = PodFacts::from_json(object).value(), .wishes = PodWishes::from_json(object)};
}

// Kept until another size is asked for: to make it takes longer than to measure on it. Whoever
// changes it leaves it as it was.
Scheduling& cluster_of(std::int64_t count) {
  static std::unique_ptr<Scheduling> cluster;
  if (cluster && cluster->snapshot().nodes().size() == static_cast<std::size_t>(count)) {
    return *cluster;
  }
  cluster = std::make_unique<Scheduling>(SchedulingOptions{.profiles = {default_profile()}});
  for (std::int64_t i = 0; i < count; ++i) (void)cluster->put_node(node_object(i));
  for (std::int64_t i = 0; i < count * kBoundPods; ++i) {
    (void)cluster->put_pod(pod_object(i, "100m", node_name(i % count)), kNow);
  }
  return *cluster;
}

void report(benchmark::State& state) {
  state.counters["pods/s"] =
      benchmark::Counter(static_cast<double>(state.iterations()), benchmark::Counter::kIsRate);
}

// A decision alone: the cluster stays as it is.
void decide(benchmark::State& state, Scheduling& scheduling, int percentage) {
  Profile profile = default_profile();
  profile.percentage_of_nodes_to_score = percentage;
  const PendingPod pod = pending("100m");
  Shapes shapes;
  Cursor cursor;
  for (auto _ : state) {
    const Cycle cycle = Cycle::of(scheduling.snapshot(), pod);
    const Choice choice = nodes::schedule(cycle, profile, shapes, cursor);
    if (!choice.node) return state.SkipWithError("no node took the pod");
  }
  report(state);
}

void choose(benchmark::State& state) { decide(state, cluster_of(state.range(0)), 0); }

void best(benchmark::State& state) { decide(state, cluster_of(state.range(0)), 100); }

std::string reservation_uid(std::int64_t node) { return fmt::format("r-{}", node); }

void held(benchmark::State& state) {
  Scheduling& scheduling = cluster_of(state.range(0));
  for (std::int64_t i = 0; i < state.range(0); i += kHeldEvery) {
    (void)scheduling.put_reservation(
        json::parse(fmt::format(R"({{"apiVersion":"reserve.berth.dev/v1alpha1",
            "kind":"PodReservation","metadata":{{"name":"{0}","namespace":"default",
            "uid":"{0}"}},"spec":{{"nodeName":"{1}","resources":{{"cpu":"1","memory":"1Gi"}},
            "owner":{{"uid":"{2}"}}}}}})",
                                reservation_uid(i), node_name(i), i == 0 ? "owner" : "somebody"))
            .value(),
        kNow);
  }
  decide(state, scheduling, 0);
  for (std::int64_t i = 0; i < state.range(0); i += kHeldEvery) {
    scheduling.remove_reservation(reservation_uid(i));
  }
}

void pod(benchmark::State& state) {
  Scheduling& scheduling = cluster_of(state.range(0));
  const Value waiting = pod_object(-1, "100m", "");
  Value bound = waiting;
  for (auto _ : state) {
    (void)scheduling.put_pod(waiting, kNow);
    const auto step = scheduling.next(kNow);
    const BindPod* bind = step ? std::get_if<BindPod>(&*step) : nullptr;
    if (!bind) return state.SkipWithError("no node took the pod");
    scheduling.on_bound(bind->pod.uid);
    bound["spec"]["nodeName"] = bind->node;
    (void)scheduling.put_pod(bound, kNow);
    scheduling.remove_pod(bind->pod.uid);
  }
  report(state);
}

void refused(benchmark::State& state) {
  Scheduling& scheduling = cluster_of(state.range(0));
  const Value waiting = pod_object(-1, "33", "");
  for (auto _ : state) {
    (void)scheduling.put_pod(waiting, kNow);
    const auto step = scheduling.next(kNow);
    const RefusePod* refusal = step ? std::get_if<RefusePod>(&*step) : nullptr;
    if (!refusal) return state.SkipWithError("a node took the pod");
    scheduling.remove_pod(refusal->pod.uid);
  }
  report(state);
}

struct Question {
  const char* name;
  void (*measure)(benchmark::State&);
};

void ask_all() {
  constexpr Question kQuestions[] = {
      {"choose", choose}, {"best", best}, {"held", held}, {"pod", pod}, {"refused", refused}};
  for (const int nodes : {1'000, 3'000, 5'000, 10'000, 30'000, 100'000}) {
    for (const Question& question : kQuestions) {
      benchmark::RegisterBenchmark(question.name, question.measure)
          ->Arg(nodes)
          ->Unit(benchmark::kMicrosecond);
    }
  }
}

// Also writes "question,axis,count,berth_seconds," for each.
class TableReporter : public benchmark::ConsoleReporter {
 public:
  explicit TableReporter(const char* path) {
    if (path) file_.open(path);
    file_ << "question,axis,count,berth_seconds,ocm_seconds\n";
  }

  void ReportRuns(const std::vector<Run>& runs) override {
    ConsoleReporter::ReportRuns(runs);
    for (const Run& run : runs) {
      file_ << fmt::format("{},nodes,{},{:.9f},\n", run.run_name.function_name, run.run_name.args,
                           run.cpu_accumulated_time / static_cast<double>(run.iterations));
    }
  }

 private:
  std::ofstream file_;
};

}  // namespace
}  // namespace berth::bench

int main(int argc, char** argv) {
  benchmark::AddCustomContext("flavour", "release, one thread");
  benchmark::AddCustomContext("cluster", std::string(berth::bench::kClusterText));
  berth::bench::ask_all();
  benchmark::Initialize(&argc, argv);
  if (argc > 2 || (argc == 2 && argv[1][0] == '-')) {
    return benchmark::ReportUnrecognizedArguments(argc, argv) ? 1 : 0;
  }
  berth::bench::TableReporter reporter(argc > 1 ? argv[1] : nullptr);
  benchmark::RunSpecifiedBenchmarks(&reporter);
}
