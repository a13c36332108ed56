// berth get hosting, get hostedclusterrequests, explain hosted and cordon hosting, as people use
// them.

#include <memory>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "kube/commands.h"
#include "kube/hosting_hub.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using json::Value;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class HostingCommands : public ::testing::Test {
 protected:
  void SetUp() override {
    hub_ = HostingHub::start();
    hub_->add_host({.name = "oslo", .allocatable = "{cpu: '100', memory: 1000G, pods: '750'}"});
    hub_->add_host({.name = "rome"});
    hub_->set_count("rome", 80);
    hub_->run();
  }

  std::string said(const std::vector<std::string>& arguments) {
    const auto output = berth(hub_->server(), arguments);
    EXPECT_TRUE(output.ok()) << output.error().message;
    return output.ok() ? *output : "";
  }

  std::string refused(const std::vector<std::string>& arguments) {
    const auto output = berth(hub_->server(), arguments);
    EXPECT_FALSE(output.ok()) << *output;
    return output.ok() ? "" : output.error().message;
  }

  // What it prints, as soon as that has the text in it.
  std::string said_with(const std::vector<std::string>& arguments, const std::string& text) {
    std::string last;
    wait_until([&] { return (last = said(arguments)).contains(text); });
    return last;
  }

  std::unique_ptr<HostingHub> hub_;
};

TEST_F(HostingCommands, ShowHostsAndRequests) {
  hub_->request("web");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Delivering"));
  EXPECT_EQ(said_with({"get", "hosting"}, "oslo      1 "),
            "CLUSTER   HOSTED   IN FLIGHT   MAX   FREE CPU   FREE MEMORY   FREE PODS   CORDONED   "
            "OBSERVED\n"
            "oslo      1        1           80    95         982G          675         false      "
            "by score\n"
            "rome      80       0           80                                         false      "
            "by score\n");
  EXPECT_THAT(said({"get", "hosting", "rome", "-o", "json"}), HasSubstr("\"HostingLedger\""));
  EXPECT_THAT(said({"get", "hostedclusterrequests", "-n", "tenant"}),
              AllOf(StartsWith("NAME   PHASE        CLUSTER   AVAILABLE   AGE\n"),
                    HasSubstr("web    Delivering   oslo")));
}

TEST_F(HostingCommands, ExplainWhereARequestIsAndWhyNotElsewhere) {
  hub_->request("web");
  ASSERT_TRUE(hub_->becomes("web", "phase", "Delivering"));
  EXPECT_EQ(said({"explain", "hosted", "web", "-n", "tenant"}),
            "Request:       tenant/web\n"
            "Phase:         Delivering\n"
            "Cluster:       oslo\n"
            "Needs:         cpu 5, memory 18G, pods 75\n"
            "\n"
            "CLUSTER   VERDICT    SCORE   WHY\n"
            "oslo      assigned   190     Slots 100, Headroom 90\n"
            "rome      refused    -       Slots: it has 80 of at most 80 hosted clusters, 0 of "
            "them claimed here;\n"
            "                             raise maxHostedClusters in their HostingLedger, or add "
            "a hosting\n"
            "                             cluster\n");
  const auto document = json::parse(said({"explain", "hosted/web", "-n", "tenant", "-o", "json"}));
  ASSERT_TRUE(document.ok()) << document.error().message;
  EXPECT_EQ(api::text_field(*document, "hostingCluster"), "oslo");
  EXPECT_EQ(api::elements_field(*document, "clusters").size(), 2U);
  EXPECT_THAT(refused({"explain", "hosted", "none", "-n", "tenant"}),
              HasSubstr("hostedclusterrequests.hosting.berth.dev \"none\" not found"));
  EXPECT_THAT(refused({"explain", "pudding", "web"}), HasSubstr("or hosted NAME"));
}

TEST_F(HostingCommands, CordonKeepsNewOnesAwayUntilItIsUndone) {
  EXPECT_EQ(said({"cordon", "hosting", "oslo"}), "hosting cluster oslo cordoned\n");
  EXPECT_THAT(said_with({"get", "hosting", "oslo"}, "true"), HasSubstr("true"));
  ASSERT_TRUE(wait_until([&] { return hub_->capacity("oslo", "freeSlots") == -100; }));
  hub_->request("web");
  EXPECT_TRUE(wait_until([&] {
    return hub_->condition("web", "Scheduled").contains("1 are cordoned (Cordoned: run berth");
  })) << hub_->condition("web", "Scheduled");
  EXPECT_EQ(said({"cordon", "hosting", "oslo", "--undo"}), "hosting cluster oslo uncordoned\n");
  EXPECT_TRUE(hub_->becomes("web", "hostingCluster", "oslo"));
  EXPECT_THAT(refused({"cordon", "hosting", "nowhere"}), HasSubstr("\"nowhere\" not found"));
}

}  // namespace
}  // namespace berth::kube
