#include "sim/explore.h"

#include <gtest/gtest.h>

#include "base/check.h"

namespace berth::sim {
namespace {

using namespace std::chrono_literals;

// Does to each seed what its function says.
class Scripted final : public Workload {
 public:
  explicit Scripted(std::function<Status(std::uint64_t)> script) : script_(std::move(script)) {}
  void start(World& world) override { seed_ = world.options().seed; }
  Status check() override { return script_(seed_); }
  Status settled() override { return {}; }

 private:
  std::function<Status(std::uint64_t)> script_;
  std::uint64_t seed_ = 0;
};

Suite scripted(std::function<Status(std::uint64_t)> script) {
  return {.name = "scripted",
          .make = [script] { return std::make_unique<Scripted>(script); },
          .faulty = 1s};
}

TEST(Explore, RunsAllSeeds) {
  const Exploration exploration =
      explore(scripted([](std::uint64_t) { return Status(); }), {.first = 1, .count = 7});
  EXPECT_EQ(exploration.runs, 7u);
  EXPECT_EQ(exploration.what(), "");
  EXPECT_GE(exploration.simulated, 7s);
}

TEST(Explore, SurvivesCrashesAndTellsThemFromWrongAnswers) {
  const Suite suite = scripted([](std::uint64_t seed) -> Status {
    CHECK(seed != 2);
    if (seed == 4) return failure(Code::InternalError, "bad");
    return {};
  });
  ::testing::internal::CaptureStderr();
  const Exploration exploration = explore(suite, {.first = 1, .count = 5});
  EXPECT_NE(::testing::internal::GetCapturedStderr().find("CHECK failed: seed != 2"),
            std::string::npos);
  ASSERT_EQ(exploration.failures.size(), 2u);
  EXPECT_EQ(exploration.failures[0].seed, 2u);
  EXPECT_EQ(exploration.failures[0].report.outcome, RunOutcome::Crashed);
  EXPECT_EQ(exploration.failures[1].report.outcome, RunOutcome::Wrong);
  EXPECT_NE(exploration.what().find("berth simulate --suite=scripted --seed=2"), std::string::npos);
}

TEST(Seeds, ComeFromTheEnvironment) {
  EXPECT_EQ(parse_seeds(nullptr).count, 50u);
  EXPECT_EQ(parse_seeds("1000").count, 1000u);
  EXPECT_EQ(parse_seeds("many").count, 50u);
}

}  // namespace
}  // namespace berth::sim
