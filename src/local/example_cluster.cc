#include "local/example_cluster.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "base/rfc3339.h"

namespace berth::local {
namespace {

using json::Value;

constexpr int kCoresOfNode = 8;
constexpr int kPodsOfCore = 2;
constexpr double kLow = 0.1;
constexpr double kHigh = 0.9;
constexpr double kHighOfMany = 0.3;
constexpr double kMany = 50;

}  // namespace

Value example_node(int number) {
  const std::string name = fmt::format("node{}", number);
  Value node = Value::object({{"apiVersion", "v1"}, {"kind", "Node"}});
  node["metadata"] = Value::object(
      {{"name", name},
       {"labels", Value::object({{"kubernetes.io/hostname", name},
                                 {"kubernetes.io/os", "linux"},
                                 {"topology.kubernetes.io/zone",
                                  fmt::format("zone-{}", "abc"[(number - 1) % 3])}})}});
  const Value room =
      Value::object({{"cpu", std::to_string(kCoresOfNode)}, {"memory", "16Gi"}, {"pods", "110"}});
  node["status"] = Value::object(
      {{"capacity", room},
       {"allocatable", room},
       {"conditions",
        Value::array({Value::object({{"type", "Ready"},
                                     {"status", "True"},
                                     {"reason", "ExampleNode"},
                                     {"message", "this node exists on paper only"}})})}});
  return node;
}

Value example_workload(std::int64_t replicas) {
  const Value labels = Value::object({{"app", kExampleWorkload}});
  Value container =
      Value::object({{"name", kExampleWorkload}, {"image", "registry.k8s.io/pause:3.10"}});
  container["resources"]["requests"] = Value::object({{"cpu", "500m"}, {"memory", "512Mi"}});
  Value deployment = Value::object({{"apiVersion", "apps/v1"}, {"kind", "Deployment"}});
  deployment["metadata"] = Value::object(
      {{"name", kExampleWorkload}, {"namespace", kExampleNamespace}, {"labels", labels}});
  deployment["spec"] = Value::object(
      {{"replicas", replicas},
       {"selector", Value::object({{"matchLabels", labels}})},
       {"template",
        Value::object({{"metadata", Value::object({{"labels", labels}})},
                       {"spec", Value::object({{"containers", Value::array({container})}})}})}});
  return deployment;
}

std::int64_t example_pods(int nodes, double share) {
  return std::lround(nodes * kCoresOfNode * kPodsOfCore * share);
}

std::int64_t example_replicas(const ExampleLoad& load, Time now) {
  const double crowd = std::max(1.0, load.clusters / kMany);
  const double high = crowd > 1 ? kHighOfMany : kHigh;
  const double days = std::chrono::duration<double>(now - Time()) /
                      (std::chrono::duration<double>(load.day) * crowd);
  const double shift = static_cast<double>(load.cluster - 1) / std::max(load.clusters, 1);
  const double height = (1 - std::cos(2 * std::numbers::pi * (days + shift))) / 2;
  return example_pods(load.nodes, kLow + (high - kLow) * height);
}

}  // namespace berth::local
