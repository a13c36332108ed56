#include "control/followed_room_service.h"

#include <memory>
#include <set>
#include <string>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/metadata.h"
#include "control/testing/model_hub_service.h"
#include "json/parse.h"
#include "sim/world.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using json::Value;

// Knows what is there, and takes nothing that is called "bad".
struct Counter {
  Status put_node(const Value& node) { return put(nodes, std::string(api::Metadata(node).name())); }
  Status put_pod(const Value& pod) {
    const api::Metadata metadata(pod);
    return put(pods, fmt::format("{}/{}", metadata.namespace_name(), metadata.name()));
  }
  void remove_node(std::string_view name) { nodes.erase(std::string(name)); }
  void remove_pod(const api::ObjectKey& key) { pods.erase(key.text()); }
  void clear_nodes() { nodes.clear(); }
  void clear_pods() { pods.clear(); }

  static Status put(std::set<std::string>& all, const std::string& name) {
    if (name == "bad") return failure(Code::Invalid, "no amount");
    all.insert(name);
    return {};
  }

  std::set<std::string> nodes = {};
  std::set<std::string> pods = {};
};

class TheRoom : public ::testing::Test {
 protected:
  struct Program {
    Program(const env::Env& env, TheRoom& test)
        : api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
          room(env, api, test.counter_, 1min, [&test] { ++test.changes_; }) {}

    client::Api api;
    FollowedRoom<Counter> room;
  };

  TheRoom() : world_(sim::WorldOptions{}) {
    put(kNodes, "n1");
    put(kPods, "p1");
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::shared_ptr<client::testing::ModelServer>(hub_.serve(loops[0]));
    });
    world_.add_node("program").start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0], *this);
      program_ = program;
      return program;
    });
  }

  void put(const client::Gvr& resource, const std::string& name) {
    Value metadata = Value::object({{"name", name}});
    if (resource == kPods) metadata["namespace"] = "ns";
    hub_.put(resource, Value::object({{"metadata", std::move(metadata)}}));
  }

  const FollowedRoom<Counter>& room() const { return program_.lock()->room; }

  const client::Gvr kNodes = {"", "v1", "nodes"};
  const client::Gvr kPods = {"", "v1", "pods"};
  testing::ModelHub hub_;
  Counter counter_;
  int changes_ = 0;
  std::weak_ptr<Program> program_;
  sim::World world_;
};

TEST_F(TheRoom, IsCountedAsItIsAndAsItChanges) {
  world_.run_for(5s);
  EXPECT_TRUE(room().has_synced() && room().is_watching() && room().last_sign());
  EXPECT_EQ(counter_.nodes, std::set<std::string>{"n1"});
  EXPECT_EQ(counter_.pods, std::set<std::string>{"ns/p1"});
  const int before = changes_;
  put(kNodes, "n2");
  put(kNodes, "bad");
  hub_.erase(kPods, "ns/p1");
  world_.run_for(5s);
  EXPECT_EQ(counter_.nodes, (std::set<std::string>{"n1", "n2"}));
  EXPECT_TRUE(counter_.pods.empty());
  EXPECT_EQ(changes_ - before, 3);
}

TEST_F(TheRoom, SaysWhatKeepsItFromReading) {
  world_.node("server").crash(sim::Crash::Process);
  world_.run_for(30s);
  EXPECT_FALSE(room().has_synced());
  EXPECT_FALSE(room().trouble().empty());
}

}  // namespace
}  // namespace berth::control
