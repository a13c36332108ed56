// What authorization costs: one question of a typical agent among thousands of bindings, compiling
// them all, and taking in another one.

#include <string>
#include <vector>

#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include "apiserver/auth/default_roles.h"
#include "apiserver/auth/rbac.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

// What a hub holds for each accepted cluster: one ClusterRole with its binding, and two
// RoleBindings in the namespace of the cluster. 10,000 bindings are 3,334 clusters.
std::vector<json::Value> fleet(std::int64_t clusters) {
  std::vector<json::Value> objects = default_roles();
  for (json::Value& binding : default_bindings()) objects.push_back(std::move(binding));
  const auto add = [&](const std::string& text) { objects.push_back(json::parse(text).value()); };
  for (const char* role : {"registration", "work"}) {
    add(fmt::format(R"({{"kind":"ClusterRole","metadata":{{"name":"managedcluster:{}"}},"rules":[
      {{"verbs":["get","list","watch","update","patch"],"apiGroups":["work.open-cluster-management.io"],
        "resources":["manifestworks","manifestworks/status"]}},
      {{"verbs":["get","update"],"apiGroups":["coordination.k8s.io"],"resources":["leases"]}}]}})",
                    role));
  }
  for (std::int64_t i = 0; i < clusters; ++i) {
    const std::string name = fmt::format("cluster-{}", i);
    const std::string subjects =
        fmt::format(R"([{{"kind":"Group","name":"system:open-cluster-management:{}"}}])", name);
    add(fmt::format(
        R"({{"kind":"ClusterRole","metadata":{{"name":"managedcluster:{0}"}},"rules":[
          {{"verbs":["get","list","watch","update"],"apiGroups":["cluster.open-cluster-management.io"],
            "resources":["managedclusters"],"resourceNames":["{0}"]}},
          {{"verbs":["patch","update"],"apiGroups":["cluster.open-cluster-management.io"],
            "resources":["managedclusters/status"],"resourceNames":["{0}"]}}]}})",
        name));
    add(fmt::format(
        R"({{"kind":"ClusterRoleBinding","metadata":{{"name":"managedcluster:{0}"}},
          "roleRef":{{"kind":"ClusterRole","name":"managedcluster:{0}"}},"subjects":{1}}})",
        name, subjects));
    for (const char* role : {"registration", "work"}) {
      add(fmt::format(
          R"({{"kind":"RoleBinding","metadata":{{"name":"{0}","namespace":"{1}"}},
            "roleRef":{{"kind":"ClusterRole","name":"managedcluster:{0}"}},"subjects":{2}}})",
          role, name, subjects));
    }
  }
  return objects;
}

User agent(std::int64_t number) {
  const std::string name = fmt::format("system:open-cluster-management:cluster-{}", number);
  return {
      .name = name + ":agent",
      .groups = {name, "system:open-cluster-management:managed-clusters", "system:authenticated"}};
}

void ask(benchmark::State& state, const Attributes& attributes, bool expected) {
  const std::int64_t clusters = state.range(0);
  const Rbac rbac(fleet(clusters));
  const User user = agent(clusters / 2);
  if (rbac.allows(user, attributes) != expected) return state.SkipWithError("another answer");
  for (auto _ : state) benchmark::DoNotOptimize(rbac.allows(user, attributes));
}

void renew_lease(benchmark::State& state) {
  ask(state,
      {.verb = "update",
       .group = "coordination.k8s.io",
       .version = "v1",
       .resource = "leases",
       .ns = fmt::format("cluster-{}", state.range(0) / 2),
       .name = "managed-cluster-lease"},
      true);
}
BENCHMARK(renew_lease)->Arg(10)->Arg(3334);

void watch_own_cluster(benchmark::State& state) {
  ask(state,
      {.verb = "watch",
       .group = "cluster.open-cluster-management.io",
       .version = "v1",
       .resource = "managedclusters",
       .name = fmt::format("cluster-{}", state.range(0) / 2)},
      true);
}
BENCHMARK(watch_own_cluster)->Arg(10)->Arg(3334);

void read_a_neighbours_secret(benchmark::State& state) {
  ask(state,
      {.verb = "get", .version = "v1", .resource = "secrets", .ns = "cluster-0", .name = "s"},
      false);
}
BENCHMARK(read_a_neighbours_secret)->Arg(10)->Arg(3334);

void compile(benchmark::State& state) {
  const std::vector<json::Value> objects = fleet(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(Rbac(objects));
}
BENCHMARK(compile)->Arg(10)->Arg(3334)->Unit(benchmark::kMillisecond);

void change(benchmark::State& state) {
  const std::vector<json::Value> objects = fleet(state.range(0));
  const json::Value& binding = objects.back();
  Rbac rbac(objects);
  for (auto _ : state) rbac.put(RbacKind::RoleBinding, binding);
}
BENCHMARK(change)->Arg(10)->Arg(3334);

}  // namespace
}  // namespace berth::apiserver
