// How fast a PodList of about 100 MB is read and written, and how much memory a pod takes as Value.

#include <cstdio>
#include <fstream>
#include <string>

#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <malloc.h>

#include "json/parse.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "json/yaml_read.h"

namespace {

using berth::json::Value;

constexpr int kPods = 27'000;

Value text_list(int count, std::string_view prefix) {
  Value list = Value::array();
  for (int i = 0; i < count; ++i) list.push_back(fmt::format("{}-{}", prefix, i));
  return list;
}

Value container(int pod) {
  Value env = Value::array();
  for (int i = 0; i < 6; ++i) {
    env.push_back(Value::object({{"name", fmt::format("SETTING_{}", i)},
                                 {"value", fmt::format("value {} of pod {}", i, pod)}}));
  }
  const auto probe = [](std::string_view path) {
    return Value::object(
        {{"httpGet", Value::object({{"path", path}, {"port", 8080}, {"scheme", "HTTP"}})},
         {"timeoutSeconds", 1},
         {"periodSeconds", 10},
         {"successThreshold", 1},
         {"failureThreshold", 3}});
  };
  const Value amounts = Value::object({{"cpu", "250m"}, {"memory", "512Mi"}});
  return Value::object(
      {{"name", "server"},
       {"image", "registry.example.com/team/server:v1.27.3"},
       {"args", text_list(4, "--flag=value")},
       {"ports", Value::array({Value::object(
                     {{"name", "http"}, {"containerPort", 8080}, {"protocol", "TCP"}})})},
       {"env", std::move(env)},
       {"resources", Value::object({{"limits", amounts}, {"requests", amounts}})},
       {"volumeMounts", Value::array({Value::object(
                            {{"name", "kube-api-access-x7k2p"},
                             {"readOnly", true},
                             {"mountPath", "/var/run/secrets/kubernetes.io/serviceaccount"}})})},
       {"livenessProbe", probe("/healthz")},
       {"readinessProbe", probe("/readyz")},
       {"terminationMessagePath", "/dev/termination-log"},
       {"terminationMessagePolicy", "File"},
       {"imagePullPolicy", "IfNotPresent"}});
}

Value metadata(int pod) {
  const std::string app = fmt::format("app-{}", pod % 500);
  return Value::object(
      {{"name", fmt::format("{}-7d9c8b6f5d-{:05}", app, pod)},
       {"generateName", app + "-7d9c8b6f5d-"},
       {"namespace", fmt::format("namespace-{}", pod % 100)},
       {"uid", fmt::format("{:08x}-1111-4222-8333-{:012x}", pod, pod * 7919)},
       {"resourceVersion", std::to_string(1'000'000 + pod)},
       {"creationTimestamp", "2026-11-15T22:08:41Z"},
       {"labels", Value::object({{"app.kubernetes.io/name", app},
                                 {"app.kubernetes.io/instance", app},
                                 {"pod-template-hash", "7d9c8b6f5d"},
                                 {"tier", "backend"}})},
       {"annotations",
        Value::object({{"prometheus.io/scrape", "true"}, {"prometheus.io/port", "8080"}})},
       {"ownerReferences", Value::array({Value::object(
                               {{"apiVersion", "apps/v1"},
                                {"kind", "ReplicaSet"},
                                {"name", app + "-7d9c8b6f5d"},
                                {"uid", fmt::format("{:08x}-aaaa-4bbb-8ccc-{:012x}", pod, pod)},
                                {"controller", true},
                                {"blockOwnerDeletion", true}})})}});
}

Value status(int pod) {
  Value conditions = Value::array();
  for (const std::string_view type :
       {"PodReadyToStartContainers", "Initialized", "Ready", "ContainersReady", "PodScheduled"}) {
    conditions.push_back(Value::object({{"type", type},
                                        {"status", "True"},
                                        {"lastProbeTime", nullptr},
                                        {"lastTransitionTime", "2026-11-15T22:08:45Z"}}));
  }
  const std::string ip = fmt::format("10.{}.{}.{}", pod % 200, pod / 200 % 200, pod % 250);
  return Value::object(
      {{"phase", "Running"},
       {"conditions", std::move(conditions)},
       {"hostIP", "192.168.17.4"},
       {"hostIPs", Value::array({Value::object({{"ip", "192.168.17.4"}})})},
       {"podIP", ip},
       {"podIPs", Value::array({Value::object({{"ip", ip}})})},
       {"startTime", "2026-11-15T22:08:41Z"},
       {"containerStatuses",
        Value::array({Value::object(
            {{"name", "server"},
             {"state",
              Value::object({{"running", Value::object({{"startedAt", "2026-11-15T22:08:44Z"}})}})},
             {"lastState", Value::object()},
             {"ready", true},
             {"restartCount", 0},
             {"image", "registry.example.com/team/server:v1.27.3"},
             {"imageID", fmt::format("registry.example.com/team/server@sha256:{:064x}", pod)},
             {"containerID", fmt::format("containerd://{:064x}", pod * 31)},
             {"started", true}})})},
       {"qosClass", "Guaranteed"}});
}

Value spec(int pod) {
  const auto toleration = [](std::string_view key) {
    return Value::object({{"key", key},
                          {"operator", "Exists"},
                          {"effect", "NoExecute"},
                          {"tolerationSeconds", 300}});
  };
  return Value::object(
      {{"volumes",
        Value::array({Value::object({{"name", "kube-api-access-x7k2p"},
                                     {"projected", Value::object({{"defaultMode", 420}})}})})},
       {"containers", Value::array({container(pod)})},
       {"restartPolicy", "Always"},
       {"terminationGracePeriodSeconds", 30},
       {"dnsPolicy", "ClusterFirst"},
       {"serviceAccountName", "default"},
       {"nodeName", fmt::format("node-{}", pod % 1000)},
       {"securityContext", Value::object()},
       {"schedulerName", "default-scheduler"},
       {"tolerations", Value::array({toleration("node.kubernetes.io/not-ready"),
                                     toleration("node.kubernetes.io/unreachable")})},
       {"priority", 0},
       {"enableServiceLinks", true},
       {"preemptionPolicy", "PreemptLowerPriority"}});
}

const std::string& pod_list() {
  static const std::string text = [] {
    Value items = Value::array();
    for (int pod = 0; pod < kPods; ++pod) {
      items.push_back(Value::object(
          {{"metadata", metadata(pod)}, {"spec", spec(pod)}, {"status", status(pod)}}));
    }
    return print(Value::object({{"kind", "PodList"},
                                {"apiVersion", "v1"},
                                {"metadata", Value::object({{"resourceVersion", "1"}})},
                                {"items", std::move(items)}}));
  }();
  return text;
}

// One pod of the list, as a request brings it.
const std::string& one_pod() {
  static const std::string text =
      print(berth::json::parse(pod_list()).value().find("items")->elements()[17]);
  return text;
}

std::string cpu_model() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  }
  return "unknown";
}

void set_bytes(benchmark::State& state, std::size_t bytes) {
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes) * state.iterations());
}

void parse_pod_list(benchmark::State& state) {
  const std::string& text = pod_list();
  berth::json::Parser parser;
  for (auto _ : state) {
    auto value = parser.parse(text).value();
    benchmark::DoNotOptimize(value);
    state.PauseTiming();
    value = {};
    state.ResumeTiming();
  }
  set_bytes(state, text.size());
}
BENCHMARK(parse_pod_list)->Unit(benchmark::kMillisecond)->MinTime(2);

void print_pod_list(benchmark::State& state) {
  const Value value = berth::json::parse(pod_list()).value();
  std::string text;
  text.reserve(pod_list().size());
  for (auto _ : state) {
    text.clear();
    append(text, value);
    benchmark::DoNotOptimize(text.data());
  }
  set_bytes(state, text.size());
}
BENCHMARK(print_pod_list)->Unit(benchmark::kMillisecond)->MinTime(2);

void destroy_pod_list(benchmark::State& state) {
  for (auto _ : state) {
    state.PauseTiming();
    auto value = berth::json::parse(pod_list()).value();
    state.ResumeTiming();
    value = {};
  }
  set_bytes(state, pod_list().size());
}
BENCHMARK(destroy_pod_list)->Unit(benchmark::kMillisecond)->MinTime(1);

// Pods that come one by one, with a parser that is kept and one that is not.
void parse_one_pod(benchmark::State& state) {
  const std::string& text = one_pod();
  berth::json::Parser parser;
  for (auto _ : state) benchmark::DoNotOptimize(parser.parse(text).value());
  set_bytes(state, text.size());
}
BENCHMARK(parse_one_pod);

void parse_one_pod_without_keeping_the_parser(benchmark::State& state) {
  const std::string& text = one_pod();
  for (auto _ : state) benchmark::DoNotOptimize(berth::json::parse(text).value());
  set_bytes(state, text.size());
}
BENCHMARK(parse_one_pod_without_keeping_the_parser);

void copy_one_pod(benchmark::State& state) {
  const Value pod = berth::json::parse(one_pod()).value();
  for (auto _ : state) benchmark::DoNotOptimize(Value(pod));
  set_bytes(state, one_pod().size());
}
BENCHMARK(copy_one_pod);

void print_one_pod_as_yaml(benchmark::State& state) {
  const Value pod = berth::json::parse(one_pod()).value();
  for (auto _ : state) benchmark::DoNotOptimize(print_yaml(pod));
  set_bytes(state, one_pod().size());
}
BENCHMARK(print_one_pod_as_yaml);

void read_one_pod_from_yaml(benchmark::State& state) {
  const std::string yaml = print_yaml(berth::json::parse(one_pod()).value());
  for (auto _ : state) benchmark::DoNotOptimize(berth::json::read_one_yaml(yaml).value());
  set_bytes(state, yaml.size());
}
BENCHMARK(read_one_pod_from_yaml);

// Bytes that the allocator handed out for all pods.
void memory_of_a_pod(benchmark::State& state) {
  double bytes = 0;
  for (auto _ : state) {
    malloc_trim(0);
    const struct mallinfo2 before = mallinfo2();
    const Value value = berth::json::parse(pod_list()).value();
    const struct mallinfo2 after = mallinfo2();
    bytes =
        static_cast<double>((after.uordblks + after.hblkhd) - (before.uordblks + before.hblkhd));
  }
  state.counters["bytes_per_pod"] = bytes / kPods;
  state.counters["text_per_pod"] = static_cast<double>(pod_list().size()) / kPods;
}
BENCHMARK(memory_of_a_pod)->Iterations(1);

}  // namespace

int main(int argc, char** argv) {
  benchmark::AddCustomContext("cpu", cpu_model());
  benchmark::AddCustomContext("flavour", "release");
  benchmark::AddCustomContext("input",
                              fmt::format("{} pods, {} bytes of JSON", kPods, pod_list().size()));
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
