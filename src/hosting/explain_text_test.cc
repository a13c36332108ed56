#include "hosting/explain_text.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"
#include "json/print.h"

namespace berth::hosting {
namespace {

using testing::host;
using testing::kNow;
using testing::request;

Explanation explained(const HostedClusterRequest& asked, const Fleet& fleet) {
  return {.request = asked, .hosts = explain(Question(asked, fleet, nullptr, kNow))};
}

TEST(HostedExplanation, ShowsTheBestThePossibleAndWhatWouldHelpTheRest) {
  Fleet fleet;
  fleet.put(host("full", 80));
  fleet.put(host("half", 40));
  fleet.put(host("idle"));
  const HostedClusterRequest asked = request("r");
  EXPECT_EQ(
      to_text(explained(asked, fleet)),
      "Request:       tenant/r\n"
      "Phase:         Pending\n"
      "Cluster:       <none>\n"
      "Needs:         cpu 5, memory 18G, pods 75\n"
      "\n"
      "CLUSTER   VERDICT    SCORE   WHY\n"
      "idle      best       100     Slots 100\n"
      "half      possible   50      Slots 50\n"
      "full      refused    -       Slots: it has 80 of at most 80 hosted clusters, 0 of them "
      "claimed here;\n"
      "                             raise maxHostedClusters in their HostingLedger, or add a "
      "hosting\n"
      "                             cluster\n");
}

TEST(HostedExplanation, SaysWhereItIsThoughAnotherWouldBeBetterNow) {
  Fleet fleet;
  fleet.put(host("half", 40));
  fleet.put(host("idle"));
  HostedClusterRequest asked = request("r");
  asked.host = "half";
  asked.phase = Phase::Ready;
  const std::string text = to_text(explained(asked, fleet));
  EXPECT_TRUE(text.contains("Cluster:       half\n")) << text;
  EXPECT_TRUE(text.contains("half      assigned   50      Slots 50\n")) << text;
  EXPECT_TRUE(text.contains("idle      best       100     Slots 100\n")) << text;
}

TEST(HostedExplanation, SaysAProblemOnce) {
  HostedClusterRequest asked = request("r");
  asked.problem = "spec.size.cpu is -1";
  const Explanation explanation{.request = asked, .message = asked.problem};
  EXPECT_EQ(to_text(explanation),
            "Request:       tenant/r\n"
            "Phase:         Pending\n"
            "Cluster:       <none>\n"
            "Needs:         cpu 5, memory 18G, pods 75\n"
            "Problem:       spec.size.cpu is -1\n"
            "\n"
            "The hub has no managed clusters.\n");
}

TEST(HostedExplanation, IsJsonForPrograms) {
  Fleet fleet;
  fleet.put(host("full", 80));
  fleet.put(host("idle"));
  const HostedClusterRequest asked = request("r");
  EXPECT_EQ(
      json::print(to_json(explained(asked, fleet))),
      R"({"namespace":"tenant","name":"r","phase":"Pending","hostingCluster":"",)"
      R"("size":{"cpu":"5","memory":"18G","pods":"75"},"clusters":[)"
      R"({"cluster":"idle","verdict":"best","total":100,"scores":[)"
      R"({"scorer":"Slots","points":100},{"scorer":"Headroom","points":0},)"
      R"({"scorer":"Threshold","points":0},{"scorer":"Spread","points":0},)"
      R"({"scorer":"AntiAffinity","points":0}]},)"
      R"({"cluster":"full","verdict":"refused","refusedBy":"Slots",)"
      R"("reason":"it has 80 of at most 80 hosted clusters, 0 of them claimed here",)"
      R"("remedy":"raise maxHostedClusters in their HostingLedger, or add a hosting cluster"}]})");
}

}  // namespace
}  // namespace berth::hosting
