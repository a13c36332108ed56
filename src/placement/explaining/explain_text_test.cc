#include "placement/explaining/explain_text.h"

#include <gtest/gtest.h>

#include "placement/testing/fleet_builder.h"

namespace berth::placement {
namespace {

using namespace std::chrono_literals;
using testing::compiled;
using testing::FleetBuilder;
using testing::parsed;

constexpr std::string_view kOneByLoad =
    R"({"numberOfClusters":1,"prioritizerPolicy":{"mode":"Exact",
    "configurations":[{"scoreCoordinate":{"type":"AddOn","addOn":{"resourceName":"demo",
    "scoreName":"load"}},"weight":2}]}})";

FleetBuilder scored() {
  FleetBuilder fleet;
  fleet.cluster("a").score("a", "demo", {{"load", 40}});
  fleet.cluster("b").score("b", "demo", {{"load", 37}}).cluster("c");
  return fleet;
}

Explanation explain_all(const FleetBuilder& fleet, std::string_view spec) {
  return explain(compiled(spec), fleet.view(), fleet.now(), {});
}

TEST(ExplainText, TheDocumentHasTheChosenFirst) {
  auto fleet = scored();
  fleet.score("b", "demo", {{"load", 90}}, Time(1060s));
  const auto explanation = explain(compiled(kOneByLoad), fleet.view(), fleet.now(), {});
  EXPECT_EQ(to_json(explanation), parsed(R"({"namespace":"ns1","placement":"p","clusterSets":["s"],
    "selected":1,"unscheduled":0,"clusters":[
      {"cluster":"b","verdict":"Chosen","total":180,"rank":1,
       "scores":[{"prioritizer":"AddOn/demo/load","score":90,"weight":2}]},
      {"cluster":"a","verdict":"Outranked","total":80,"rank":2,"needs":["100 more points"],
       "scores":[{"prioritizer":"AddOn/demo/load","score":40,"weight":2}]},
      {"cluster":"c","verdict":"Outranked","total":0,"rank":3,"needs":["181 more points"],
       "scores":[{"prioritizer":"AddOn/demo/load","score":0,"weight":2,"note":"no report"}]}],
    "remarks":["no valid score AddOn/demo/load from c"],"validUntil":"1970-01-01T00:17:40Z"})"));
}

constexpr std::string_view kTainted =
    R"({"taints":[{"key":"gpu","value":"a100","effect":"NoSelect"}]})";

TEST(ExplainText, TheTableFitsIntoAHundredColumns) {
  auto fleet = scored();
  fleet.cluster("d", kTainted);
  const std::string text = to_text(explain_all(fleet, kOneByLoad), ExplainFormat::Table);
  EXPECT_EQ(text, R"(Placement:     ns1/p
Cluster sets:  s
Chosen:        1
Remark:        no valid score AddOn/demo/load from c

CLUSTER   VERDICT     RANK   SCORE   WHY
a         Chosen      1      80      AddOn/demo/load 40x2
b         Outranked   2      74      AddOn/demo/load 37x2; needs 7 more points
c         Outranked   3      0       AddOn/demo/load 0x2 (no report); needs 81 more points
d         Rejected    -      -       TaintToleration: taint gpu=a100:NoSelect is not tolerated;
                                     needs a toleration for gpu=a100:NoSelect and 81 more points
)");
  for (const std::string_view line : split(text, '\n')) EXPECT_LE(line.size(), 100u) << line;
}

TEST(ExplainText, TheWideTableHasAColumnForEachPrioritizer) {
  auto fleet = scored();
  fleet.cluster("d", kTainted).decision({"b"});
  const std::string text = to_text(explain_all(fleet, kOneByLoad), ExplainFormat::Wide);
  EXPECT_TRUE(text.starts_with(
      R"(CLUSTER   VERDICT     RANK   SCORE   DECIDED   AddOn/demo/loadx2   REJECTED-BY       WHY
a         Chosen      1      80      no        40                  -
b         Outranked   2      74      yes       37                  -                 needs 7 more points
c         Outranked   3      0       no        0 (no report)       -                 needs 81 more points
d         Rejected    -      -       no        -                   TaintToleration   taint gpu=a100)"))
      << text;
}

TEST(ExplainText, OneClusterIsToldInFull) {
  auto fleet = scored();
  fleet.cluster("d", kTainted);
  const auto text = [&](std::string_view cluster) {
    return to_text(api::ObjectKey{"ns1", "p"},
                   explain_cluster(compiled(kOneByLoad), fleet.view(), fleet.now(), {}, cluster));
  };
  EXPECT_EQ(text("c"), R"(Cluster:       c
Placement:     ns1/p
Verdict:       Outranked
Decided:       no
Rank:          3
Score:         0
It would be chosen with:
  - 81 more points

PRIORITIZER       SCORE   WEIGHT   POINTS   NOTE
AddOn/demo/load   0       2        0        no report
)");
  EXPECT_EQ(text("d"), R"(Cluster:       d
Placement:     ns1/p
Verdict:       Rejected
Decided:       no
Rejected by:   TaintToleration
Against it:
  - taint gpu=a100:NoSelect is not tolerated
It would be chosen with:
  - a toleration for gpu=a100:NoSelect
  - 81 more points
)");
}

TEST(ExplainText, SaysWhatIsMissing) {
  FleetBuilder fleet;
  fleet.cluster("a");
  EXPECT_EQ(to_text(explain_all(fleet, R"({"numberOfClusters":3})"), ExplainFormat::Table),
            R"(Placement:     ns1/p
Cluster sets:  s
Chosen:        1 of 3 wanted

CLUSTER   VERDICT   RANK   SCORE   WHY
a         Chosen    1      100     Balance 100, Steady 0
)");
  EXPECT_EQ(to_text(explain_all(FleetBuilder::unbound(), "{}"), ExplainFormat::Table),
            "Placement:     ns1/p\nCluster sets:  <none>\nChosen:        0\n\n"
            "No cluster is in a set that the placement may use.\n");
  EXPECT_TRUE(to_text(explain_all(fleet, R"({"tolerations":[{}]})"), ExplainFormat::Table)
                  .contains("Misconfigured: TaintToleration: If the key is empty"));
}

TEST(ExplainText, AFewWordsSayPointsOrWhatIsAgainstIt) {
  auto fleet = scored();
  fleet.cluster("d", kTainted);
  const auto words = [&fleet](std::string_view cluster) {
    return in_short(explain_cluster(compiled(kOneByLoad), fleet.view(), fleet.now(), {}, cluster));
  };
  EXPECT_EQ(words("a"), "a has 80 points");
  EXPECT_EQ(words("d"), "d: taint gpu=a100:NoSelect is not tolerated");
}

}  // namespace
}  // namespace berth::placement
