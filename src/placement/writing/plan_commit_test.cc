#include "placement/writing/plan_commit.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::placement {
namespace {

using json::Value;

Value parsed(std::string_view text) { return json::parse(text).value(); }

const api::ObjectKey kKey = {"ns", "p"};

std::vector<PlannedWrite> create_and_patch() {
  return {{.kind = PlannedWrite::Kind::CreateDecision,
           .name = "p-decision-1",
           .body = parsed(R"({"metadata":{"name":"p-decision-1","namespace":"ns"}})"),
           .notices = {{.reason = "DecisionCreate"}}},
          {.kind = PlannedWrite::Kind::PatchDecisionStatus,
           .name = "p-decision-1",
           .body = parsed(R"({"metadata":{},"status":{"decisions":[]}})"),
           .follows_previous = true,
           .notices = {{.reason = "DecisionUpdate"}}},
          {.kind = PlannedWrite::Kind::PatchPlacementStatus,
           .name = "p",
           .body = parsed(R"({"metadata":{"uid":"u","resourceVersion":"1"},"status":{}})")}};
}

TEST(PlanCommit, APatchCarriesTheVersionOfTheObjectCreatedBeforeIt) {
  PlanCommit commit(kKey, create_and_patch());
  const auto& create = std::get<control::CreateWrite>(*commit.write());
  EXPECT_EQ(client::path_of(create.collection).value(),
            "/apis/cluster.open-cluster-management.io/v1beta1/namespaces/ns/placementdecisions");
  ASSERT_TRUE(commit.on_answer(parsed(R"({"metadata":{"uid":"new","resourceVersion":"7"}})")).ok());
  const auto& patch = std::get<control::PatchWrite>(*commit.write());
  EXPECT_EQ(patch.path.subresource, "status");
  EXPECT_EQ(*patch.patch.find("metadata"), parsed(R"({"uid":"new","resourceVersion":"7"})"));
}

TEST(PlanCommit, RemembersTheVersionsThatTheCachesHaveToShow) {
  PlanCommit commit(kKey, create_and_patch());
  for (const char* version : {"7", "8", "9"}) {
    Value answer = parsed(R"({"metadata":{"uid":"new"}})");
    answer["metadata"]["resourceVersion"] = version;
    ASSERT_TRUE(commit.on_answer(std::move(answer)).ok());
  }
  EXPECT_FALSE(commit.write());
  EXPECT_EQ(commit.versions().decisions, "8");
  EXPECT_EQ(commit.versions().placement, "9");
}

TEST(PlanCommit, TellsOnlyWhatWasWritten) {
  PlanCommit commit(kKey, create_and_patch());
  ASSERT_TRUE(commit.on_answer(parsed(R"({"metadata":{"uid":"new","resourceVersion":"7"}})")).ok());
  EXPECT_FALSE(commit.on_answer(failure(Code::Conflict, "changed")).ok());
  ASSERT_EQ(commit.news().size(), 1U);
  EXPECT_EQ(commit.news()[0].notice.reason, "DecisionCreate");
  EXPECT_EQ(commit.news()[0].decision.find("uid")->string_or_empty(), "new");
}

TEST(PlanCommit, ADecisionThatIsGoneAlreadyNeedsNoDeleteAndNoWord) {
  PlanCommit commit(kKey, {{.kind = PlannedWrite::Kind::DeleteDecision,
                            .name = "p-decision-2",
                            .body = parsed(R"({"metadata":{"uid":"u","resourceVersion":"5"}})"),
                            .notices = {{.reason = "DecisionDelete"}}}});
  const auto& removal = std::get<control::DeleteWrite>(*commit.write());
  EXPECT_EQ(removal.options.uid, "u");
  EXPECT_EQ(removal.options.resource_version, "5");
  ASSERT_TRUE(commit.on_answer(failure(Code::NotFound, "gone")).ok());
  EXPECT_FALSE(commit.write());
  EXPECT_TRUE(commit.news().empty());
}

TEST(PlanCommit, TellsItsOwnWritesFromOthers) {
  using Sight = PlanCommit::Sight;
  std::vector<PlannedWrite> writes = create_and_patch();
  writes.pop_back();
  for (const char* name : {"gone", "held"}) {
    writes.push_back({.kind = PlannedWrite::Kind::DeleteDecision,
                      .name = name,
                      .body = parsed(R"({"metadata":{"uid":"u","resourceVersion":"5"}})")});
  }
  PlanCommit commit(kKey, std::move(writes));
  for (const char* answer :
       {R"({"metadata":{"uid":"new","resourceVersion":"7"}})",
        R"({"metadata":{"uid":"new","resourceVersion":"8"}})", R"({"kind":"Status"})",
        R"({"metadata":{"resourceVersion":"9","deletionTimestamp":"2026-01-01T00:00:00Z"}})"}) {
    ASSERT_TRUE(commit.on_answer(parsed(answer)).ok());
  }
  EXPECT_EQ(commit.compare("p-decision-1", "8"), Sight::AsWritten);
  EXPECT_EQ(commit.compare("p-decision-1", "10"), Sight::News);
  EXPECT_EQ(commit.compare("p-decision-1", ""), Sight::News);
  EXPECT_EQ(commit.compare("gone", ""), Sight::AsWritten);
  EXPECT_EQ(commit.compare("gone", "5"), Sight::NotGoneYet);
  EXPECT_EQ(commit.compare("gone", "11"), Sight::News);
  EXPECT_EQ(commit.compare("held", "9"), Sight::AsWritten);
  EXPECT_EQ(commit.compare("somebody-elses", "6"), Sight::News);
  EXPECT_EQ(commit.versions().decisions, "9");
}

}  // namespace
}  // namespace berth::placement
