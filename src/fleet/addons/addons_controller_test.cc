#include "fleet/addons/addons_controller.h"

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "base/strings.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "pki/key.h"
#include "pki/request.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

constexpr auto kAddOns = AddOnResource::AddOns;
constexpr auto kManaged = AddOnResource::Managed;

struct Program {
  explicit Program(env::Env& env)
      : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
        informers(env, api),
        controller(env, api, informers, [] { return true; }, {}) {}

  client::Api api;
  client::Informers informers;
  AddOnsController controller;
};

// A hub with clusters a and b, both chosen by a placement, and an add-on with a template.
class ManagingAddOns : public ::testing::Test {
 protected:
  ManagingAddOns() : world_(sim::WorldOptions{}) {
    hub_.on_write = [this](const auto& written) { writes_.push_back(written.what); };
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    for (const char* name : {"a", "b"}) {
      put(AddOnResource::Clusters,
          fmt::format(R"({{"metadata":{{"name":"{}"}},"spec":{{"hubAcceptsClient":true}}}})",
                      name));
    }
    choose({"a", "b"});
    put(AddOnResource::Templates, R"({"metadata":{"name":"t"},"spec":{"addonName":"score",
        "registration":[{"type":"KubeClient","kubeClient":{"hubPermissions":[
          {"type":"CurrentCluster","currentCluster":{"clusterRoleName":"role"}}]}}],
        "agentSpec":{"workload":{"manifests":[
          {"apiVersion":"apps/v1","kind":"Deployment",
           "metadata":{"name":"agent","namespace":"agents"},
           "spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:{{VERSION}}"}]}}}}
        ]}}}})");
    put(kAddOns, R"({"metadata":{"name":"score"},"spec":{
        "supportedConfigs":[{"group":"addon.open-cluster-management.io",
          "resource":"addontemplates","defaultConfig":{"name":"t"}},
          {"group":"addon.open-cluster-management.io","resource":"addondeploymentconfigs"}],
        "installStrategy":{"type":"Placements","placements":[{"name":"p","namespace":"ns"}]}}})");
    start();
  }

  void start() {
    world_.add_node("berth").start(
        [](std::span<env::Env> loops) { return std::make_shared<Program>(loops[0]); });
    world_.run_for(1s);
  }

  void put(AddOnResource kind, std::string_view text) {
    hub_.put(resource_of(kind), json::parse(text).value());
  }

  void choose(const std::vector<std::string>& clusters) {
    Value decision = json::parse(R"({"metadata":{"name":"p-decision-1","namespace":"ns","labels":{
        "cluster.open-cluster-management.io/placement":"p",
        "cluster.open-cluster-management.io/decision-group-index":"0"}}})")
                         .value();
    decision["status"]["decisions"] = Value::array();
    for (const std::string& cluster : clusters) {
      decision["status"]["decisions"].push_back(Value::object({{"clusterName", cluster}}));
    }
    hub_.put(resource_of(AddOnResource::Decisions), decision);
    put(AddOnResource::Placements,
        fmt::format(R"({{"metadata":{{"name":"p","namespace":"ns"}},"status":{{
            "numberOfSelectedClusters":{},
            "conditions":[{{"type":"PlacementSatisfied","status":"True"}}]}}}})",
                    clusters.size()));
  }

  Value find(AddOnResource kind, const std::string& key) {
    const Value* object = hub_.find(resource_of(kind), key);
    return object ? *object : Value();
  }

  // "status reason" of a condition of a cluster's copy.
  std::string condition(const std::string& cluster, std::string_view type) {
    const Value managed = find(kManaged, cluster + "/score");
    const Value& conditions = api::field(api::field(managed, "status"), "conditions");
    const Value* found = api::find_condition(conditions, type);
    return found ? api::text_field(*found, "status") + " " + api::text_field(*found, "reason")
                 : "none";
  }

  // What the work agent of that cluster would report.
  void report(const std::string& cluster, int ready) {
    Value work = find(AddOnResource::Works, cluster + "/addon-score-deploy-0");
    const auto generation = api::read_facts(work).generation;
    Value status = Value::object();
    for (const char* type : {"Applied", "Available"}) {
      status["conditions"].push_back(
          Value::object({{"type", type}, {"status", "True"}, {"observedGeneration", generation}}));
    }
    status["resourceStatus"] = json::parse(fmt::format(R"({{"manifests":[{{"resourceMeta":{{
        "group":"apps","resource":"deployments","name":"agent","namespace":"agents"}},
        "statusFeedback":{{"values":[
          {{"name":"ReadyReplicas","fieldValue":{{"type":"Integer","integer":{}}}}},
          {{"name":"Replicas","fieldValue":{{"type":"Integer","integer":1}}}}]}}}}]}})",
                                                       ready))
                                   .value();
    work["status"] = status;
    hub_.put(resource_of(AddOnResource::Works), work);
    world_.run_for(1s);
  }

  std::string image(const std::string& cluster) {
    const Value work = find(AddOnResource::Works, cluster + "/addon-score-deploy-0");
    const Value* manifests = work.find_path({"spec", "workload", "manifests"});
    if (!manifests) return "none";
    const Value* containers =
        manifests->elements()[0].find_path({"spec", "template", "spec", "containers"});
    return api::text_field(containers->elements()[0], "image");
  }

  control::testing::ModelHub hub_;
  std::vector<std::string> writes_;
  sim::World world_;
};

TEST_F(ManagingAddOns, BringsAnAddOnToTheClustersOfItsPlacement) {
  EXPECT_EQ(image("a"), "i:");
  EXPECT_EQ(image("b"), "i:");
  EXPECT_EQ(condition("a", "Configured"), "True ConfigurationsConfigured");
  EXPECT_EQ(condition("a", "RegistrationApplied"), "True SetPermissionApplied");
  EXPECT_EQ(condition("a", "ManifestApplied"), "none");
  EXPECT_EQ(condition("a", "Progressing"), "False WaitingForManifestApplied");
  const Value managed = find(kManaged, "a/score");
  EXPECT_TRUE(is_owned_by_add_on(managed));
  EXPECT_EQ(managed.find_path({"status", "namespace"})->string_or_empty(), "agents");
  EXPECT_TRUE(find(AddOnResource::Bindings, "a/open-cluster-management:score:clusterrole:agent")
                  .is_object());
}

TEST_F(ManagingAddOns, TellsWhenTheAgentRunsAndTheRolloutIsThrough) {
  report("a", 1);
  EXPECT_EQ(condition("a", "ManifestApplied"), "True AddonManifestApplied");
  EXPECT_EQ(condition("a", "Available"), "True ProbeAvailable");
  EXPECT_EQ(condition("a", "Progressing"), "False Completed");
  report("b", 0);
  EXPECT_EQ(condition("b", "Available"), "False ProbeUnavailable");
  const Value add_on = find(kAddOns, "score");
  const Value& progression = add_on.find_path({"status", "installProgressions"})->elements()[0];
  EXPECT_EQ(api::text_field(progression.find("conditions")->elements()[0], "message"),
            "2/2 completed with no errors, 0 failed 0 timeout.");
}

TEST_F(ManagingAddOns, SettlesAndWritesNothingWithoutACause) {
  report("a", 1);
  report("b", 1);
  const std::size_t writes = writes_.size();
  world_.run_for(1h);
  EXPECT_EQ(writes_.size(), writes)
      << join({writes_.begin() + static_cast<long>(writes), writes_.end()}, "\n");
}

TEST_F(ManagingAddOns, CarriesAChangedConfigurationToItsCluster) {
  put(AddOnResource::Configs, R"({"metadata":{"name":"d","namespace":"a"},"spec":{
      "customizedVariables":[{"name":"VERSION","value":"1"}]}})");
  Value managed = find(kManaged, "a/score");
  managed["spec"] = json::parse(R"({"configs":[{"group":"addon.open-cluster-management.io",
      "resource":"addondeploymentconfigs","name":"d","namespace":"a"}]})")
                        .value();
  hub_.put(resource_of(kManaged), managed);
  world_.run_for(1s);
  EXPECT_EQ(image("a"), "i:1");
  EXPECT_EQ(image("b"), "i:");
  put(AddOnResource::Configs, R"({"metadata":{"name":"d","namespace":"a"},"spec":{
      "customizedVariables":[{"name":"VERSION","value":"2"}]}})");
  world_.run_for(1s);
  EXPECT_EQ(image("a"), "i:2");
}

TEST_F(ManagingAddOns, HandsAChangedTemplateToOneClusterAfterTheOther) {
  report("a", 1);
  report("b", 1);
  Value add_on = find(kAddOns, "score");
  add_on["spec"]["installStrategy"]["placements"].elements()[0]["rolloutStrategy"] =
      json::parse(R"({"type":"Progressive","progressive":{"maxConcurrency":1}})").value();
  hub_.put(resource_of(kAddOns), add_on);
  Value changed = find(AddOnResource::Templates, "t");
  changed["spec"]["agentSpec"]["workload"]["manifests"]
      .elements()[0]["spec"]["template"]["spec"]["containers"]
      .elements()[0]["image"] = "new";
  hub_.put(resource_of(AddOnResource::Templates), changed);
  world_.run_for(1s);
  EXPECT_EQ(image("a"), "new");
  EXPECT_EQ(image("b"), "i:");
  EXPECT_EQ(condition("b", "Configured"), "False ConfigurationsNotConfigured");
  report("a", 1);
  EXPECT_EQ(image("b"), "new");
}

TEST_F(ManagingAddOns, RemovesAnAddOnWhereNoPlacementWantsIt) {
  choose({"b"});
  world_.run_for(1s);
  EXPECT_TRUE(find(kManaged, "a/score").is_null());
  EXPECT_TRUE(find(kManaged, "b/score").is_object());
}

TEST_F(ManagingAddOns, SurvivesAPlacementThatIsMadeAnew) {
  hub_.erase(resource_of(AddOnResource::Placements), "ns/p");
  hub_.erase(resource_of(AddOnResource::Decisions), "ns/p-decision-1");
  world_.run_for(5min);
  EXPECT_TRUE(find(kManaged, "a/score").is_object());
  put(AddOnResource::Placements, R"({"metadata":{"name":"p","namespace":"ns"}})");
  world_.run_for(1min);
  choose({"a"});
  world_.run_for(1s);
  EXPECT_TRUE(find(kManaged, "a/score").is_object());
  EXPECT_TRUE(find(kManaged, "b/score").is_null());
}

TEST_F(ManagingAddOns, UninstallsWhenAPlacementStaysAway) {
  hub_.erase(resource_of(AddOnResource::Placements), "ns/p");
  hub_.erase(resource_of(AddOnResource::Decisions), "ns/p-decision-1");
  world_.run_for(9min);
  EXPECT_TRUE(find(kManaged, "a/score").is_object());
  world_.run_for(2min);
  EXPECT_TRUE(find(kManaged, "a/score").is_null());
}

TEST_F(ManagingAddOns, RunsWhatHasToRunBeforeItGoes) {
  Value changed = find(AddOnResource::Templates, "t");
  changed["spec"]["agentSpec"]["workload"]["manifests"].push_back(
      json::parse(R"({"apiVersion":"batch/v1","kind":"Job","metadata":{"name":"cleanup",
          "namespace":"agents",
          "annotations":{"addon.open-cluster-management.io/addon-pre-delete":""}}})")
          .value());
  hub_.put(resource_of(AddOnResource::Templates), changed);
  world_.run_for(1s);
  Value managed = find(kManaged, "a/score");
  ASSERT_TRUE(api::Metadata(managed).has_finalizer(kPreDeleteHook));
  managed["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  hub_.put(resource_of(kManaged), managed);
  world_.run_for(1s);
  EXPECT_EQ(condition("a", "HookManifestCompleted"), "False HookManifestIsNotCompleted");
  Value hook = find(AddOnResource::Works, "a/addon-score-pre-delete");
  ASSERT_TRUE(hook.is_object());
  hook["status"] = json::parse(R"({"conditions":[{"type":"Available","status":"True"}],
      "resourceStatus":{"manifests":[{"resourceMeta":{"group":"batch","resource":"jobs",
        "name":"cleanup","namespace":"agents"},"statusFeedback":{"values":[
        {"name":"JobComplete","fieldValue":{"type":"String","string":"True"}}]}}]}})")
                       .value();
  hub_.put(resource_of(AddOnResource::Works), hook);
  world_.run_for(1s);
  EXPECT_FALSE(api::Metadata(find(kManaged, "a/score")).has_finalizer(kPreDeleteHook));
}

TEST_F(ManagingAddOns, ClearsAwayRightsInNamespacesOfOthers) {
  Value changed = find(AddOnResource::Templates, "t");
  changed["spec"]["registration"].elements()[0]["kubeClient"]["hubPermissions"].push_back(
      json::parse(R"({"type":"SingleNamespace","singleNamespace":{"namespace":"shared",
          "roleRef":{"kind":"Role","name":"reader"}}})")
          .value());
  hub_.put(resource_of(AddOnResource::Templates), changed);
  world_.run_for(1s);
  const std::string name = "shared/open-cluster-management:score:role:agent:a";
  EXPECT_TRUE(find(AddOnResource::Bindings, name).is_object());
  choose({"b"});
  world_.run_for(1s);
  EXPECT_TRUE(find(AddOnResource::Bindings, name).is_null());
  EXPECT_TRUE(find(AddOnResource::Bindings, "shared/open-cluster-management:score:role:agent:b")
                  .is_object());
}

TEST_F(ManagingAddOns, ApprovesRequestsOfTheClustersOwnAgentOnly) {
  const auto ask = [this](const std::string& name, const std::string& user) {
    const AddOnKey key{.cluster = "a", .name = "score"};
    Value request = json::parse(R"({"metadata":{"labels":{
        "open-cluster-management.io/cluster-name":"a",
        "open-cluster-management.io/addon-name":"score"}}})")
                        .value();
    request["metadata"]["name"] = name;
    request["spec"]["signerName"] = kClientSigner;
    request["spec"]["username"] = user;
    request["spec"]["request"] = encode_base64(
        pki::make_request(pki::PrivateKey::generate(),
                          {.common_name = add_on_user(key), .organizations = add_on_groups(key)})
            .value());
    hub_.put(resource_of(AddOnResource::Requests), request);
    world_.run_for(1s);
    return api::is_condition_true(find(AddOnResource::Requests, name), "Approved");
  };
  EXPECT_TRUE(ask("addon-a-score-1", "system:open-cluster-management:a:x"));
  EXPECT_FALSE(ask("addon-a-score-2", "system:open-cluster-management:a0:x"));
  EXPECT_FALSE(ask("addon-a-score-3", "system:open-cluster-management:b:x"));
}

}  // namespace
}  // namespace berth::fleet
