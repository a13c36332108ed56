// What keeps hosting right when people do not: a ledger that somebody deletes, two requests for the
// same hosted cluster.

#include <map>
#include <memory>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "kube/hosting_hub.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using ::testing::HasSubstr;
using Counts = std::map<std::string, int>;

class HostingGuards : public ::testing::Test {
 protected:
  void SetUp() override { hub_ = HostingHub::start(); }

  std::unique_ptr<HostingHub> hub_;
};

TEST_F(HostingGuards, ALedgerThatSomebodyDeletesIsMadeAgainWithAllItsClaims) {
  hub_->add_host({.name = "h"});
  hub_->run();
  hub_->request_many(0, 3);
  ASSERT_TRUE(hub_->assigns(3));
  const api::Gvr ledgers = hosting_resource("hostingledgers");
  ASSERT_TRUE(hub_->api().remove({.resource = ledgers, .ns = "h", .name = "hosting"}, {}).ok());
  EXPECT_TRUE(wait_until([&] { return hub_->claims() == Counts{{"h", 3}}; }));
}

TEST_F(HostingGuards, OfTwoRequestsForOneInfraIdTheSecondWaitsUntilTheFirstIsGone) {
  for (const char* name : {"a", "b"}) hub_->add_host({.name = name});
  hub_->run();
  const auto request = [&](const std::string& name) {
    hub_->create(fmt::format(R"(
apiVersion: hosting.berth.dev/v1alpha1
kind: HostedClusterRequest
metadata: {{name: {0}, namespace: tenant}}
spec: {{payload: {{hostedCluster: {{metadata: {{name: {0}}}, spec: {{infraID: same}}}}}}}}
)",
                             name));
  };
  request("first");
  ASSERT_TRUE(wait_until([&] { return !hub_->status("first", "hostingCluster").empty(); }));
  EXPECT_EQ(hub_->status("first", "infraID"), "same");
  request("second");
  ASSERT_TRUE(wait_until([&] {
    return hub_->condition("second", "Scheduled").starts_with("False DuplicateInfraID");
  })) << hub_->condition("second", "Scheduled");
  EXPECT_THAT(hub_->condition("second", "Scheduled"),
              HasSubstr("HostedClusterRequest tenant/first"));
  EXPECT_THAT(hub_->condition("second", "Scheduled"), HasSubstr("give this one another infraID"));
  // A third with an infraID of its own comes past it.
  hub_->request("third");
  ASSERT_TRUE(wait_until([&] { return !hub_->status("third", "hostingCluster").empty(); }));
  EXPECT_EQ(hub_->status("second", "hostingCluster"), "");
  hub_->delete_request("first");
  EXPECT_TRUE(hub_->becomes("second", "phase", "Delivering"))
      << hub_->condition("second", "Scheduled");
  EXPECT_TRUE(hub_->request_object("first").is_null());
}

}  // namespace
}  // namespace berth::kube
