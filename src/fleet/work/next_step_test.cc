#include "fleet/work/next_step.h"

#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/metadata.h"
#include "base/rfc3339.h"
#include "fleet/work/names.h"
#include "fleet/work/resource_meta.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using json::Value;

const WorkIdentity kUs{.hub_hash = "hub", .agent_id = "us"};
const Time kNow = Time::from_unix(1'700'000'000);

Value work() {
  return json::parse(
             R"({"metadata":{"name":"w","namespace":"c","generation":3,"labels":{"a":"b"}}})")
      .value();
}
Value marked() { return with_finalizer(work(), kManifestWorkFinalizer); }
Value record() { return new_record(work(), kUs); }
Value going(Value object) {
  object["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  return object;
}
Value complete(Value object) {
  object["status"]["conditions"] = api::with_condition(
      {}, {.type = "Complete", .status = api::ConditionStatus::True, .reason = "R"}, kNow);
  return object;
}
Value with_resources(Value object) {
  return with_applied_resources(std::move(object),
                                {{.version = "v1", .resource = "pods", .name = "p"}});
}
Value of_another(Value object) {
  object["spec"]["agentID"] = "them";
  return object;
}

TEST(NextStep, FollowsFromTheWorkAndItsRecord) {
  struct Case {
    std::string_view what;
    Value work;  // Null: none.
    Value record;
    WorkAction expected;
  };
  using enum WorkAction;
  const Case cases[] = {
      {"nothing there", {}, {}, Nothing},
      {"a new work", work(), {}, AddFinalizer},
      {"a new work with an old record", work(), record(), AddFinalizer},
      {"marked", marked(), {}, CreateRecord},
      {"complete before it began", complete(marked()), {}, Nothing},
      {"recorded", marked(), record(), Apply},
      {"complete", complete(marked()), record(), Apply},
      {"recorded by another agent", marked(), of_another(record()), MendRecord},
      {"back in time", marked(), with_eviction(record(), kNow), StopEviction},
      {"going, never marked", going(work()), record(), Nothing},
      {"going", going(marked()), record(), SayDeleting},
      {"going, and said so", with_deleting(going(marked()), kNow), record(), DeleteRecord},
      {"going with its record", going(marked()), going(with_resources(record())), Release},
      {"going with an empty record", going(marked()), going(record()), LetRecordGo},
      {"going without a record", going(marked()), {}, LetWorkGo},
      {"there again while its old record goes", marked(), going(with_resources(record())), Release},
      {"another agent's record goes", {}, of_another(going(record())), Nothing},
      {"an orphan", {}, record(), StartEviction},
      {"another agent's orphan", {}, of_another(record()), Nothing},
      {"an orphan within its grace", {}, with_eviction(record(), kNow - 59min), Nothing},
      {"an orphan after its grace", {}, with_eviction(record(), kNow - 60min), DeleteRecord},
  };
  for (const Case& c : cases) {
    const WorkStep step = next_step(c.work.is_null() ? nullptr : &c.work,
                                    c.record.is_null() ? nullptr : &c.record, kUs, kNow);
    EXPECT_EQ(static_cast<int>(step.action), static_cast<int>(c.expected)) << c.what;
  }
}

TEST(NextStep, LooksAgainWhenTheGraceIsOver) {
  const Value orphan = with_eviction(record(), kNow - 59min);
  EXPECT_EQ(next_step(nullptr, &orphan, kUs, kNow).look_again, 1min);
}

TEST(NextStep, AHundredYearsOfGraceMeanNever) {
  const WorkIdentity patient{.hub_hash = "hub", .agent_id = "us", .eviction_grace = kGraceNever};
  const Value started = with_eviction(record(), kNow - 200h);
  const Value quiet = record();
  EXPECT_EQ(next_step(nullptr, &started, patient, kNow).action, WorkAction::StopEviction);
  EXPECT_EQ(next_step(nullptr, &quiet, patient, kNow).action, WorkAction::Nothing);
}

TEST(Records, AreNamedAfterHubAndWorkAndHeldByOurFinalizer) {
  const Value made = record();
  const api::Metadata metadata(made);
  EXPECT_EQ(metadata.name(), "hub-w");
  EXPECT_EQ(metadata.labels().find("a"), "b");
  EXPECT_TRUE(metadata.has_finalizer(kAppliedWorkFinalizer));
  EXPECT_EQ(*made.find("spec"),
            json::parse(R"({"hubHash":"hub","agentID":"us","manifestWorkName":"w"})").value());
  EXPECT_EQ(mended_record(of_another(made), kUs), made);
}

TEST(Finalizers, AreAddedOnceAndTakenOffAlone) {
  Value object = with_finalizer(with_finalizer(work(), "a"), "a");
  object = with_finalizer(std::move(object), "b");
  EXPECT_EQ(api::Metadata(object).finalizers().size(), 2U);
  const Value rest = without_finalizer(object, "a");
  EXPECT_EQ(api::Metadata(rest).finalizers(), (std::vector<std::string_view>{"b"}));
}

}  // namespace
}  // namespace berth::fleet
