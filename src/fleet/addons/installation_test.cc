#include "fleet/addons/installation.h"

#include <gtest/gtest.h>

#include "api/metadata.h"
#include "base/strings.h"
#include "json/parse.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;

const Time kStart = Time::from_unix(1'000'000);

class Installing : public ::testing::Test {
 protected:
  Installing() {
    add_on_.facts = {.name = "score", .uid = "u"};
    add_on_.install = AddOnInstall::Placements;
    add_on_.placements = {{.placement = {"ns", "p"}}, {.placement = {"ns", "q"}}};
    placements_[{"ns", "p"}] = settled({"a"});
    placements_[{"ns", "q"}] = settled({"b"});
    for (const char* name : {"a", "b", "c"}) add_cluster(name);
  }

  static PlacementView settled(std::vector<std::string> clusters) {
    return {.exists = true, .is_settled = true, .groups = {{.clusters = std::move(clusters)}}};
  }

  void add_cluster(const std::string& name) { clusters_[name]["metadata"]["name"] = name; }

  void manage(const std::string& cluster) {
    managed_[cluster]["metadata"]["namespace"] = cluster;
    managed_[cluster]["metadata"]["name"] = "score";
  }

  InstallationPlan plan(Time now = kStart) {
    InstallationView view{.add_on = add_on_,
                          .placement = [this](const ObjectName& name) { return placements_[name]; },
                          .cluster = [this](std::string_view name) -> const json::Value* {
                            const auto found = clusters_.find(std::string(name));
                            return found == clusters_.end() ? nullptr : &found->second;
                          },
                          .unsettled = unsettled_,
                          .grace = 10min,
                          .now = now};
    for (const auto& [cluster, managed] : managed_) view.managed[cluster] = &managed;
    InstallationPlan result = plan_installation(view);
    unsettled_ = result.unsettled;
    return result;
  }

  // "+a -b": installs on a, removes from b.
  static std::string text(const InstallationPlan& plan) {
    std::vector<std::string> parts;
    for (const json::Value& each : plan.create) {
      parts.push_back("+" + std::string(api::Metadata(each).namespace_name()));
    }
    for (const json::Value* each : plan.remove) {
      parts.push_back("-" + std::string(api::Metadata(*each).namespace_name()));
    }
    return join(parts, " ");
  }

  AddOn add_on_;
  std::map<ObjectName, PlacementView> placements_;
  std::map<std::string, json::Value> clusters_;
  std::map<std::string, json::Value> managed_;
  UnsettledSince unsettled_;
};

TEST_F(Installing, PutsTheAddOnOnEveryClusterThatAnyPlacementChose) {
  EXPECT_EQ(text(plan()), "+a +b");
  manage("a");
  manage("c");
  EXPECT_EQ(text(plan()), "+b -c") << "also what somebody made by hand";
}

TEST_F(Installing, MakesObjectsThatTheAddOnOwnsWithTheClustersAnnotations) {
  clusters_["a"]["metadata"]["annotations"]["addon.open-cluster-management.io/x"] = "1";
  clusters_["a"]["metadata"]["annotations"]["other"] = "2";
  const json::Value made = plan().create[0];
  EXPECT_TRUE(is_owned_by_add_on(made));
  EXPECT_EQ(*made.find_path({"metadata", "annotations"}),
            json::parse(R"({"addon.open-cluster-management.io/x":"1"})").value());
}

TEST_F(Installing, UninstallsNothingWhileAPlacementIsMissingForAMoment) {
  manage("a");
  manage("b");
  placements_[{"ns", "q"}] = {};
  const InstallationPlan missing = plan();
  EXPECT_EQ(text(missing), "");
  EXPECT_EQ(missing.recheck, kStart + 10min);
  EXPECT_EQ(text(plan(kStart + 9min)), "");
  placements_[{"ns", "q"}] = settled({"b"});
  EXPECT_EQ(text(plan(kStart + 20min)), "");
  EXPECT_TRUE(unsettled_.empty());
}

TEST_F(Installing, TakesAPlacementThatStaysAwayForGone) {
  manage("a");
  manage("b");
  placements_[{"ns", "q"}] = {};
  plan();
  EXPECT_EQ(text(plan(kStart + 10min)), "-b");
}

TEST_F(Installing, GoesOnInstallingWhileAPlacementIsUnsettled) {
  placements_[{"ns", "q"}].is_settled = false;
  manage("c");
  EXPECT_EQ(text(plan()), "+a +b");
}

TEST_F(Installing, LeavesAloneWhatIsNotItsBusiness) {
  manage("c");
  add_on_.install = AddOnInstall::Manual;
  EXPECT_EQ(text(plan()), "");
  add_on_.install = AddOnInstall::Placements;
  add_on_.is_ours = false;
  EXPECT_EQ(text(plan()), "");
}

TEST_F(Installing, PutsNothingOnAClusterThatIsGoingAndRemovesNothingTwice) {
  clusters_["a"]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  clusters_.erase("b");
  manage("c");
  managed_["c"]["metadata"]["deletionTimestamp"] = "2026-01-01T00:00:00Z";
  EXPECT_EQ(text(plan()), "");
}

}  // namespace
}  // namespace berth::fleet
