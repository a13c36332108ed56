#include "hosting/request_status.h"

#include <gtest/gtest.h>

#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using namespace std::chrono_literals;
using api::ConditionStatus;
using testing::kNow;
using testing::request_object;

TEST(RequestStatus, SaysWhichGenerationItIsAbout) {
  const json::Value object = request_object("a");
  RequestStatus status(object, kNow);
  EXPECT_TRUE(status.has_changed());
  const json::Value after = status.phase(Phase::Ready)
                                .message("m")
                                .set("Scheduled", ConditionStatus::True, "R", "t")
                                .take();
  EXPECT_EQ(after.find_path({"status", "observedGeneration"})->as_int(), 1);
  EXPECT_EQ(*after.find_path({"status", "phase"}), "Ready");
  EXPECT_TRUE(api::is_condition_true(after, "Scheduled"));
  RequestStatus again(after, kNow + 1h);
  again.phase(Phase::Ready).message("m").set("Scheduled", ConditionStatus::True, "R", "t");
  EXPECT_FALSE(again.has_changed()) << "the same words at another time are no news";
}

TEST(RequestStatus, TakesAwayWhatNoLongerHolds) {
  const json::Value object = request_object("a");
  const json::Value before =
      RequestStatus(object, kNow).message("m").set("X", ConditionStatus::True, "R", "").take();
  const json::Value after = RequestStatus(before, kNow).message("").clear("X").take();
  EXPECT_EQ(after.find_path({"status", "message"}), nullptr);
  EXPECT_FALSE(api::is_condition_true(after, "X"));
}

TEST(RequestStatus, CutsWhatIsTooLong) {
  const json::Value object = request_object("a");
  const json::Value after = RequestStatus(object, kNow).message(std::string(10'000, 'x')).take();
  EXPECT_EQ(after.find_path({"status", "message"})->string_or_empty().size(), 4000U);
}

}  // namespace
}  // namespace berth::hosting
