// What an agent's real certificate is good for on the hub: everything of its own cluster that it
// needs, and nothing of another one.

#include <memory>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "client/discovery_service.h"
#include "client/rest.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "kube/joining.h"

namespace berth::kube {
namespace {

using json::Value;

// One way to touch a resource.
struct Touch {
  http::Method method;
  std::string_view verb;
  bool has_name;
  std::string_view query = "";
  std::string_view content_type = "";
  std::string_view body = "";
};
constexpr Touch kTouches[] = {
    {http::Method::Get, "get", true},
    {http::Method::Get, "list", false},
    {http::Method::Get, "watch", false, "?watch=1&timeoutSeconds=1"},
    {http::Method::Post, "create", false, "", "application/json", R"({"metadata":{"name":"x"}})"},
    {http::Method::Put, "update", true, "", "application/json", R"({"metadata":{"name":"x"}})"},
    {http::Method::Patch, "patch", true, "", "application/merge-patch+json", "{}"},
    {http::Method::Delete, "delete", true},
    {http::Method::Delete, "deletecollection", false},
};

// What every user may do, and what an agent may do to renew its certificate.
bool is_granted_to_all(const std::string& resource, std::string_view verb) {
  const std::set<std::string> reviews = {"selfsubjectaccessreviews.authorization.k8s.io",
                                         "selfsubjectrulesreviews.authorization.k8s.io",
                                         "selfsubjectreviews.authentication.k8s.io"};
  if (reviews.contains(resource)) return verb == "create";
  return resource == "certificatesigningrequests.certificates.k8s.io" &&
         (verb == "create" || verb == "get" || verb == "list" || verb == "watch");
}

class AgentRights : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    fleet_ = Joining::start();
    if (!fleet_) return;
    fleet_->make_accepted("cluster1");
    fleet_->make_accepted("cluster10");
    agent_ = std::make_unique<BlockingApi>(
        fleet_->agent_kubeconfig({.cluster = "cluster1", .agent = "a"}),
        client::ApiOptions{.rate = {.per_second = 0}});
  }
  static void TearDownTestSuite() {
    agent_.reset();
    fleet_.reset();
  }
  void SetUp() override { ASSERT_TRUE(fleet_); }

  // Everything that the hub serves.
  std::vector<client::ResourceInfo> served() {
    using Table = Result<client::DiscoveryService::DiscoveryPtr>;
    std::unique_ptr<client::DiscoveryService> discovery;
    auto table = fleet_->hub().wait<Table>([&](client::Api& api, std::function<void(Table)> done) {
      discovery = std::make_unique<client::DiscoveryService>(api, fleet_->hub().env().clock);
      discovery->table([done](Table found) { done(std::move(found)); });
    });
    std::vector<client::ResourceInfo> all;
    if (table.ok()) all.assign((*table)->resources().begin(), (*table)->resources().end());
    fleet_->hub().on_loop([&] { discovery.reset(); });
    return all;
  }

  int answer(const client::ResourcePath& path, const Touch& touch) {
    client::RestRequest request{.method = touch.method,
                                .target = client::path_of(path).value() + std::string(touch.query),
                                .content_type = std::string(touch.content_type),
                                .body = std::string(touch.body)};
    using Answer = Result<client::RestAnswer>;
    const auto got = agent_->wait<Answer>(
        [&](client::Api& api, std::function<void(Answer)> done) { api.fetch(request, {}, done); });
    return got.ok() ? got->status : http_status(got.error().code);
  }

  static std::unique_ptr<Joining> fleet_;
  static std::unique_ptr<BlockingApi> agent_;
};
std::unique_ptr<Joining> AgentRights::fleet_;
std::unique_ptr<BlockingApi> AgentRights::agent_;

TEST_F(AgentRights, EndAtTheNamespaceOfAnotherClusterAndAtItsCluster) {
  const auto resources = served();
  ASSERT_GT(resources.size(), 30U);
  int tried = 0;
  for (const client::ResourceInfo& info : resources) {
    for (const Touch& touch : kTouches) {
      const client::ResourcePath path{.resource = info.gvr,
                                      .ns = info.namespaced ? "cluster10" : "",
                                      .name = touch.has_name ? "cluster10" : ""};
      const std::string name =
          info.gvr.resource + (info.gvr.group.empty() ? "" : ".") + info.gvr.group;
      if (is_granted_to_all(name, touch.verb)) continue;
      ++tried;
      EXPECT_EQ(answer(path, touch), 403) << touch.verb << " " << name;
    }
  }
  EXPECT_GT(tried, 300);
}

TEST_F(AgentRights, DoNotReachTheSubresourcesOfAnotherCluster) {
  const std::pair<client::Gvr, std::string> subresources[] = {
      {fleet::managed_clusters(), "status"},       {fleet::managed_cluster_addons(), "status"},
      {fleet::manifest_works(), "status"},         {fleet::placement_scores(), "status"},
      {fleet::certificate_requests(), "approval"}, {fleet::certificate_requests(), "status"},
      {fleet::service_accounts(), "token"}};
  for (const auto& [resource, subresource] : subresources) {
    const bool is_namespaced =
        resource != fleet::managed_clusters() && resource != fleet::certificate_requests();
    for (const Touch& touch : kTouches) {
      if (!touch.has_name && touch.verb != "create") continue;
      EXPECT_EQ(answer({.resource = resource,
                        .ns = is_namespaced ? "cluster10" : "",
                        .name = "cluster10",
                        .subresource = subresource},
                       touch),
                403)
          << touch.verb << " " << resource.text() << "/" << subresource;
    }
  }
}

TEST_F(AgentRights, ReachTheOwnClusterSoThatTheTestsAboveMeanSomething) {
  EXPECT_EQ(answer({.resource = fleet::managed_clusters(), .name = "cluster1"}, kTouches[0]), 200);
  EXPECT_EQ(answer({.resource = fleet::leases(), .ns = "cluster1", .name = "managed-cluster-lease"},
                   kTouches[0]),
            200);
  EXPECT_EQ(answer({.resource = fleet::manifest_works(), .ns = "cluster1"}, kTouches[1]), 200);
}

}  // namespace
}  // namespace berth::kube
