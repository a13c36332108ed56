// berth get token, join, accept, agent, detach and unjoin, as people use them.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/strings.h"
#include "fleet/registration/certificate_step.h"
#include "fleet/registration/names.h"
#include "fleet/registration/resources.h"
#include "json/parse.h"
#include "kube/child.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/crds.h"
#include "kube/joining.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;
using ::testing::HasSubstr;
using ::testing::Not;

class JoinCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    fleet_ = Joining::start();
    ASSERT_TRUE(fleet_);
  }

  std::string on_hub(const std::vector<std::string>& arguments) {
    const auto output = berth(fleet_->hub_server(), arguments);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? *output : output.error().message;
  }

  std::string on_cluster(const std::vector<std::string>& arguments) {
    const auto output = berth(fleet_->cluster_server(), arguments);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? *output : output.error().message;
  }

  std::string refused(const Server& server, const std::vector<std::string>& arguments) {
    const auto output = berth(server, arguments);
    EXPECT_FALSE(output.ok()) << *output;
    return output.ok() ? "" : output.error().message;
  }

  // The words of the command that `berth get token` prints, without "berth".
  std::vector<std::string> join_command(const std::string& cluster) {
    const Value token =
        json::parse(on_hub({"get", "token", "-o", "json", "--cluster-name", cluster})).value();
    token_ = api::text_field(token, "token");
    std::vector<std::string> words;
    for (const std::string_view word : split(api::text_field(token, "command"), ' ')) {
      words.emplace_back(word);
    }
    words.erase(words.begin());
    return words;
  }

  void start_agent(const std::string& cluster) {
    auto agent =
        Child::start({berth_program().string(), "agent", "--kubeconfig",
                      fleet_->cluster_server().kubeconfig().string(), "--cluster-name", cluster,
                      "-v", "4", "--health-probe-bind-address=0", "--metrics-bind-address=0"},
                     agent_log());
    ASSERT_TRUE(agent.ok()) << agent.error().message;
    agent_ = *std::move(agent);
  }

  std::filesystem::path agent_log() { return fleet_->cluster_server().folder() / "agent.log"; }

  std::unique_ptr<Joining> fleet_;
  std::string token_;
  Child agent_;
};

TEST_F(JoinCommands, TakeAClusterInAndLetItGo) {
  const std::string joined = on_cluster(join_command("paris"));
  EXPECT_THAT(joined, HasSubstr("cluster paris asked to join"));
  EXPECT_THAT(joined, HasSubstr("berth accept paris"));
  ASSERT_EQ(fleet_->requests_of("paris").size(), 1U);

  start_agent("paris");
  const std::string accepted = on_hub({"accept", "paris"});
  EXPECT_THAT(accepted, HasSubstr("approved"));
  EXPECT_THAT(accepted,
              HasSubstr("managedcluster.cluster.open-cluster-management.io/paris accepted"));
  EXPECT_EQ(fleet_->condition("paris", fleet::kAvailable), "True ManagedClusterAvailable");
  EXPECT_EQ(fleet_->requests_of("paris").size(), 1U) << "the agent went on with the same request";
  EXPECT_THAT(on_hub({"accept", "paris"}), HasSubstr("paris unchanged"));

  const auto secret = fleet_->cluster().get({.resource = fleet::secrets(),
                                             .ns = std::string(fleet::kAgentNamespace),
                                             .name = std::string(fleet::kHubSecret)});
  ASSERT_TRUE(secret.ok()) << secret.error().message;
  const std::string key = decode_base64(api::text_field(*secret->find("data"), "tls.key")).value();
  const std::string inside = key.substr(30, 60);  // Beyond the line that says what it is.

  EXPECT_THAT(on_hub({"detach", "paris"}), HasSubstr("paris detached"));
  EXPECT_TRUE(fleet_->managed_cluster("paris").is_null());
  agent_.stop();
  EXPECT_THAT(on_cluster({"unjoin"}), HasSubstr("secret/hub-kubeconfig-secret deleted"));

  const std::string logs = contents(agent_log()) + contents(controllers_log(fleet_->hub_server())) +
                           contents(fleet_->hub_server().folder() / "apiserver.log") +
                           contents(fleet_->cluster_server().folder() / "apiserver.log") + joined +
                           accepted;
  ASSERT_FALSE(token_.empty());
  EXPECT_THAT(logs, Not(HasSubstr(token_)));
  EXPECT_THAT(logs, Not(HasSubstr(inside)));
  EXPECT_THAT(logs, Not(HasSubstr("PRIVATE KEY")));
}

TEST_F(JoinCommands, SayWhatIsWrong) {
  EXPECT_THAT(refused(fleet_->hub_server(), {"accept", "nobody", "--no-wait"}),
              HasSubstr("error: \"nobody\" has not asked to join"));
  EXPECT_THAT(refused(fleet_->hub_server(), {"detach", "nobody"}), HasSubstr("not found"));
  EXPECT_THAT(refused(fleet_->cluster_server(), {"join", "--cluster-name", "paris"}),
              HasSubstr("say how to reach the hub"));
  EXPECT_THAT(refused(fleet_->cluster_server(),
                      {"join", "--cluster-name", "kube-system", "--hub-token", "t"}),
              HasSubstr("cannot be the name of a cluster"));
  EXPECT_THAT(refused(fleet_->hub_server(), {"get", "token", "--duration", "1m"}),
              HasSubstr("10m at least"));
}

TEST_F(JoinCommands, AcceptApprovesExactlyWhatABootstrapUserAskedForThatCluster) {
  on_cluster(join_command("cluster10"));
  on_hub({"accept", "cluster10", "--no-wait"});
  EXPECT_EQ(fleet_->requests_of("cluster10").size(), 1U);
  // The administrator himself is no bootstrap user.
  const auto made = fleet_->hub().create({.resource = fleet::managed_clusters()},
                                         json::parse(R"({"metadata":{"name":"cluster1"},
      "apiVersion":"cluster.open-cluster-management.io/v1","kind":"ManagedCluster"})")
                                             .value());
  ASSERT_TRUE(made.ok()) << made.error().message;
  const pki::PrivateKey key = pki::PrivateKey::generate();
  const Value request =
      fleet::certificate_request({.cluster = "cluster1", .agent = "a"}, key, Duration::zero())
          .value();
  ASSERT_TRUE(fleet_->hub().create({.resource = fleet::certificate_requests()}, request).ok());
  const std::string output = on_hub({"accept", "cluster1", "--no-wait"});
  EXPECT_THAT(output, HasSubstr("left alone"));
  EXPECT_THAT(output, HasSubstr("who is no bootstrap user"));
}

TEST_F(JoinCommands, SayWhatTheyWaitForWhereNoControllerRuns) {
  on_cluster(join_command("paris"));
  fleet_->make_accepted("oslo");
  const auto work = json::parse(R"({"apiVersion":"work.open-cluster-management.io/v1",
      "kind":"ManifestWork","metadata":{"name":"web","namespace":"oslo"},
      "spec":{"workload":{"manifests":[{"apiVersion":"v1","kind":"ConfigMap",
      "metadata":{"name":"c","namespace":"default"}}]}}})");
  ASSERT_TRUE(
      fleet_->hub().create({.resource = fleet::manifest_works(), .ns = "oslo"}, *work).ok());
  fleet_->controllers().stop();

  const std::string joining = refused(fleet_->hub_server(), {"accept", "paris", "--timeout", "2s"});
  EXPECT_THAT(joining, HasSubstr("\"paris\" is accepted, but not available yet: waiting for the "
                                 "hub's controllers to accept it"));
  EXPECT_THAT(joining, HasSubstr("berth controllers"));

  const std::string leaving = refused(fleet_->hub_server(), {"detach", "oslo", "--timeout", "2s"});
  EXPECT_THAT(leaving, HasSubstr("\"oslo\" is being deleted, but not gone yet: no controller of "
                                 "the hub removes it"));
  EXPECT_THAT(leaving, HasSubstr("manifestworks web"));
  EXPECT_THAT(leaving, HasSubstr(fleet::kRightsFinalizer));
}

TEST_F(JoinCommands, SayWhatIsStillThereWhenItsAgentIsGone) {
  fleet_->make_accepted("oslo");
  const auto work = json::parse(R"({"apiVersion":"work.open-cluster-management.io/v1",
      "kind":"ManifestWork","metadata":{"name":"web","namespace":"oslo",
      "finalizers":["cluster.open-cluster-management.io/manifest-work-cleanup"]},
      "spec":{"workload":{"manifests":[{"apiVersion":"v1","kind":"ConfigMap",
      "metadata":{"name":"c","namespace":"default"}}]}}})");
  ASSERT_TRUE(
      fleet_->hub().create({.resource = fleet::manifest_works(), .ns = "oslo"}, *work).ok());
  on_hub({"detach", "oslo", "--no-wait"});
  ASSERT_TRUE(fleet_->eventually("oslo", fleet::kDeleting, "False ResourceRemaining"));
  const std::string leaving = refused(fleet_->hub_server(), {"detach", "oslo", "--timeout", "2s"});
  EXPECT_THAT(leaving, HasSubstr("the remaining count is 1"));
  EXPECT_THAT(leaving, HasSubstr("still there: manifestworks web (whose agent has to take back"));
}

}  // namespace
}  // namespace berth::kube
