// `berth explain` as users run it, on a real server.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/crds.h"
#include "kube/ports.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr const char* kGroup = "cluster.open-cluster-management.io";
const client::Gvr kClusters = {kGroup, "v1", "managedclusters"};
const client::Gvr kSets = {kGroup, "v1beta2", "managedclustersets"};
const client::Gvr kBindings = {kGroup, "v1beta2", "managedclustersetbindings"};
const client::Gvr kScores = {kGroup, "v1alpha1", "addonplacementscores"};
const client::Gvr kPlacements = {kGroup, "v1beta1", "placements"};

struct Ran {
  int status;
  std::string out;
  std::string err;
};

std::string text_of(const std::filesystem::path& file) {
  std::stringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

class ExplainCommand : public ::testing::Test {
 protected:
  void SetUp() override {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
    api_ = std::make_unique<BlockingApi>(server_->kubeconfig(),
                                         client::ApiOptions{.rate = {.per_second = 0}});
  }

  Ran berth(const std::string& arguments, const std::string& environment = "") {
    const auto out = server_->folder() / "out";
    const auto err = server_->folder() / "err";
    const std::string command =
        fmt::format("{} '{}' {} >'{}' 2>'{}'", environment, berth_program().string(), arguments,
                    out.string(), err.string());
    const auto status = exit_status({"sh", "-c", command});
    EXPECT_TRUE(status.ok()) << status.error().message;
    return {.status = status.value_or(-1), .out = text_of(out), .err = text_of(err)};
  }
  Ran explain(const std::string& arguments) {
    return berth(
        fmt::format("explain {} --kubeconfig '{}'", arguments, server_->kubeconfig().string()));
  }

  Value create(const client::Gvr& resource, const std::string& ns, std::string_view kind,
               std::string_view text) {
    Value object = json::parse(text).value();
    object["apiVersion"] = client::GroupVersion{resource.group, resource.version}.text();
    object["kind"] = kind;
    const auto created = api_->create({.resource = resource, .ns = ns}, object);
    EXPECT_TRUE(created.ok()) << created.error().message;
    return created.value_or(Value());
  }

  void create_cluster(const std::string& name, std::string_view taints) {
    create({.version = "v1", .resource = "namespaces"}, "", "Namespace",
           fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    create(kClusters, "", "ManagedCluster",
           fmt::format(R"({{"metadata":{{"name":"{}","labels":{{
        "cluster.open-cluster-management.io/clusterset":"eu"}}}},
        "spec":{{"hubAcceptsClient":true,"taints":[{}]}}}})",
                       name, taints));
  }

  void create_score(const std::string& cluster, int value) {
    Value score =
        create(kScores, cluster, "AddOnPlacementScore", R"({"metadata":{"name":"demo"}})");
    score["status"] =
        json::parse(fmt::format(R"({{"scores":[{{"name":"load","value":{}}}]}})", value)).value();
    const auto updated = api_->update(
        {.resource = kScores, .ns = cluster, .name = "demo", .subresource = "status"}, score);
    EXPECT_TRUE(updated.ok()) << updated.error().message;
  }

  void create_fleet() {
    const Status applied = apply_berth_crds(*server_);
    ASSERT_TRUE(applied.ok()) << applied.error().message;
    create(kSets, "", "ManagedClusterSet", R"({"metadata":{"name":"eu"},"spec":{}})");
    create(kBindings, "default", "ManagedClusterSetBinding",
           R"({"metadata":{"name":"eu"},"spec":{"clusterSet":"eu"}})");
    create_cluster("oslo", "");
    create_cluster("rome", "");
    create_cluster("bern",
                   R"({"key":"gpu","effect":"NoSelect","timeAdded":"2026-01-01T00:00:00Z"})");
    create_score("oslo", 40);
    create_score("rome", 37);
    create(kPlacements, "default", "Placement", R"({"metadata":{"name":"web"},
        "spec":{"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact","configurations":[
        {"weight":2,"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo",
        "scoreName":"load"}}}]}}})");
  }

  std::unique_ptr<Server> server_;
  std::unique_ptr<BlockingApi> api_;
};

TEST_F(ExplainCommand, TellsWhatAHubShows) {
  if (server_->kind() == ServerKind::KubeApiserver) {  // The embedded hub always has the kinds.
    const Ran without_kinds = explain("placement web");
    EXPECT_EQ(without_kinds.status, 1);
    EXPECT_TRUE(without_kinds.err.starts_with(
        "error: the server doesn't have a resource type \"placements\"\n"))
        << without_kinds.err;
  }
  create_fleet();
  const Ran table = explain("placement web");
  EXPECT_EQ(table.err, "");
  EXPECT_EQ(table.status, 0);
  EXPECT_EQ(table.out, R"(Placement:     default/web
Cluster sets:  eu
Chosen:        1

CLUSTER   VERDICT     RANK   SCORE   WHY
oslo      Chosen      1      80      AddOn/demo/load 40x2
rome      Outranked   2      74      AddOn/demo/load 37x2; needs 7 more points
bern      Rejected    -      -       TaintToleration: taint gpu:NoSelect is not tolerated; needs a
                                     toleration for gpu:NoSelect and 80 more points
)");

  const Ran document = explain("placements/web -n default -o json");
  const auto value = json::parse(document.out);
  ASSERT_TRUE(value.ok()) << document.out;
  EXPECT_EQ(value->find("clusters")->size(), 3u);
  EXPECT_TRUE(explain("placement web -o yaml").out.contains("placement: web\n"));
  EXPECT_TRUE(explain("placement web -o wide").out.contains("AddOn/demo/loadx2"));
  EXPECT_TRUE(explain("placement web rome").out.contains("  - 7 more points\n"));

  const std::string valid_score = "a valid score AddOn/demo/load";
  EXPECT_FALSE(explain("placement web bern").out.contains(valid_score));
  EXPECT_TRUE(explain("--missing-scores Exclude placement web bern").out.contains(valid_score));
  EXPECT_EQ(explain("--feature-gates SortBy=false placement web").out, table.out);
  const Ran no_gate = explain("placement web --feature-gates=Luck=true");
  EXPECT_EQ(no_gate.status, 1);
  EXPECT_TRUE(no_gate.err.starts_with("error: --feature-gates: there is no \"Luck\"; "))
      << no_gate.err;

  const Ran missing = explain("placement nope");
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.err,
            "Error from server (NotFound): placements.cluster.open-cluster-management.io \"nope\" "
            "not found\nSee what there is: berth get placements -A\n");
  const Ran unknown = explain("placement web paris");
  EXPECT_EQ(unknown.status, 1);
  EXPECT_EQ(unknown.err,
            "Error from server (NotFound): managedclusters.cluster.open-cluster-management.io "
            "\"paris\" not found\nSee what there is: berth get clusters\n");
}

TEST_F(ExplainCommand, ObeysTheServersRights) {
  ASSERT_TRUE(apply_berth_crds(*server_).ok());
  const auto user = server_->kubeconfig_for({.name = "guest", .group = "guests"});
  ASSERT_TRUE(user.ok());
  const Ran ran = berth(fmt::format("explain placement web --kubeconfig '{}'", user->string()));
  EXPECT_EQ(ran.status, 1);
  EXPECT_TRUE(ran.err.starts_with("Error from server (Forbidden): ")) << ran.err;
}

TEST_F(ExplainCommand, SaysHowToFindAHub) {
  const Ran lost = berth("explain placement web", "env -u KUBECONFIG HOME=/nonexistent");
  EXPECT_EQ(lost.status, 1);
  EXPECT_TRUE(lost.err.starts_with("error: no kubeconfig found")) << lost.err;
  EXPECT_TRUE(lost.err.contains("--kubeconfig FILE"));
  const int port = free_port();
  const Ran refused =
      berth(fmt::format("explain placement web --server http://127.0.0.1:{} "
                        "--request-timeout 5s",
                        port));
  EXPECT_EQ(refused.status, 1);
  EXPECT_EQ(refused.err, fmt::format("The connection to the server 127.0.0.1:{} was refused - did "
                                     "you specify the right host or port?\n"
                                     "The address begins with http://; hubs speak https://"
                                     "127.0.0.1:{}\n",
                                     port, port));
}

}  // namespace
}  // namespace berth::kube
