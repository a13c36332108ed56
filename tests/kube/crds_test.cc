// The CRDs that Berth ships beside those of OCM: one server with each, the same requests to both.
// OCM's are always on a real server.

#include "kube/crds.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "kube/blocking_api.h"
#include "kube/comparison/objects.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

// The embedded hub does what OCM's webhooks do: it puts clusters into the default set, and says
// when a taint was added.
void forget_guards(Value& object) {
  if (server_kind() != ServerKind::EmbeddedHub) return;
  Value& metadata = object["metadata"];
  if (Value* labels = metadata.find("labels")) {
    labels->erase("cluster.open-cluster-management.io/clusterset");
    if (labels->size() == 0) metadata.erase("labels");
  }
  Value* spec = object.find("spec");
  Value* taints = spec ? spec->find("taints") : nullptr;
  if (!taints) return;
  for (Value& taint : taints->elements()) taint.erase("timeAdded");
}

// There it also refuses bindings to other names and bad addresses of clusters before anybody looks
// at the schema.
bool is_refused_by_guards(ObjectKind kind, const Value& object) {
  if (server_kind() != ServerKind::EmbeddedHub) return false;
  return kind == ObjectKind::Binding || object.find_path({"spec", "managedClusterClientConfigs"});
}

// What a request came to: the stored object without what differs by nature, or the refusal.
std::string outcome(Result<Value> answer) {
  if (!answer.ok()) return "refused: " + answer.error().message;
  for (const char* name : {"managedFields", "uid", "resourceVersion", "creationTimestamp"}) {
    (*answer)["metadata"].erase(name);
  }
  // Fields that Berth has ahead of OCM, at their defaults.
  if (Value* spec = answer->find("spec")) {
    spec->erase("sortBy");
    spec->erase("scoreRateLimit");
  }
  forget_guards(*answer);
  return json::print_yaml(*answer);  // Its members are in the order of their names.
}

// The rules of a schema without its prose, and without the fields that Berth has ahead of OCM.
Value rules_of(const Value& schema) {
  if (schema.is_array()) {
    Value list = Value::array();
    for (const Value& element : schema.elements()) list.push_back(rules_of(element));
    return list;
  }
  if (!schema.is_object()) return schema;
  Value rules = Value::object();
  for (const auto& member : schema.members()) {
    const bool is_prose = member.name() == "description" && member.value.is_string();
    if (!is_prose) rules[member.name()] = rules_of(member.value);
  }
  return rules;
}

Value rules_of_both(ObjectKind kind, const Value& version) {
  Value rules = rules_of(api::field(version, "schema"));
  const auto erase = [&rules](std::initializer_list<std::string_view> path, const char* name) {
    Value* at = &rules["openAPIV3Schema"];
    for (const std::string_view step : path) at = &(*at)[step];
    at->erase(name);
  };
  if (kind == ObjectKind::Placement) {
    erase({"properties", "spec", "properties"}, "sortBy");
    erase({"properties", "spec", "properties"}, "scoreRateLimit");
    erase({"properties", "status", "properties"}, "lastScoreUpdateTime");
  } else if (kind == ObjectKind::Decision) {
    erase({"properties", "status", "properties", "decisions", "items", "properties"}, "score");
  }
  return rules;
}

class TwoServers : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto ours = Server::start();
    auto theirs = Server::start({.kind = ServerKind::KubeApiserver});
    ASSERT_TRUE(ours.ok() && theirs.ok());
    ours_ = std::move(*ours);
    theirs_ = std::move(*theirs);
    ASSERT_TRUE(apply_berth_crds(*ours_).ok());
    ASSERT_TRUE(apply_ocm_crds(*theirs_).ok());
  }
  static void TearDownTestSuite() {
    ours_.reset();
    theirs_.reset();
  }

  // Creates on both servers, without leaving anything behind; the outcomes must be the same.
  static void expect_same(ObjectKind kind, std::string_view text) {
    SCOPED_TRACE(text);
    BlockingApi ours(ours_->kubeconfig());
    BlockingApi theirs(theirs_->kubeconfig());
    const bool is_namespaced = kind != ObjectKind::Cluster && kind != ObjectKind::Set;
    const ObjectName name{.ns = is_namespaced ? "default" : "", .name = "example"};
    Value object = new_object(kind, name);
    for (const auto& member : json::parse(text).value().members()) {
      object[member.name()] = member.value;
    }
    if (is_refused_by_guards(kind, object)) return;
    client::ResourcePath collection = path_of(kind, name);
    collection.name.clear();
    EXPECT_EQ(outcome(ours.create(collection, object)), outcome(theirs.create(collection, object)));
    client::ResourcePath status = path_of(kind, name);
    status.subresource = "status";
    if (const Value* wanted = object.find("status")) {
      const Value patch = Value::object({{"status", *wanted}});
      EXPECT_EQ(outcome(ours.patch(status, patch, {})), outcome(theirs.patch(status, patch, {})));
    }
    status.subresource.clear();
    for (BlockingApi* api : {&ours, &theirs}) {
      const auto removed = api->remove(status);
      EXPECT_TRUE(removed.ok() || removed.error().code == Code::NotFound);
    }
  }

  static inline std::unique_ptr<Server> ours_;
  static inline std::unique_ptr<Server> theirs_;
};

TEST_F(TwoServers, PlacementsAreDefaultedPrunedAndRefusedAlike) {
  constexpr std::string_view kSpecs[] = {
      "{}",
      R"({"numberOfClusters":-1,"clusterSets":["a","a"],"unknown":1,"prioritizerPolicy":{}})",
      R"({"numberOfClusters":"3"})",
      R"({"prioritizerPolicy":{"mode":"Weird","configurations":[{"scoreCoordinate":{}}]}})",
      R"({"prioritizerPolicy":{"configurations":[{"weight":1}]}})",
      R"({"prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"type":"Other"}}]}})",
      R"({"prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"type":"AddOn",
          "addOn":{"resourceName":"r"}}}]}})",
      R"({"prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"builtIn":"Steady"},
          "weight":11}]}})",
      R"({"prioritizerPolicy":{"configurations":[{"scoreCoordinate":{"builtIn":"Steady"},
          "weight":0}]}})",
      R"({"tolerations":[{"key":""}]})",
      R"({"tolerations":[{"key":"a b"}]})",
      R"({"tolerations":[{"key":"k","effect":"NoSchedule"}]})",
      R"({"tolerations":[{"key":"k","operator":"Foo","tolerationSeconds":-5},{"value":"v"}]})",
      R"({"predicates":[{},{"requiredClusterSelector":{"labelSelector":{"matchExpressions":[
          {"key":"k","operator":"Nope"}]},"claimSelector":{"matchLabels":{"a":"b"}},
          "celSelector":{"celExpressions":["not cel"]}}}]})",
      R"({"predicates":[{"requiredClusterSelector":{"labelSelector":{"matchExpressions":[
          {"key":"k"}]}}}]})",
      R"({"decisionStrategy":{"groupStrategy":{}}})",
      R"({"decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":0}}})",
      R"({"decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":"10"}}})",
      R"({"decisionStrategy":{"groupStrategy":{"clustersPerDecisionGroup":"101%"}}})",
      R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[{"groupName":"a",
          "groupClusterSelector":{}}]}}})",
      R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[{"groupName":"canary",
          "groupClusterSelector":{"celSelector":{}}}]}}})",
      R"({"decisionStrategy":{"groupStrategy":{"decisionGroups":[{"groupName":"canary"}]}}})",
      R"({"spreadPolicy":{"spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Label"}]}})",
      R"({"spreadPolicy":{"spreadConstraints":[{"topologyKey":"zone","topologyKeyType":"Other"}]}})",
      R"({"spreadPolicy":{"spreadConstraints":[{"topologyKey":"z","topologyKeyType":"Claim",
          "maxSkew":0}]}})",
      R"({"spreadPolicy":{"spreadConstraints":[{"topologyKey":"z","topologyKeyType":"Claim",
          "whenUnsatisfiable":"Never"}]}})",
  };
  for (const std::string_view spec : kSpecs) {
    expect_same(ObjectKind::Placement, std::string(R"({"spec":)") + std::string(spec) + "}");
  }
  expect_same(ObjectKind::Placement, R"({"status":{}})");
}

TEST_F(TwoServers, StatusesAreDefaultedPrunedAndRefusedAlike) {
  constexpr std::string_view kStatuses[] = {
      R"({"numberOfSelectedClusters":3,"decisionGroups":[{"decisionGroupIndex":0,"odd":1}]})",
      R"({"conditions":[{"type":"A","status":"True"}]})",
      R"({"conditions":[{"type":"A","status":"Maybe","reason":"R","message":"",
          "lastTransitionTime":"2026-01-01T00:00:00Z"}]})",
      R"({"conditions":[{"type":"A","status":"True","reason":"","message":"",
          "lastTransitionTime":"2026-01-01T00:00:00Z"}]})",
      R"({"conditions":[{"type":"A","status":"True","reason":"R","message":"",
          "lastTransitionTime":"yesterday"}]})",
      R"({"conditions":[
          {"type":"A","status":"True","reason":"R","message":"",
           "lastTransitionTime":"2026-01-01T00:00:00Z"},
          {"type":"A","status":"True","reason":"R","message":"",
           "lastTransitionTime":"2026-01-01T00:00:00Z"}]})",
  };
  for (const std::string_view status : kStatuses) {
    for (const ObjectKind kind : {ObjectKind::Placement, ObjectKind::Cluster, ObjectKind::Set,
                                  ObjectKind::Binding, ObjectKind::Score}) {
      expect_same(kind, std::string(R"({"spec":{},"status":)") + std::string(status) + "}");
    }
  }
}

TEST_F(TwoServers, OtherKindsAreDefaultedPrunedAndRefusedAlike) {
  struct Case {
    ObjectKind kind;
    std::string_view text;
  };
  const Case cases[] = {
      {ObjectKind::Cluster, "{}"},
      {ObjectKind::Cluster, R"({"spec":{"taints":[{"key":"k","effect":"NoSelect"}],"x":1}})"},
      {ObjectKind::Cluster, R"({"spec":{"taints":[{"key":"k","effect":"NoSelect",
                                "timeAdded":null}]}})"},
      {ObjectKind::Cluster, R"({"spec":{"taints":[{"key":"k","effect":"NoExecute"}]}})"},
      {ObjectKind::Cluster, R"({"spec":{"taints":[{"key":"k"}]}})"},
      {ObjectKind::Cluster, R"({"spec":{"managedClusterClientConfigs":[{"caBundle":"eA=="}]}})"},
      {ObjectKind::Cluster, R"({"spec":{"managedClusterClientConfigs":[{"url":"x",
                                "caBundle":"eA=="}]}})"},
      {ObjectKind::Cluster, R"({"status":{"allocatable":{"cpu":4,"memory":"1.5Gi","odd":"1"}}})"},
      {ObjectKind::Cluster, R"({"status":{"allocatable":{"cpu":"much"}}})"},
      {ObjectKind::Cluster, R"({"status":{"conditions":null,"capacity":{"cpu":"12e1"}}})"},
      {ObjectKind::Cluster, R"({"status":{"clusterClaims":[{"name":"a","value":""}]}})"},
      {ObjectKind::Cluster, R"({"status":{"clusterClaims":[{"name":"a","value":"1"},
                                {"name":"a","value":"2"}],"version":{"kubernetes":"1"}}})"},
      {ObjectKind::Cluster, R"({"status":{"managedNamespaces":[{"clusterSet":"s","name":"n"},
                                {"clusterSet":"s","name":"n"}]}})"},
      {ObjectKind::Cluster, R"({"status":{"managedNamespaces":[{"name":"N"}]}})"},
      {ObjectKind::Set, "{}"},
      {ObjectKind::Set, R"({"spec":{}})"},
      {ObjectKind::Set, R"({"spec":{"clusterSelector":{}}})"},
      {ObjectKind::Set, R"({"spec":{"clusterSelector":{"selectorType":"LabelSelector"}}})"},
      {ObjectKind::Set, R"({"spec":{"clusterSelector":{"selectorType":"Other"}}})"},
      {ObjectKind::Set, R"({"spec":{"managedNamespaces":[{"name":"a"},{"name":"a"}]}})"},
      {ObjectKind::Set, R"({"spec":{"managedNamespaces":[{"name":"A"}]}})"},
      {ObjectKind::Binding, "{}"},
      {ObjectKind::Binding, R"({"spec":{"clusterSet":""}})"},
      {ObjectKind::Binding, R"({"spec":{"clusterSet":"other","odd":true}})"},
      {ObjectKind::Score, R"({"spec":{"pruned":true}})"},
      {ObjectKind::Score, R"({"status":{"scores":[{"name":"a","value":101}]}})"},
      {ObjectKind::Score, R"({"status":{"scores":[{"name":"a","value":-100},
                              {"name":"b","value":1.5}]}})"},
      {ObjectKind::Score, R"({"status":{"scores":[{"name":"a","value":1},
                              {"name":"a","value":2}]}})"},
      {ObjectKind::Score, R"({"status":{"scores":[{"name":"a"}]}})"},
      {ObjectKind::Score, R"({"status":{"validUntil":"2026-01-01T00:00:00Z"}})"},
      {ObjectKind::Score, R"({"status":{"validUntil":"soon"}})"},
      {ObjectKind::Decision, "{}"},
      {ObjectKind::Decision, R"({"status":{}})"},
      {ObjectKind::Decision, R"({"status":{"decisions":[]}})"},
      {ObjectKind::Decision, R"({"status":{"decisions":[{"clusterName":"a"}]}})"},
      {ObjectKind::Decision, R"({"status":{"decisions":[{"clusterName":"a","reason":"",
                                 "odd":1}]}})"},
  };
  for (const Case& c : cases) expect_same(c.kind, c.text);
}

TEST_F(TwoServers, ClientsSeeTheSameNamesColumnsAndSchemas) {
  BlockingApi ours(ours_->kubeconfig());
  BlockingApi theirs(theirs_->kubeconfig());
  for (const ObjectKind kind : kObjectKinds) {
    const client::Gvr resource = path_of(kind, {}).resource;
    SCOPED_TRACE(resource.resource);
    const client::ResourcePath crd{.resource = {.group = "apiextensions.k8s.io",
                                                .version = "v1",
                                                .resource = "customresourcedefinitions"},
                                   .name = resource.resource + "." + resource.group};
    const Value our_crd = ours.get(crd).value();
    const Value their_crd = theirs.get(crd).value();
    const Value& our_spec = api::field(our_crd, "spec");
    const Value& their_spec = api::field(their_crd, "spec");
    for (const char* part : {"group", "names", "scope", "conversion"}) {
      EXPECT_EQ(api::field(our_spec, part), api::field(their_spec, part)) << part;
    }
    const Value& our_version = api::field(our_spec, "versions").elements()[0];
    const Value& their_version = api::field(their_spec, "versions").elements()[0];
    for (const char* part : {"name", "served", "storage", "subresources"}) {
      EXPECT_EQ(api::field(our_version, part), api::field(their_version, part)) << part;
    }
    EXPECT_EQ(api::field(our_version, "additionalPrinterColumns"),
              api::field(their_version, "additionalPrinterColumns"));
    EXPECT_EQ(json::print_yaml(rules_of_both(kind, our_version)),
              json::print_yaml(rules_of_both(kind, their_version)));
  }
}

TEST_F(TwoServers, OursHaveTheNewerFieldsAndTheOlderVersions) {
  BlockingApi ours(ours_->kubeconfig());
  client::ResourcePath path = path_of(ObjectKind::Placement, {.ns = "default"});
  Value object = new_object(ObjectKind::Placement, {.name = "newer"});
  object["spec"] = Value::object();
  const Value stored = ours.create(path, object).value();
  EXPECT_EQ(json::print(*stored.find("spec")), R"({"scoreRateLimit":"1m","sortBy":"ClusterName"})");
  object["metadata"]["name"] = "wrong";
  object["spec"] = Value::object({{"sortBy", "Luck"}});
  EXPECT_FALSE(ours.create(path, object).ok());
  object["spec"] = Value::object({{"scoreRateLimit", "soon"}});
  EXPECT_FALSE(ours.create(path, object).ok());

  path.resource.version = "v1alpha1";
  path.name = "newer";
  const auto older = ours.get(path);
  ASSERT_TRUE(older.ok()) << older.error().message;
  EXPECT_EQ(api::text_field(*older, "apiVersion"), "cluster.open-cluster-management.io/v1alpha1");

  client::ResourcePath decisions = path_of(ObjectKind::Decision, {.ns = "default"});
  ASSERT_TRUE(ours.create(decisions, new_object(ObjectKind::Decision, {.name = "scored"})).ok());
  decisions.name = "scored";
  decisions.subresource = "status";
  const Value status =
      json::parse(R"({"status":{"decisions":[{"clusterName":"a","reason":"","score":250}]}})")
          .value();
  EXPECT_EQ(*ours.patch(decisions, status, {})->find("status"), *status.find("status"));
}

}  // namespace
}  // namespace berth::kube
