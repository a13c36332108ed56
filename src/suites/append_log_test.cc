// The same service in both worlds, and its broken variants, which the simulator has to find.

#include "suites/append_log.h"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <latch>

#include <gtest/gtest.h>

#include "base/check.h"
#include "runtime/system.h"
#include "sim/explore.h"
#include "suites/append_client.h"
#include "suites/append_workload.h"

namespace berth::suites {
namespace {

using namespace std::chrono_literals;

TEST(AppendLogInTheSimulator, KeepsWhatItHasAcknowledged) {
  const auto began = std::chrono::steady_clock::now();
  const sim::Exploration exploration =
      sim::explore(append_suite(Mistake::None), sim::parse_seeds(std::getenv("BERTH_SEEDS")));
  EXPECT_TRUE(exploration.failures.empty()) << exploration.what();
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
  std::printf("%lu seeds, %lu events, %.0f simulated seconds, %.0f events/s of wall time\n",
              exploration.runs, exploration.events,
              std::chrono::duration<double>(exploration.simulated).count(),
              static_cast<double>(exploration.events) / took.count());
}

class BrokenAppendLog : public ::testing::TestWithParam<Mistake> {};

TEST_P(BrokenAppendLog, IsFoundToBeWrong) {
  const sim::Exploration exploration =
      sim::explore(append_suite(GetParam()), {.first = 1, .count = 200, .failures_max = 1});
  ASSERT_FALSE(exploration.failures.empty());
  const sim::RunReport& report = exploration.failures[0].report;
  EXPECT_EQ(report.outcome, sim::RunOutcome::Wrong) << report.what;
  std::printf("found after %lu seeds\n", exploration.failures.front().seed);
}

INSTANTIATE_TEST_SUITE_P(AllMistakes, BrokenAppendLog,
                         ::testing::Values(Mistake::AnswersBeforeSync, Mistake::ForgetsTheDirectory,
                                           Mistake::TrustsTornRecords, Mistake::TrustsTheCache));

// A log in a directory of its own, on a real loop.
class RealLog {
 public:
  RealLog(env::Env& env, const std::string& directory) : env_(env) {
    runtime::run_on(env.loop, [&] {
      log_ = std::make_unique<AppendLog>(
          env, AppendLogOptions{.directory = directory, .listen = {.host = "127.0.0.1"}},
          [](const Error& error) { FAIL() << error.message; });
      const Status opened = log_->open();
      CHECK(opened.ok());
      address_ = log_->address();
      entries_ = log_->entries();
    });
  }
  ~RealLog() {
    runtime::run_on(env_.loop, [this] { log_.reset(); });
  }

  const env::Address& address() const { return address_; }
  const std::vector<std::string>& entries_at_start() const { return entries_; }

 private:
  env::Env& env_;
  std::unique_ptr<AppendLog> log_;
  env::Address address_;
  std::vector<std::string> entries_;
};

TEST(AppendLogOnTheSystem, KeepsWhatItHasAcknowledged) {
  runtime::System system({.loops = 2, .workers = 1, .log = {.level = env::Level::Error}});
  std::string directory = ::testing::TempDir() + "berth-worlds-XXXXXX";
  ASSERT_NE(::mkdtemp(directory.data()), nullptr);

  std::vector<AppendClient::Answer> answers;
  {
    const RealLog log(system.env(0), directory);
    std::unique_ptr<AppendClient> client;
    std::latch done(1);
    std::function<void()> look = [&] {
      if (!client->is_done()) return system.env(1).loop.post([&] { look(); });
      answers = client->answers();
      client.reset();
      done.count_down();
    };
    runtime::run_on(system.env(1).loop, [&] {
      client = std::make_unique<AppendClient>(
          system.env(1),
          AppendClientOptions{.server = log.address(), .name = "real", .count = 100});
      look();
    });
    done.wait();
  }
  const RealLog again(system.env(0), directory);
  ASSERT_EQ(answers.size(), 100u);
  ASSERT_EQ(again.entries_at_start().size(), 100u);
  for (const AppendClient::Answer& answer : answers) {
    EXPECT_EQ(again.entries_at_start()[answer.index], answer.id);
  }
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace berth::suites
