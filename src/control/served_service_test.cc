#include "control/served_service.h"

#include <algorithm>
#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"
#include "json/parse.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using testing::ObjectServer;

const client::ResourcePath kSources{.resource = {"scores.berth.dev", "v1alpha1", "scoresources"}};
const client::ResourcePath kTemplates{.resource = {"scores.berth.dev", "v1alpha1", "templates"},
                                      .ns = "ns"};

class Served : public ::testing::Test {
 protected:
  void start() {
    server_.start_client("controller", [this](env::Env& env, client::Api& api) {
      auto service = std::make_shared<ServedService>(
          env, api,
          ServedOptions{
              .name = "scores", .collections = {kSources, kTemplates}, .remedy = "apply them"},
          [this] { ++served_; });
      service_ = service.get();
      return service;
    });
    server_.world().run_for(1s);
  }

  void define(const std::string& path) {
    server_.objects()[path] = json::parse(R"({"kind":"List","items":[]})").value();
  }
  void define_both() {
    define("/apis/scores.berth.dev/v1alpha1/scoresources");
    define("/apis/scores.berth.dev/v1alpha1/namespaces/ns/templates");
  }

  auto lines_with(const std::string& text) {
    return std::ranges::count_if(server_.world().log().lines(),
                                 [&](const std::string& line) { return line.contains(text); });
  }

  ObjectServer server_;
  ServedService* service_ = nullptr;
  int served_ = 0;
};

TEST_F(Served, WhatIsThereIsNotWaitedFor) {
  define_both();
  start();
  EXPECT_EQ(served_, 1);
  EXPECT_TRUE(service_->is_served());
  EXPECT_FALSE(service_->is_missing());
  server_.world().run_for(10min);
  EXPECT_EQ(served_, 1);
  EXPECT_EQ(server_.log().size(), 2U);
  EXPECT_EQ(lines_with("served."), 0);
}

TEST_F(Served, WhatIsMissingIsToldOnceAndFoundWhenItComes) {
  start();
  EXPECT_TRUE(service_->is_missing());
  server_.world().run_for(10min);
  EXPECT_EQ(served_, 0);
  EXPECT_EQ(lines_with("served.waits"), 1);
  EXPECT_EQ(lines_with("apply them"), 1);
  EXPECT_LE(server_.log().size(), 62U) << "every 10 s";
  define("/apis/scores.berth.dev/v1alpha1/scoresources");
  server_.world().run_for(1min);
  EXPECT_EQ(served_, 0) << "the other one is still missing";
  define_both();
  server_.world().run_for(11s);
  EXPECT_EQ(served_, 1);
  EXPECT_FALSE(service_->is_missing());
  EXPECT_EQ(lines_with("served.waits"), 1);
}

TEST_F(Served, AServerThatSaysNothingIsAskedAgain) {
  define_both();
  server_.fail_with(503);
  start();
  server_.world().run_for(5min);
  EXPECT_EQ(served_, 0);
  EXPECT_FALSE(service_->is_missing());
  server_.fail_with(0);
  server_.world().run_for(2min);
  EXPECT_EQ(served_, 1);
}

TEST_F(Served, WhatMayNotBeReadIsNotMissing) {
  server_.fail_with(403);
  start();
  EXPECT_EQ(served_, 1) << "whoever reads it tells what is wrong";
}

}  // namespace
}  // namespace berth::control
