#include "hosting/situation.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using testing::host;
using testing::kNow;
using testing::request;

class SituationTest : public ::testing::Test {
 protected:
  SituationTest() {
    situation_.put_host(host("a"), kNow);
    situation_.put_host(host("b", 10), kNow);
  }

  void put(const std::string& name, std::string_view spec = "") {
    situation_.put_request(request(name, spec));
  }

  // The host with those claims in its ledger.
  Host with_claims(const std::string& name, const std::vector<Claim>& claims) {
    Host made = host(name);
    made.ledger.claims = claims;
    made.weigh(kNow);
    return made;
  }

  Situation situation_;
};

using Names = std::vector<std::string>;
using Uids = Situation::Uids;

TEST_F(SituationTest, CountsAClaimWhileItIsBeingWritten) {
  put("r");
  EXPECT_EQ(situation_.waiting(kNow), Names{"uid-r"});
  EXPECT_EQ(situation_.assign("uid-r", kNow).host, "a");
  EXPECT_TRUE(situation_.waiting(kNow).empty());
  EXPECT_EQ(situation_.fleet().find("a")->load.total(), 1);
  EXPECT_EQ(situation_.find_host("a")->load.total(), 0);
  EXPECT_TRUE(situation_.claims_of("uid-r").empty()) << "not before a ledger has it";
}

TEST_F(SituationTest, HandsOverToTheLedgerWhatItShows) {
  put("r");
  situation_.assign("uid-r", kNow);
  const auto additions = situation_.additions("a", {}, kNow);
  ASSERT_EQ(additions.claims.size(), 1U);
  EXPECT_EQ(situation_.put_host(with_claims("a", additions.claims), kNow), Uids{"uid-r"});
  EXPECT_EQ(situation_.fleet().find("a")->load.total(), 1) << "once";
  EXPECT_EQ(situation_.claims_of("uid-r").at(0).host, "a");
  EXPECT_TRUE(situation_.settle("a", kNow).empty());
  EXPECT_TRUE(situation_.waiting(kNow).empty());
}

TEST_F(SituationTest, ForgetsWhatCouldNotBeWritten) {
  put("r");
  situation_.assign("uid-r", kNow);
  EXPECT_EQ(situation_.settle("a", kNow), Uids{"uid-r"});
  EXPECT_EQ(situation_.fleet().find("a")->load.total(), 0);
  EXPECT_EQ(situation_.waiting(kNow), Names{"uid-r"});
}

TEST_F(SituationTest, DropsWhatNoLongerFitsWhenItIsToBeWritten) {
  put("r");
  situation_.assign("uid-r", kNow);
  Host cordoned = host("a");
  cordoned.ledger.is_cordoned = true;
  situation_.put_host(cordoned, kNow);
  const auto additions = situation_.additions("a", {}, kNow);
  EXPECT_TRUE(additions.claims.empty());
  EXPECT_EQ(additions.dropped, Uids{"uid-r"});
  EXPECT_EQ(situation_.assign("uid-r", kNow).host, "b");
}

TEST_F(SituationTest, AddsNothingThatDoesNotFitBesideWhatIsWrittenWithIt) {
  put("r");
  put("lost");
  Host narrow = host("a");
  narrow.thresholds.hosted_max = 1;
  situation_.remove_host("b");
  situation_.put_host(narrow, kNow);
  situation_.assign("uid-r", kNow);
  const auto additions = situation_.additions("a", {make_claim(request("lost"), kNow)}, kNow);
  EXPECT_TRUE(additions.claims.empty());
  EXPECT_EQ(additions.dropped, Uids{"uid-r"});
  situation_.settle("a", kNow);
  EXPECT_EQ(situation_.fleet().find("a")->load.total(), 0) << "it could not be written";
}

TEST_F(SituationTest, WritesNothingForWhoIsGone) {
  put("r");
  situation_.assign("uid-r", kNow);
  situation_.remove_request({"tenant", "r"});
  EXPECT_TRUE(situation_.additions("a", {}, kNow).claims.empty());
  EXPECT_EQ(situation_.fleet().find("a")->load.total(), 0);
}

TEST_F(SituationTest, RemembersWhySomebodyGotNoHost) {
  put("r", R"("placementRef":{"name":"p"})");
  EXPECT_EQ(situation_.assign("uid-r", kNow).host, "");
  EXPECT_NE(situation_.refusal("uid-r").find("2 are not selected"), std::string::npos);
  situation_.put_selection({"tenant", "p"}, {"b"});
  EXPECT_EQ(situation_.assign("uid-r", kNow).host, "b");
  EXPECT_EQ(situation_.refusal("uid-r"), "");
}

TEST_F(SituationTest, KnowsWhoIsAssignedWhere) {
  HostedClusterRequest assigned = request("r");
  assigned.host = "a";
  situation_.put_request(assigned);
  EXPECT_EQ(situation_.assigned_to("a"), Names{"uid-r"});
  assigned.host = "b";
  situation_.put_request(assigned);
  EXPECT_TRUE(situation_.assigned_to("a").empty());
  EXPECT_NE(situation_.find(api::ObjectKey{"tenant", "r"}), nullptr);
  situation_.remove_request({"tenant", "r"});
  EXPECT_TRUE(situation_.assigned_to("b").empty());
  EXPECT_EQ(situation_.find("uid-r"), nullptr);
}

TEST_F(SituationTest, GivesOneOfTwoWithTheSameInfraIdNoHost) {
  const auto twin = [](const std::string& name, Time created) {
    HostedClusterRequest made = request(name);
    made.identity.infra_id = "same";
    made.created = created;
    return made;
  };
  situation_.put_request(twin("early", kNow - std::chrono::seconds(9)));
  situation_.put_request(twin("late", kNow));
  EXPECT_EQ(situation_.waiting(kNow), Names{"uid-early"});
  EXPECT_EQ(situation_.rival_of("uid-early", kNow), nullptr);
  EXPECT_EQ(situation_.rival_of("uid-late", kNow)->facts.name, "early");
  EXPECT_EQ(situation_.sharing_infra_id("same"), (Uids{"uid-early", "uid-late"}));

  // Whoever has a host, or is about to get one, comes before one that is only older.
  situation_.remove_request({"tenant", "early"});
  situation_.assign("uid-late", kNow);
  situation_.put_request(twin("early", kNow - std::chrono::seconds(9)));
  EXPECT_EQ(situation_.rival_of("uid-early", kNow)->facts.name, "late");
  EXPECT_EQ(situation_.additions("a", {}, kNow).claims.size(), 1U);
  HostedClusterRequest late = twin("late", kNow);
  late.host = "a";
  late.infra_id = "same";
  late.identity.infra_id = "edited";
  situation_.put_request(late);
  EXPECT_TRUE(situation_.waiting(kNow).empty()) << "what it has counts, not what it asks for";
  situation_.remove_request({"tenant", "late"});
  EXPECT_EQ(situation_.waiting(kNow), Names{"uid-early"});
}

TEST_F(SituationTest, LetsAHostGoWithAllThatWasOnItsWay) {
  put("r");
  situation_.assign("uid-r", kNow);
  EXPECT_EQ(situation_.remove_host("a"), Uids{"uid-r"});
  EXPECT_EQ(situation_.assign("uid-r", kNow).host, "b");
  EXPECT_TRUE(situation_.remove_host("a").empty());
}

TEST_F(SituationTest, TakesANewRequestOfTheSameNameForANewOne) {
  put("r");
  HostedClusterRequest other = request("r");
  other.facts.uid = "uid-other";
  situation_.put_request(other);
  EXPECT_EQ(situation_.find("uid-r"), nullptr);
  EXPECT_EQ(situation_.waiting(kNow), Names{"uid-other"});
}

}  // namespace
}  // namespace berth::hosting
