#include "scores/generators/generator_template_controller.h"

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "control/testing/model_hub_service.h"
#include "json/yaml_read.h"
#include "scores/generators/generator_resources_service.h"
#include "scores/generators/stray_generators_controller.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using json::Value;
using ::testing::HasSubstr;

const client::Gvr kDecisions{"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"};
const client::Gvr kClusters{"cluster.open-cluster-management.io", "v1", "managedclusters"};

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"),
            {.rate = {.per_second = 0}, .call = {.timeout = 5s, .retry = {.attempts_max = 1}}}),
        informers(env, api),
        templates(env, api, informers, [] { return true; }),
        strays(env, api, informers, [] { return true; }) {}

  client::Api api;
  client::Informers informers;
  GeneratorTemplateController templates;
  StrayGeneratorsController strays;
};

class GeneratorTemplateControllerTest : public ::testing::Test {
 protected:
  GeneratorTemplateControllerTest() {
    hub_.on_write = [this](const auto& write) { writes_.push_back(write.what); };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    for (const std::string cluster : {"c1", "c2", "c3"}) {
      put(kClusters, "metadata: {name: " + cluster + "}");
    }
  }

  void start() {
    world_.add_node("controllers").start([](std::span<env::Env> loops) {
      return std::make_shared<Program>(loops[0]);
    });
    world_.run_for(2s);
  }

  void put(const client::Gvr& resource, const std::string& yaml) {
    hub_.put(resource, json::read_one_yaml(yaml).value());
    world_.run_for(2s);
  }
  void decide(const std::string& clusters, const std::string& name = "p-decision-1") {
    put(kDecisions, "metadata: {name: " + name +
                        ", namespace: ns1, labels: {cluster.open-cluster-management.io/placement: "
                        "p}}\nstatus: {decisions: [" +
                        clusters + "]}");
  }
  void put_template(const std::string& url, const std::string& ns = "ns1") {
    put(generator_template_resource(), "metadata: {name: lat, namespace: " + ns +
                                           "}\nspec: {placementRef: {name: p}, template: " +
                                           "{spec: {latencies: [{name: a, url: '" + url + "'}]}}}");
  }

  // The URL that the generator of that cluster measures; empty: it has none.
  std::string url_in(const std::string& cluster) {
    const Value* generator = hub_.find(generator_resource(), cluster + "/lat");
    if (!generator) return "";
    const auto latencies = api::elements_field(api::field(*generator, "spec"), "latencies");
    return latencies.empty() ? "nothing" : api::text_field(latencies[0], "url");
  }
  std::vector<std::string> urls() { return {url_in("c1"), url_in("c2"), url_in("c3")}; }

  std::string condition(const client::Gvr& resource, const std::string& key, std::string_view type,
                        std::string_view field) {
    const Value& status = api::field(*hub_.find(resource, key), "status");
    const Value* found = api::find_condition(api::field(status, "conditions"), type);
    return found ? api::text_field(*found, field) : "";
  }

  control::testing::ModelHub hub_;
  std::vector<std::string> writes_;
  sim::World world_{sim::WorldOptions{}};
};

using Urls = std::vector<std::string>;
constexpr const char* kA = "https://a.com";

TEST_F(GeneratorTemplateControllerTest, MakesAGeneratorForEverySelectedCluster) {
  put_template(kA);
  decide("{clusterName: c1}, {clusterName: c2}");
  start();
  EXPECT_EQ(urls(), (Urls{kA, kA, ""}));
  EXPECT_EQ(condition(generator_template_resource(), "ns1/lat", "Applied", "status"), "True");
  const Value& status = api::field(*hub_.find(generator_template_resource(), "ns1/lat"), "status");
  EXPECT_EQ(api::integer_field(status, "selected"), 2);
  EXPECT_EQ(api::integer_field(status, "current"), 2);
  writes_.clear();
  world_.run_for(1h);
  EXPECT_TRUE(writes_.empty());
}

TEST_F(GeneratorTemplateControllerTest, FollowsTheDecisionsOfItsPlacement) {
  put_template(kA);
  decide("{clusterName: c1}, {clusterName: c2}");
  start();
  decide("{clusterName: c2}, {clusterName: c3}");
  EXPECT_EQ(urls(), (Urls{kA, kA, kA}));  // The one that is left has a moment.
  world_.run_for(10s);
  EXPECT_EQ(urls(), (Urls{"", kA, kA}));
}

TEST_F(GeneratorTemplateControllerTest, KeepsAGeneratorWhileItsClusterMovesBetweenDecisions) {
  put_template(kA);
  decide("{clusterName: c1}");
  start();
  decide("");
  decide("{clusterName: c1}", "p-decision-2");
  world_.run_for(1min);
  EXPECT_EQ(urls(), (Urls{kA, "", ""}));
  EXPECT_EQ(std::ranges::count_if(writes_, [](const auto& w) { return w.starts_with("DELETE"); }),
            0);
}

TEST_F(GeneratorTemplateControllerTest, BringsChangesEverywhereAndUndoesThoseOfOthers) {
  put_template(kA);
  decide("{clusterName: c1}, {clusterName: c2}");
  start();
  put_template("https://b.com");
  EXPECT_EQ(urls(), (Urls{"https://b.com", "https://b.com", ""}));
  Value edited = *hub_.find(generator_resource(), "c1/lat");
  edited["spec"]["latencies"] = Value::array();
  hub_.put(generator_resource(), edited);
  world_.run_for(2s);
  EXPECT_EQ(url_in("c1"), "https://b.com");
  hub_.erase(generator_resource(), "c2/lat");
  world_.run_for(2s);
  EXPECT_EQ(url_in("c2"), "https://b.com");
}

TEST_F(GeneratorTemplateControllerTest, TakesAllAwayWithTheTemplate) {
  put_template(kA);
  decide("{clusterName: c1}, {clusterName: c2}");
  start();
  hub_.erase(generator_template_resource(), "ns1/lat");
  world_.run_for(10s);
  EXPECT_EQ(urls(), (Urls{"", "", ""}));
}

TEST_F(GeneratorTemplateControllerTest, TakesAwayWhatATemplateLeftThatWentUnseen) {
  put_template(kA);
  decide("{clusterName: c1}");
  start();
  world_.node("controllers").crash(sim::Crash::Process);
  hub_.erase(generator_template_resource(), "ns1/lat");
  world_.node("controllers").restart();
  world_.run_for(10s);
  EXPECT_EQ(urls(), (Urls{"", "", ""}));
}

TEST_F(GeneratorTemplateControllerTest, LeavesAGeneratorOfAUserAlone) {
  put(generator_resource(),
      "metadata: {name: lat, namespace: c1}\nspec: {latencies: [{name: x, url: 'https://x.com'}]}");
  put_template(kA);
  decide("{clusterName: c1}, {clusterName: c2}");
  start();
  EXPECT_EQ(urls(), (Urls{"https://x.com", kA, ""}));
  EXPECT_EQ(condition(generator_template_resource(), "ns1/lat", "Applied", "reason"), "NameTaken");
  hub_.erase(generator_template_resource(), "ns1/lat");
  world_.run_for(10s);
  EXPECT_EQ(urls(), (Urls{"https://x.com", "", ""}));
}

TEST_F(GeneratorTemplateControllerTest, TellsAuthorsOfGeneratorsThatNobodyCarriesOut) {
  start();
  put(generator_resource(),
      "metadata: {name: g, namespace: default}\nspec: {latencies: [{name: x, url: 'dns://x'}]}");
  EXPECT_EQ(condition(generator_resource(), "default/g", "Accepted", "status"), "False");
  EXPECT_THAT(condition(generator_resource(), "default/g", "Accepted", "message"),
              HasSubstr("there is no ManagedCluster \"default\""));
  put(kClusters, "metadata: {name: default}");
  EXPECT_EQ(condition(generator_resource(), "default/g", "Accepted", "reason"), "WaitingForAgent");
}

TEST_F(GeneratorTemplateControllerTest, LeavesGeneratorsOfClustersToTheirAgents) {
  put(generator_resource(),
      "metadata: {name: g, namespace: c1}\nspec: {latencies: [{name: x, url: 'dns://x'}]}");
  start();
  EXPECT_TRUE(writes_.empty());
}

}  // namespace
}  // namespace berth::scores
