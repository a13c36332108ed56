// Score generators, from the proposal's walk-through to input that nobody should write, with agents
// that measure servers of this test.

#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/caretaker.h"
#include "kube/commands.h"
#include "kube/crds.h"
#include "kube/delay_server.h"
#include "kube/paths.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using ::testing::AllOf;
using ::testing::HasSubstr;

class Generators : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    auto controllers = start_controllers(*server_, {"--controllers=clustersets,placement,scores"});
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
  }

  // What kubectl prints once it prints something like that; else what it printed last.
  std::string eventually(const std::vector<std::string>& arguments, const std::string& part) {
    std::string text;
    wait_until(
        [&] {
          text = kubectl(*server_, arguments).value_or("");
          return text.contains(part);
        },
        90s);
    return text;
  }

  void start_agent(const std::string& cluster, const std::vector<std::string>& flags = {}) {
    std::vector<std::string> command = {berth_program().string(),
                                        "agent",
                                        "--kubeconfig",
                                        server_->kubeconfig().string(),
                                        "--hub-kubeconfig",
                                        server_->kubeconfig().string(),
                                        "--cluster-name",
                                        cluster,
                                        "--parts=generators",
                                        "--probe-allow=127.0.0.0/8",
                                        "--health-probe-bind-address=0",
                                        "--metrics-bind-address=0"};
    command.insert(command.end(), flags.begin(), flags.end());
    auto agent = Child::start(command, server_->folder() / ("agent-" + cluster + ".log"));
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    agents_[cluster] = *std::move(agent);
  }

  // The cluster sets are in order when the controllers have seen the first cluster.
  void bind_default_set(const std::string& ns) {
    const std::string made = "managedclusterset.cluster.open-cluster-management.io/default\n";
    ASSERT_EQ(kubectl_until(*server_, {"get", "managedclusterset", "default", "-o", "name"}, made),
              made);
    apply_yaml(*server_, fmt::format(R"(
apiVersion: v1
kind: Namespace
metadata: {{name: {0}}}
---
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {{name: default, namespace: {0}}}
spec: {{clusterSet: default}}
)",
                                     ns));
  }

  // "name=value" for each score of a generator, once there is one that reads so.
  std::string scores(const std::string& cluster, const std::string& part,
                     const std::string& name = "cluster1-generator") {
    return eventually({"get", "addonplacementscore", name, "-n", cluster, "-o",
                       "jsonpath={range .status.scores[*]}{.name}={.value};{end}"},
                      part);
  }

  // The condition of a generator, once it has such a reason.
  std::string condition(const std::string& ns, const std::string& name, const std::string& type,
                        const std::string& reason) {
    return eventually(
        {"get", "addonplacementscoregenerator", name, "-n", ns, "-o",
         fmt::format("jsonpath={{range .status.conditions[?(@.type==\"{}\")]}}{{.status}} "
                     "{{.reason}}: {{.message}}{{end}}",
                     type)},
        " " + reason + ": ");
  }

  std::string decided(const std::string& placement, const std::string& expected) {
    return eventually({"get", "placementdecision", placement + "-decision-1", "-n", "ns1", "-o",
                       "jsonpath={.status.decisions[*].clusterName}"},
                      expected);
  }

  std::unique_ptr<Server> server_;
  Child controllers_;
  std::map<std::string, Child> agents_;
};

// The proposal's generator: only where its locations are, and how often, is ours.
std::string proposed(const std::string& cluster, const std::vector<std::string>& urls,
                     const std::string& more = "") {
  return fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScoreGenerator
metadata:
  name: cluster1-generator
  namespace: {0}
spec:
  addOnPlacementSelector:
    name: latency
    namespace: {0}
  latencies:
    - name: redhat-com-avgLatency
      url: {1}
      runs: 2
      waitBetweenRuns: 1s
      interval: 10s
      timeout: 1s
    - name: google-com-avgLatency
      url: {2}
      interval: 10s
    - name: linux-com-avgLatency
      url: {3}
      interval: 10s
{4})",
                     cluster, urls[0], urls[1], urls[2], more);
}

std::string placement(const std::string& name, int clusters) {
  return fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata:
  name: {}
  namespace: ns1
spec:
  numberOfClusters: {}
  prioritizerPolicy:
    mode: Exact
    configurations:
      - scoreCoordinate:
          type: AddOn
          addOn:
            resourceName: cluster1-generator
            scoreName: redhat-com-avgLatency
        weight: -1
)",
                     name, clusters);
}

TEST_F(Generators, TheProposalsYamlIsTakenAsItStands) {
  make_cluster(*server_, "cluster1");
  start_agent("cluster1");
  apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScoreGenerator
metadata:
  name: cluster1-generator
  namespace: cluster1
spec:
  addOnPlacementSelector:
    name: latency
    namespace: cluster1
  latencies:
    - name: redhat-com-avgLatency
      url: https://redhat.com
      runs: 2
      waitBetweenRuns: 10s
  otherPlugin:
    - name: score-name
      optionConsumedByPlugin: optionValue
)");
  EXPECT_THAT(condition("cluster1", "cluster1-generator", "Accepted", "Accepted"),
              HasSubstr("True Accepted"));
  EXPECT_THAT(
      eventually({"get", "addonplacementscoregenerator", "cluster1-generator", "-n", "cluster1",
                  "-o", "jsonpath={.status.entries[?(@.name==\"score-name\")].error}"},
                 "PluginNotFound"),
      HasSubstr("PluginNotFound: the agent has no plugins; start it with --plugin-dir"));
}

TEST_F(Generators, LeadAPlacementToTheNearestCluster) {
  const DelayServer near(0ms);
  const DelayServer middle(60ms);
  const DelayServer far(300ms);
  auto best = std::make_unique<DelayServer>(0ms);
  const std::map<std::string, const DelayServer*> redhat = {
      {"cluster1", &far}, {"cluster2", best.get()}, {"cluster3", &middle}, {"cluster4", &far}};
  for (const auto& [cluster, location] : redhat) {
    make_cluster(*server_, cluster);
    start_agent(cluster);
    apply_yaml(*server_, proposed(cluster, {location->url(), near.url(), middle.url()}));
  }
  bind_default_set("ns1");
  apply_yaml(*server_, placement("latency-placement", 3));
  apply_yaml(*server_, placement("nearest", 1));
  EXPECT_THAT(scores("cluster1", "redhat-com-avgLatency=100"),
              AllOf(HasSubstr("google-com-avgLatency="), HasSubstr("linux-com-avgLatency=")));
  EXPECT_EQ(decided("nearest", "cluster2"), "cluster2");
  EXPECT_EQ(decided("latency-placement", "cluster1 cluster2 cluster3"),
            "cluster1 cluster2 cluster3");
  EXPECT_THAT(
      checked_kubectl(*server_,
                      {"get", "addonplacementscore", "cluster1-generator", "-n", "cluster1", "-o",
                       "jsonpath={.status.conditions[0].type} {.status.conditions[0].message} "
                       "{.metadata.ownerReferences[0].kind}"}),
      "AddOnPlacementScoreUpdated AddOnPlacementScore updated successfully "
      "AddOnPlacementScoreGenerator");

  // A dead location is as far away as can be.
  best.reset();
  EXPECT_EQ(decided("nearest", "cluster3"), "cluster3");
  EXPECT_THAT(condition("cluster2", "cluster1-generator", "Healthy", "EntriesFailing"),
              HasSubstr("redhat-com-avgLatency: connect to 127.0.0.1:"));

  // So is one that is measured no more.
  agents_.at("cluster3").kill();
  EXPECT_EQ(decided("nearest", "cluster1"), "cluster1");
}

TEST_F(Generators, TakeAFourthLocationWithoutAnyCode) {
  const DelayServer location(20ms);
  const std::string url = location.url();
  make_cluster(*server_, "cluster1");
  start_agent("cluster1");
  apply_yaml(*server_, proposed("cluster1", {url, url, url}));
  EXPECT_THAT(scores("cluster1", "redhat-com"), HasSubstr("google-com-avgLatency="));
  apply_yaml(*server_, proposed("cluster1", {url, url, url},
                                "    - {name: kernel-org-avgLatency, url: \"" + url + "\"}\n"));
  EXPECT_THAT(scores("cluster1", "kernel-org-avgLatency="), HasSubstr("redhat-com-avgLatency="));

  // What is no longer asked for goes, and all of it with the generator.
  apply_yaml(*server_, proposed("cluster1", {url, url, url}));
  EXPECT_TRUE(wait_until([&] { return !scores("cluster1", "").contains("kernel-org"); }));
  checked_kubectl(
      *server_, {"delete", "addonplacementscoregenerator", "cluster1-generator", "-n", "cluster1"});
  EXPECT_TRUE(wait_until([&] {
    return checked_kubectl(*server_, {"get", "addonplacementscore", "-n", "cluster1", "-o", "name"})
        .empty();
  }));
}

// Its agent is gone, and with it whoever would remove it at once.
TEST_F(Generators, TakeTheirScoreWithThemByGarbageCollection) {
  const Caretaker caretaker(*server_);
  const DelayServer location(0ms);
  const std::string url = location.url();
  make_cluster(*server_, "cluster1");
  start_agent("cluster1");
  apply_yaml(*server_, proposed("cluster1", {url, url, url}));
  EXPECT_THAT(scores("cluster1", "redhat-com"), HasSubstr("google-com-avgLatency="));
  agents_.at("cluster1").kill();
  checked_kubectl(
      *server_, {"delete", "addonplacementscoregenerator", "cluster1-generator", "-n", "cluster1"});
  const std::vector<std::string> left = {"get", "addonplacementscore", "-n", "cluster1", "-o",
                                         "name"};
  EXPECT_EQ(kubectl_until(*server_, left, ""), "");
}

TEST_F(Generators, MeasureAllMethodsWithTheirPartsApart) {
  const DelayServer location(80ms);
  const std::string port = location.url().substr(location.url().rfind(':'));
  make_cluster(*server_, "cluster1");
  start_agent("cluster1");
  apply_yaml(*server_, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScoreGenerator
metadata: {{name: methods, namespace: cluster1}}
spec:
  latencies:
    - {{name: all, url: "http://localhost{0}/path", normalize: {{max: 1000}}}}
    - {{name: connect, url: "http://localhost{0}", measure: Connect, normalize: {{max: 1000}}}}
    - {{name: tcp, url: "tcp://127.0.0.1{0}", normalize: {{max: 1000}}}}
    - {{name: dns, url: "dns://localhost", normalize: {{max: 1000}}}}
    - {{name: tls, url: "https://127.0.0.1{0}", timeout: 1s, onError: Skip}}
)",
                                   port));
  const std::string value = "jsonpath={.status.entries[?(@.name==\"all\")].lastValue}";
  const std::string first =
      "jsonpath={.status.entries[?(@.name==\"all\")].timings.firstByteMillis}";
  const std::vector<std::string> entry = {
      "get", "addonplacementscoregenerator", "methods", "-n", "cluster1", "-o"};
  const auto asked = [&entry](const std::string& path) {
    std::vector<std::string> arguments = entry;
    arguments.push_back(path);
    return arguments;
  };
  ASSERT_TRUE(wait_until([&] { return !checked_kubectl(*server_, asked(first)).empty(); }));
  EXPECT_GE(std::stod(checked_kubectl(*server_, asked(first))), 80);
  EXPECT_GE(std::stod(checked_kubectl(*server_, asked(value))), 80);
  EXPECT_THAT(scores("cluster1", "tcp=", "methods"),
              AllOf(HasSubstr("connect="), HasSubstr("dns=")));
  // It speaks no TLS.
  EXPECT_THAT(condition("cluster1", "methods", "Healthy", "EntriesFailing"), HasSubstr("tls: "));
}

struct BadInput {
  std::string name;
  std::string spec;
  std::string reason;
  std::string advice;
};

TEST_F(Generators, BadInputGetsAConditionThatSaysWhatToDo) {
  make_cluster(*server_, "cluster1");
  start_agent("cluster1");
  const std::string fine = "{name: a, url: \"https://example.com\"";
  const std::vector<BadInput> inputs = {
      {"other-namespace",
       "{addOnPlacementSelector: {name: latency, namespace: cluster2}, latencies: [" + fine + "}]}",
       "WrongNamespace", "write \"cluster1\" or leave it out"},
      {"duplicate-names", "{latencies: [" + fine + "}, " + fine + "}]}", "DuplicateName",
       "each score needs a name of its own"},
      {"no-scheme", "{latencies: [{name: a, url: \"//example.com\"}]}", "InvalidURL",
       "begin it with https://"},
      {"no-host", "{latencies: [{name: a, url: \"https://\"}]}", "InvalidURL", "there is no host"},
      {"port", "{latencies: [{name: a, url: \"https://example.com:99999\"}]}", "InvalidURL",
       "between 1 and 65535"},
      {"credentials", "{latencies: [{name: a, url: \"https://me:secret@example.com\"}]}",
       "InvalidURL", "remove what is before the @"},
      {"runs-0", "{latencies: [" + fine + ", runs: 0}]}", "InvalidValue",
       "spec.latencies[0].runs: must be from 1 to 20"},
      {"runs-10000", "{latencies: [" + fine + ", runs: 10000}]}", "InvalidValue",
       "spec.latencies[0].runs: must be from 1 to 20"},
      {"metadata", "{latencies: [{name: a, url: \"http://169.254.169.254/latest\"}]}",
       "ForbiddenAddress", "it is never measured, name another one"},
      {"private", "{latencies: [{name: a, url: \"http://10.0.0.1\"}]}", "ForbiddenAddress",
       "--probe-allow=10.0.0.1"},
      {"empty", "{}", "NothingToMeasure", "add some to spec.latencies"},
  };
  for (const BadInput& input : inputs) {
    apply_yaml(*server_, fmt::format("apiVersion: cluster.open-cluster-management.io/v1alpha1\n"
                                     "kind: AddOnPlacementScoreGenerator\n"
                                     "metadata: {{name: {}, namespace: cluster1}}\nspec: {}\n",
                                     input.name, input.spec));
  }
  for (const BadInput& input : inputs) {
    EXPECT_THAT(condition("cluster1", input.name, "Accepted", input.reason),
                AllOf(HasSubstr("False " + input.reason), HasSubstr(input.advice)))
        << input.name;
  }
  apply_yaml(*server_,
             "apiVersion: cluster.open-cluster-management.io/v1alpha1\n"
             "kind: AddOnPlacementScoreGenerator\nmetadata: {name: stray, namespace: default}\n"
             "spec: {latencies: [" +
                 fine + "}]}\n");
  EXPECT_THAT(condition("default", "stray", "Accepted", "NotAClusterNamespace"),
              AllOf(HasSubstr("False "), HasSubstr("in the namespace of a cluster")));
  EXPECT_EQ(
      checked_kubectl(*server_, {"get", "addonplacementscore", "-n", "cluster1", "-o", "name"}),
      "");
}

void write_plugin(const std::filesystem::path& path, const std::string& script) {
  std::ofstream(path) << "#!/bin/sh\n" << script << "\n";
  std::filesystem::permissions(path, std::filesystem::perms::owner_all);
}

TEST_F(Generators, WhateverAPluginDoesStaysItsOwnTrouble) {
  const DelayServer location(0ms);
  const std::filesystem::path plugins = server_->folder() / "plugins";
  std::filesystem::create_directory(plugins);
  std::filesystem::copy_file(source_path("docs/examples/plugins/diskFree"), plugins / "diskFree");
  write_plugin(plugins / "crashes", "echo the reason >&2; kill -SEGV $$");
  write_plugin(plugins / "hangs", "sleep 1000 & sleep 1000");
  write_plugin(plugins / "nonsense", "echo 42 is the answer");
  write_plugin(plugins / "floods", "head -c 1000000000 /dev/zero");
  write_plugin(plugins / "snoops",
               "env | grep -q BERTH_TEST_SECRET && exit 1\n"
               "echo '{\"protocol\":\"berth-score-plugin/1\",\"scores\":[{\"name\":\"secret\","
               "\"value\":1}]}'");
  make_cluster(*server_, "cluster1");
  ::setenv("BERTH_TEST_SECRET", "1", 1);
  start_agent("cluster1", {"--plugin-dir=" + plugins.string(), "--plugin-timeout=2s"});
  ::unsetenv("BERTH_TEST_SECRET");
  apply_yaml(*server_, fmt::format(R"(
apiVersion: cluster.open-cluster-management.io/v1alpha1
kind: AddOnPlacementScoreGenerator
metadata: {{name: plugins, namespace: cluster1}}
spec:
  latencies: [{{name: latency, url: "{}"}}]
  diskFree: [{{name: disk, path: /}}, {{name: nowhere, path: /no/such/path}}]
  crashes: [{{name: crash}}]
  hangs: [{{name: hang}}]
  nonsense: [{{name: nonsense}}]
  floods: [{{name: flood}}]
  missing: [{{name: missing}}]
  snoops: [{{name: secret}}]
)",
                                   location.url()));
  const std::map<std::string, std::string> errors = {
      {"nowhere", "it says: /no/such/path: No such file or directory"},
      {"crash", "PluginFailed: crashes ended with status 139: the reason"},
      {"hang", "PluginTimeout: hangs ran longer than 2000 ms and was killed"},
      {"nonsense", "PluginAnswerInvalid: nonsense: its answer cannot be used: no JSON document"},
      {"flood", "PluginOutputTooLarge: floods printed more than 262144 bytes and was killed"},
      {"missing", "PluginNotFound: " + (plugins / "missing").string()}};
  for (const auto& [name, error] : errors) {
    EXPECT_THAT(
        eventually({"get", "addonplacementscoregenerator", "plugins", "-n", "cluster1", "-o",
                    fmt::format("jsonpath={{.status.entries[?(@.name==\"{}\")].error}}", name)},
                   error),
        HasSubstr(error));
  }
  EXPECT_THAT(scores("cluster1", "secret=1", "plugins"),
              AllOf(HasSubstr("disk="), HasSubstr("latency=")));
  EXPECT_TRUE(agents_.at("cluster1").running());
}

TEST_F(Generators, ATemplateReachesEveryClusterOfAPlacement) {
  const DelayServer location(0ms);
  make_cluster(*server_, "cluster1");
  make_cluster(*server_, "cluster2");
  start_agent("cluster1");
  start_agent("cluster2");
  bind_default_set("ns1");
  apply_yaml(*server_,
             "apiVersion: cluster.open-cluster-management.io/v1beta1\nkind: Placement\n"
             "metadata: {name: everywhere, namespace: ns1}\nspec: {}\n");
  apply_yaml(*server_, fmt::format(R"(
apiVersion: scores.berth.dev/v1alpha1
kind: AddOnPlacementScoreGeneratorTemplate
metadata: {{name: fleet, namespace: ns1}}
spec:
  placementRef: {{name: everywhere}}
  template:
    metadata: {{labels: {{team: net}}}}
    spec:
      addOnPlacementSelector: {{name: latency}}
      latencies: [{{name: here, url: "{}"}}]
)",
                                   location.url()));
  for (const std::string cluster : {"cluster1", "cluster2"}) {
    EXPECT_THAT(scores(cluster, "here=", "fleet"), HasSubstr("here=")) << cluster;
  }
  const std::vector<std::string> status = {
      "get",
      "addonplacementscoregeneratortemplate",
      "fleet",
      "-n",
      "ns1",
      "-o",
      "jsonpath={.status.selected}/{.status.current} {.status.conditions[0].reason}"};
  EXPECT_EQ(kubectl_until(*server_, status, "2/2 Applied"), "2/2 Applied");

  checked_kubectl(*server_, {"delete", "managedcluster", "cluster2"});
  const std::vector<std::string> names = {
      "get", "addonplacementscoregenerator", "-A", "-o",
      "jsonpath={range .items[*]}{.metadata.namespace}/{.metadata.name} {end}"};
  EXPECT_EQ(kubectl_until(*server_, names, "cluster1/fleet "), "cluster1/fleet ");
  checked_kubectl(*server_,
                  {"delete", "addonplacementscoregeneratortemplate", "fleet", "-n", "ns1"});
  EXPECT_EQ(kubectl_until(*server_, names, ""), "");
}

TEST_F(Generators, AnybodyMayProvideScores) {
  const char* python = std::getenv("BERTH_PYTHON_CLIENT");
  ASSERT_TRUE(python) << "$BERTH_PYTHON_CLIENT is not set: run the tests with make test-deep";
  make_cluster(*server_, "cluster1");
  make_cluster(*server_, "cluster2");
  const auto provide = [&](const std::string& cluster, const std::string& value) {
    const Status status = run({python, source_path("docs/examples/score_provider.py").string(),
                               server_->kubeconfig().string(), cluster, "cluster1-generator",
                               "redhat-com-avgLatency=" + value, "other=500"});
    EXPECT_TRUE(status.ok()) << status.error().message;
  };
  provide("cluster1", "20");
  provide("cluster2", "40");
  bind_default_set("ns1");
  apply_yaml(*server_, placement("nearest", 1));
  EXPECT_EQ(decided("nearest", "cluster1"), "cluster1");
  provide("cluster1", "60");
  EXPECT_EQ(decided("nearest", "cluster2"), "cluster2");
  EXPECT_EQ(scores("cluster1", "other"), "other=100;redhat-com-avgLatency=60;");
}

}  // namespace
}  // namespace berth::kube
