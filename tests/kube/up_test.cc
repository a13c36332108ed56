// berth up as a newcomer meets it: a fleet in seconds, with all that it takes to decide.

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <re2/re2.h>
#include <unistd.h>

#include "api/kinds/fields.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/child.h"
#include "kube/contents.h"
#include "kube/paths.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using client::ResourcePath;
using json::Value;
using ::testing::ContainsRegex;
using ::testing::HasSubstr;
using ::testing::StartsWith;

const ResourcePath kScores{
    .resource = {"cluster.open-cluster-management.io", "v1alpha1", "addonplacementscores"}};
const ResourcePath kDecisions{
    .resource = {"cluster.open-cluster-management.io", "v1beta1", "placementdecisions"},
    .ns = "default"};
const ResourcePath kMaps{.resource = {.version = "v1", .resource = "configmaps"}, .ns = "default"};
const ResourcePath kPods{.resource = {.version = "v1", .resource = "pods"}, .ns = "default"};

class UpCommand : public ::testing::Test {
 protected:
  UpCommand()
      : folder_(fs::temp_directory_path() / fmt::format("berth-up-{}", ::getpid())),
        output_(folder_.string() + ".output") {}
  ~UpCommand() override {
    fleet_.stop();
    fs::remove_all(folder_);
    fs::remove(output_);
  }

  std::string data_dir() const { return (folder_ / "data").string(); }

  std::vector<std::string> up_command(int clusters) const {
    return {berth_program().string(),
            "up",
            "--data-dir",
            data_dir(),
            "--listen",
            "127.0.0.1:0",
            "--clusters",
            std::to_string(clusters)};
  }

  // Until it says that it is ready.
  void start(int clusters, const std::vector<std::string>& more = {}) {
    std::vector<std::string> command = up_command(clusters);
    command.insert(command.end(), more.begin(), more.end());
    start(command);
  }
  void start(const std::vector<std::string>& command) {
    fs::create_directories(folder_);
    std::ofstream(output_, std::ios::trunc).close();
    auto started = Child::start(command, output_);
    ASSERT_TRUE(started.ok()) << started.error().message;
    fleet_ = *std::move(started);
    const bool is_ready =
        wait_until([&] { return contents(output_).contains("ready after") || !fleet_.running(); });
    ASSERT_TRUE(is_ready && fleet_.running()) << contents(output_) << contents(data_dir() + "/log");
  }

  // What a command of berth prints, and its exit code.
  std::string berth_says(const std::string& arguments) {
    const fs::path printed = folder_ / "printed";
    const Status done = run(
        {"sh", "-c",
         fmt::format("{} {} > {} 2>&1", berth_program().string(), arguments, printed.string())});
    return (done.ok() ? "" : "failed: ") + contents(printed);
  }

  std::unique_ptr<BlockingApi> hub() const {
    return std::make_unique<BlockingApi>(fs::path(data_dir()) / "hub.kubeconfig");
  }
  std::unique_ptr<BlockingApi> cluster(const std::string& name) const {
    return std::make_unique<BlockingApi>(fs::path(data_dir()) / "clusters" /
                                         (name + ".kubeconfig"));
  }

  static std::vector<std::string> chosen(BlockingApi& api) {
    std::vector<std::string> names;
    const auto decisions = api.list_all(kDecisions);
    if (!decisions.ok()) return names;
    for (const Value& decision : decisions->items) {
      for (const Value& one : api::elements_field(api::field(decision, "status"), "decisions")) {
        names.push_back(api::text_field(one, "clusterName"));
      }
    }
    return names;
  }

  fs::path folder_;
  fs::path output_;
  Child fleet_;
};

TEST_F(UpCommand, GivesAFleetWithScoresAndADecision) {
  ASSERT_NO_FATAL_FAILURE(start(2));
  EXPECT_THAT(contents(output_), HasSubstr("berth explain placement most-room -n default"));
  const auto api = hub();
  EXPECT_TRUE(wait_until([&] {
    const auto scores = api->list_all(kScores);
    return scores.ok() && scores->items.size() == 2;
  })) << contents(data_dir() + "/log");
  EXPECT_TRUE(wait_until([&] { return chosen(*api).size() == 1; }));
  // Clusters have pods that run, and servers of their own.
  const auto cluster1 = cluster("cluster1");
  EXPECT_TRUE(wait_until([&] {
    const auto pods = cluster1->list_all(kPods);
    return pods.ok() && !pods->items.empty() &&
           api::text_field(api::field(pods->items[0], "status"), "phase") == "Running";
  }));
}

TEST_F(UpCommand, NamesItsOwnCommandsWhereThereIsNoKubectl) {
  std::vector<std::string> command = up_command(1);
  command.insert(command.begin(), {"/usr/bin/env", "PATH=/nowhere"});
  ASSERT_NO_FATAL_FAILURE(start(command));
  const std::string said = contents(output_);
  EXPECT_THAT(said, HasSubstr("berth get clusters\n"));
  EXPECT_THAT(said, HasSubstr("berth get scores\n"));
  EXPECT_FALSE(said.contains("kubectl"));
}

TEST_F(UpCommand, ItsAgentsTakeOptions) {
  ASSERT_NO_FATAL_FAILURE(start(1, {"--agent-option=score-name=test-score1",
                                    "--agent-option=shape=web=cpu=500m,memory=1Gi"}));
  const auto api = hub();
  EXPECT_TRUE(wait_until([&] {
    const auto scores = api->list_all(kScores);
    return scores.ok() && scores->items.size() == 1 &&
           api::read_facts(scores->items[0]).name == "test-score1" &&
           json::print(scores->items[0]).contains("web");
  })) << contents(data_dir() + "/log");
  EXPECT_TRUE(wait_until([&] { return chosen(*api).size() == 1; }));
}

TEST_F(UpCommand, SaysWhichOptionOfAgentsIsWrong) {
  const std::string up =
      fmt::format("up --listen 127.0.0.1:0 --clusters 1 --data-dir {}", data_dir());
  fs::create_directories(folder_);
  EXPECT_THAT(berth_says(up + " --agent-option score-nam=x"), HasSubstr("--score-nam"));
  EXPECT_THAT(berth_says(up + " --agent-option score-name"), HasSubstr("is not NAME=VALUE"));
  EXPECT_THAT(berth_says(up + " --simulated-delay cluster2=5ms"),
              HasSubstr("\"cluster2=5ms\" does not begin with a cluster of this fleet"));
  EXPECT_THAT(berth_says(up + " --probe-allow nowhere"), HasSubstr("--probe-allow"));
}

TEST_F(UpCommand, ATerminalShowsWhatIsInUseAndWhyPlacementsMove) {
  const std::string up = fmt::format("{}", fmt::join(up_command(2), " "));
  ASSERT_NO_FATAL_FAILURE(
      start({"script", "-qfec", "stty rows 40 cols 140; " + up, folder_.string() + ".typescript"}));
  EXPECT_TRUE(wait_until([&] {
    static const RE2 kUse(R"(cluster1 +yes +#+\.* \d+% of 40 +#+\.* \d+% of 80Gi +cpuAvailable)");
    static const RE2 kMove(
        R"(default/most-room: nowhere -> cluster\d \(cluster\d has \d+ points\))");
    const std::string shown = contents(output_);
    return RE2::PartialMatch(shown, kUse) && RE2::PartialMatch(shown, kMove);
  })) << contents(output_);
  fs::remove(folder_.string() + ".typescript");
}

TEST_F(UpCommand, AWatchShowsWhatWasAskedForAndEachChangeOnce) {
  ASSERT_NO_FATAL_FAILURE(start(1));
  const auto watch = [this](std::vector<std::string> more, const fs::path& output) {
    std::vector<std::string> command = {berth_program().string(), "get", "placements", "--watch",
                                        "--kubeconfig=" + data_dir() + "/hub.kubeconfig"};
    command.insert(command.end(), more.begin(), more.end());
    return Child::start(command, output);
  };
  auto all = watch({}, folder_ / "all");
  auto one = watch({"most-room"}, folder_ / "one");
  ASSERT_TRUE(all.ok() && one.ok());
  const auto shows = [this](const char* file, const std::string& text) {
    return wait_until([&] { return contents(folder_ / file).contains(text); });
  };
  ASSERT_TRUE(shows("all", "most-room") && shows("one", "most-room"));
  const auto api = hub();
  Value extra = Value::object({{"metadata", Value::object({{"name", "extra"}})}});
  extra["spec"] = Value::object({});
  const ResourcePath placements{
      .resource = {"cluster.open-cluster-management.io", "v1beta1", "placements"}, .ns = "default"};
  ASSERT_TRUE(api->create(placements, extra).ok());
  EXPECT_TRUE(shows("all", "\nextra       True        all      1        AllDecisionsScheduled\n"))
      << contents(folder_ / "all");
  EXPECT_FALSE(contents(folder_ / "one").contains("extra"));
  all->stop();
  one->stop();
}

TEST_F(UpCommand, GoesOnWithItsDataAfterItWasKilled) {
  ASSERT_NO_FATAL_FAILURE(start(2));
  const Value map = Value::object({{"metadata", Value::object({{"name", "mine"}})}});
  ASSERT_TRUE(cluster("cluster1")->create(kMaps, map).ok());
  fleet_.kill();
  ASSERT_NO_FATAL_FAILURE(start(2));
  ResourcePath mine = kMaps;
  mine.name = "mine";
  EXPECT_TRUE(cluster("cluster1")->get(mine).ok());
  // A cluster is not the other one, and none is the hub.
  EXPECT_FALSE(cluster("cluster2")->get(mine).ok());
  EXPECT_FALSE(hub()->get(mine).ok());
}

TEST_F(UpCommand, ACertificateForOneClusterOpensNoOther) {
  ASSERT_NO_FATAL_FAILURE(start(2));
  std::string text = contents(data_dir() + "/clusters/cluster1.kubeconfig");
  const std::size_t at = text.find("/clusters/cluster1");
  ASSERT_NE(at, std::string::npos);
  const std::string end = "/clusters/cluster1";
  for (const std::string& path : {std::string("/clusters/cluster2"), std::string()}) {
    std::string other = text;
    other.replace(at, end.size(), path);
    const fs::path file = folder_ / "other.kubeconfig";
    std::ofstream(file, std::ios::trunc) << other;
    const auto refused = BlockingApi(file).list_all(kMaps);
    ASSERT_FALSE(refused.ok());
    EXPECT_EQ(refused.error().code, Code::Unauthorized) << refused.error().message;
  }
}

TEST_F(UpCommand, DownEndsItAndDeletesItsData) {
  ASSERT_NO_FATAL_FAILURE(start(1));
  EXPECT_THAT(berth_says("down --data-dir " + data_dir()), HasSubstr("stopped"));
  EXPECT_FALSE(fs::exists(data_dir()));
  EXPECT_FALSE(fleet_.running());
}

TEST_F(UpCommand, SaysWhatIsWrongAndWhatToDo) {
  ASSERT_NO_FATAL_FAILURE(start(1));
  EXPECT_THAT(berth_says("up --listen 127.0.0.1:0 --data-dir " + data_dir()),
              HasSubstr("end it with \"berth down"));
  const std::string url = contents(output_);
  const std::size_t at = url.find("127.0.0.1:");
  const std::string address = url.substr(at, url.find(',', at) - at);
  EXPECT_THAT(berth_says(fmt::format("up --listen {} --data-dir {}", address,
                                     (folder_ / "second").string())),
              HasSubstr("choose another port with --listen"));
  EXPECT_THAT(berth_says("up --data-dir " + folder_.string()), HasSubstr("has other things in it"));
  EXPECT_THAT(berth_says("down --data-dir " + folder_.string()),
              HasSubstr("there is no local fleet in"));
}

TEST_F(UpCommand, PlaysAScenarioAndFailsWhereItGoesAnotherWay) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "play.yaml") << R"(about: The agent of a hangs.
scoreRefresh: 1s
clusters: [{name: a, nodes: 2}, {name: b, nodes: 1}]
placements:
- name: web
  spec:
    numberOfClusters: 1
    prioritizerPolicy:
      mode: Exact
      configurations:
      - scoreCoordinate:
          type: AddOn
          addOn: {resourceName: resource-usage-score, scoreName: cpuAvailable}
        weight: 1
timeline:
- {at: 0s, expect: {web: [a]}, within: 5m}
- {at: 10s, silence: [a]}
- {at: 11s, expect: {web: []}, within: 1s}
- {at: 12s, expect: {web: [b]}, within: 5m}
)";
  const std::string play =
      fmt::format("up --headless --listen 127.0.0.1:0 --data-dir {} {}", data_dir(),
                  "--scenario " + (folder_ / "play.yaml").string());
  const std::string said = berth_says(play);
  EXPECT_THAT(said, StartsWith("failed: "));
  EXPECT_THAT(said, HasSubstr("scenario: begins: The agent of a hangs."));
  EXPECT_THAT(said, HasSubstr("scenario: line 16: web is on a, as expected"));
  EXPECT_THAT(said, ContainsRegex("scenario: line 18: web should be nowhere within 1 s, and is on "
                                  "[ab]\nPlacement: +default/web\n"));
  EXPECT_THAT(said, ContainsRegex("Chosen +1 +[0-9]+ +AddOn/resource-usage-score/cpuAvailable"));
  EXPECT_THAT(said, HasSubstr("scenario: line 19: web is on b, as expected"));
  EXPECT_THAT(said, HasSubstr("scenario: ends: 2 of 3 expectations came true"));
  // What is left of it is no beginning for another one.
  EXPECT_THAT(berth_says(play), HasSubstr("a scenario begins with a new fleet"));
}

TEST_F(UpCommand, SaysWhatIsWrongWithAScenario) {
  fs::create_directories(folder_);
  std::ofstream(folder_ / "play.yaml") << "clusters: [{name: a}]\ntimeline:\n- {at: 1s}\n";
  const std::string play =
      fmt::format("up --headless --listen 127.0.0.1:0 --data-dir {} {}", data_dir(),
                  "--scenario " + (folder_ / "play.yaml").string());
  EXPECT_THAT(berth_says(play), HasSubstr("play.yaml: line 3: a step needs one of load, outage"));
  EXPECT_THAT(berth_says("up --scenario /nowhere/play.yaml"),
              HasSubstr("cannot read the scenario \"/nowhere/play.yaml\": No such file"));
  EXPECT_THAT(berth_says(play + " --clusters 2"), HasSubstr("--clusters"));
}

}  // namespace
}  // namespace berth::kube
