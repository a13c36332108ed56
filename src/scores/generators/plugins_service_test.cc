#include "scores/generators/plugins_service.h"

#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "sim/world.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const PluginSection kSection{
    .plugin = "other", .names = {"a"}, .entries = json::parse(R"([{"name":"a"}])").value()};

// Answers as it is told, and notes what it was asked.
class ScriptedProcesses final : public env::Processes {
 public:
  void run(env::Command command, std::move_only_function<void(Result<env::Exit>)> done) override {
    asked = std::move(command);
    done(answer);
  }

  Result<std::unique_ptr<env::Child>> start(const env::Command&,
                                            std::move_only_function<void(int)>) override {
    return failure(Code::NotFound, "plugins are run, not started");
  }

  env::Command asked{.program = ""};
  Result<env::Exit> answer = env::Exit{};
};

class PluginsTest : public ::testing::Test {
 protected:
  PluginsTest() {
    world_.add_node("agent").start([this](std::span<env::Env> loops) {
      disk_ = &loops[0].disk;
      return nullptr;
    });
    world_.run_for(1ms);
  }

  Result<PluginScores> run(Result<env::Exit> exit, PluginOptions options = {.directory = "/p"}) {
    processes_.answer = std::move(exit);
    Plugins plugins(processes_, *disk_, std::move(options));
    std::optional<Result<PluginScores>> outcome;
    plugins.run({.ns = "c1", .name = "g"}, kSection,
                [&](Result<PluginScores> scores) { outcome = std::move(scores); });
    return *outcome;
  }
  std::string complaint(Result<env::Exit> exit) {
    const auto outcome = run(std::move(exit));
    EXPECT_FALSE(outcome.ok());
    return outcome.ok() ? "" : outcome.error().message;
  }

  sim::World world_{sim::WorldOptions{}};
  env::Disk* disk_ = nullptr;
  ScriptedProcesses processes_;
};

TEST_F(PluginsTest, RunTheExecutableOfThatNameOnItsSection) {
  const auto scores = run(env::Exit{.output = R"({"protocol":"berth-score-plugin/1",
                                  "scores":[{"name":"a","value":7}]})"});
  ASSERT_TRUE(scores.ok()) << scores.error().message;
  EXPECT_EQ(scores->at("a"), 7);
  EXPECT_EQ(processes_.asked.program, "/p/other");
  EXPECT_TRUE(processes_.asked.arguments.empty());
  EXPECT_EQ(processes_.asked.text, plugin_request({.ns = "c1", .name = "g"}, kSection));
}

TEST_F(PluginsTest, TellThePluginNothingThatItNeedNotKnow) {
  EXPECT_FALSE(run(env::Exit{}).ok());
  EXPECT_EQ(processes_.asked.environment_use, env::ChildEnvironment::Alone);
  EXPECT_EQ(processes_.asked.orphans, env::ChildOrphans::Killed);
  EXPECT_EQ(processes_.asked.output_max, kPluginOutputMax);
  EXPECT_EQ(processes_.asked.timeout, 30s);
}

TEST_F(PluginsTest, SayWhatWentWrong) {
  EXPECT_THAT(complaint(failure(Code::NotFound, "run /p/other: No such file or directory")),
              StartsWith("PluginNotFound: /p/other cannot be run (run /p/other: No such file"));
  EXPECT_THAT(complaint(failure(Code::Timeout, "")), StartsWith("PluginTimeout: "));
  EXPECT_THAT(complaint(failure(Code::RequestEntityTooLarge, "")),
              StartsWith("PluginOutputTooLarge: other printed more than 262144 bytes"));
  EXPECT_EQ(complaint(env::Exit{.status = 139, .errors = "one\ntwo\n"}),
            "PluginFailed: other ended with status 139: two");
  EXPECT_THAT(complaint(env::Exit{.output = "nonsense"}), StartsWith("PluginAnswerInvalid: "));
}

TEST_F(PluginsTest, SayThatThereAreNone) {
  const auto outcome = run(failure(Code::NotFound, ""), {});
  EXPECT_THAT(outcome.error().message, HasSubstr("start it with --plugin-dir"));
  EXPECT_EQ(processes_.asked.program, "/nonexistent/other");
}

TEST_F(PluginsTest, AreTheFilesInTheDirectory) {
  ASSERT_TRUE(disk_->create_directory("p").ok());
  ASSERT_TRUE(disk_->open("p/other", {.mode = env::OpenMode::CreateNew}).ok());
  const Plugins plugins(processes_, *disk_, {.directory = "p"});
  EXPECT_TRUE(plugins.has("other"));
  EXPECT_FALSE(plugins.has("another"));
  EXPECT_FALSE(plugins.has("../p/other"));
  EXPECT_FALSE(Plugins(processes_, *disk_, {}).has("other"));
}

}  // namespace
}  // namespace berth::scores
