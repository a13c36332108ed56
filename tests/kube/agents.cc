#include "kube/agents.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "kube/crds.h"

namespace berth::kube {
namespace {

client::ResourcePath nodes() { return {.resource = {"", "v1", "nodes"}}; }

client::ResourcePath pods() { return {.resource = {"", "v1", "pods"}, .ns = "default"}; }

}  // namespace

Result<Child> start_agent(const Server& server, const AgentCommand& command) {
  std::vector<std::string> words = {berth_program().string(), "agent",
                                    "--kubeconfig",           command.cluster.string(),
                                    "--hub-kubeconfig",       command.hub.string(),
                                    "--cluster-name",         command.cluster_name};
  if (command.flags.empty() || !command.flags[0].starts_with("--health")) {
    words.insert(words.end(), {"--health-probe-bind-address=0", "--metrics-bind-address=0"});
  }
  words.insert(words.end(), command.flags.begin(), command.flags.end());
  return Child::start(words, server.folder() / ("agent-" + command.cluster_name + ".log"));
}

Result<Child> start_kubelet(const Server& server) {
  return Child::start(
      {berth_program().string(), "kubelet", "--kubeconfig", server.kubeconfig().string(),
       "--data-dir", (server.folder() / "pods").string(), "--make-pods", "--bind-pods",
       "--health-probe-bind-address=0", "--metrics-bind-address=0"},
      server.folder() / "kubelet.log");
}

void make_ready_node(BlockingApi& api, const NodeWish& wish) {
  json::Value node = json::Value::object({{"apiVersion", "v1"}, {"kind", "Node"}});
  node["metadata"]["name"] = wish.name;
  const auto made = api.create(nodes(), node);
  ASSERT_TRUE(made.ok()) << made.error().message;
  client::ResourcePath path = nodes();
  path.name = wish.name;
  // Kubernetes taints nodes that are new.
  const auto untainted = api.patch(path, json::parse(R"({"spec":{"taints":null}})").value(), {});
  ASSERT_TRUE(untainted.ok()) << untainted.error().message;
  path.subresource = "status";
  const auto ready = api.patch(
      path,
      json::parse(
          fmt::format(R"({{"status":{{"allocatable":{{"cpu":"{0}","memory":"{1}","pods":"110"
          }},"capacity":{{"cpu":"{0}","memory":"{1}","pods":"110"}},"conditions":[{{"type":"Ready",
          "status":"True","reason":"Test","lastTransitionTime":"2026-01-01T00:00:00Z",
          "lastHeartbeatTime":"2026-01-01T00:00:00Z"}}]}}}})",
                      wish.cpu, wish.memory))
          .value(),
      {});
  ASSERT_TRUE(ready.ok()) << ready.error().message;
}

void make_bound_pod(BlockingApi& api, const PodWish& wish) {
  const auto made = api.create(
      pods(),
      json::parse(fmt::format(
                      R"({{"apiVersion":"v1","kind":"Pod","metadata":{{"name":"{}"}},"spec":{{
                      "nodeName":"{}","containers":[{{"name":"c","image":"none","resources":{{
                      "requests":{{"cpu":"{}","memory":"{}"}}}}}}]}}}})",
                      wish.name, wish.node, wish.cpu, wish.memory))
          .value());
  ASSERT_TRUE(made.ok()) << made.error().message;
}

void remove_pod(BlockingApi& api, const std::string& name) {
  client::ResourcePath path = pods();
  path.name = name;
  const auto removed = api.remove(path, {.grace_period_seconds = 0});
  ASSERT_TRUE(removed.ok()) << removed.error().message;
}

}  // namespace berth::kube
