#include "local/process_runtime_service.h"

#include <memory>
#include <optional>
#include <string>

#include <gtest/gtest.h>

#include "client/testing/model_server_service.h"
#include "env/files.h"
#include "json/parse.h"
#include "local/pod_address.h"
#include "local/testing/workloads.h"
#include "sim/world.h"

namespace berth::local {
namespace {

using namespace std::chrono_literals;
using json::Value;

ContainerSpec spec_of(std::string contents) {
  return {.pod = {.ns = "ns", .name = "p"},
          .pod_uid = "u1",
          .name = "c",
          .image = "quay.io/berth/berth:v1",
          .command = {"/usr/bin/berth", "agent"},
          .arguments = {"--hub-kubeconfig=/hub/kubeconfig", "--health=0.0.0.0:8081"},
          .variables = {{"HUB", "/hub/kubeconfig"}},
          .mounts = {{.path = "/hub", .files = {{"kubeconfig", std::move(contents)}}}}};
}

// On a machine where "berth" can be run, and a server that gives tokens.
class OwnContainers : public ::testing::Test {
 protected:
  struct Program {
    explicit Program(env::Env& its_env)
        : env(its_env),
          api(env, client::testing::model_config("http"), {.rate = {.per_second = 0}}),
          runtime(env, api,
                  {.image = "quay.io/berth/berth", .program = "/bin/berth", .folder = "/pods"}) {}

    env::Env& env;
    client::Api api;
    ProcessRuntime runtime;
    std::unique_ptr<RunningContainer> container;
    std::optional<int> ended;
  };

  OwnContainers() : world_(sim::WorldOptions{}) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      client::testing::ModelServerOptions options;
      options.answer = [this](const client::testing::ModelRequest& request)
          -> std::optional<client::testing::ModelAnswer> {
        if (!request.path.ends_with("/token")) return std::nullopt;
        asked_ = request.path;
        return client::testing::ModelAnswer{
            .status = 201,
            .document = Value::object({{"status", Value::object({{"token", "secret"}})}})};
      };
      return std::make_shared<client::testing::ModelServer>(loops[0], store_, std::move(options));
    });
    sim::Node& node = world_.add_node("berth");
    node.child_programs()["/bin/berth"] = [this](const env::Command& command) {
      command_ = command;
      return env::Exit{.status = exit_};
    };
    node.start([this](std::span<env::Env> loops) {
      auto program = std::make_shared<Program>(loops[0]);
      program_ = program.get();
      return program;
    });
    world_.run_for(1s);
  }

  void start(const ContainerSpec& spec) {
    auto started = program_->runtime.start(
        testing::parsed(R"({"spec":{"serviceAccountName":"agent-sa"}})"), spec, [this](int status) {
          program_->ended = status;
          program_->container.reset();
        });
    ASSERT_TRUE(started.ok()) << started.error().message;
    program_->container = *std::move(started);
    world_.run_for(1s);
  }

  std::string file(const std::string& path) {
    return env::read_file(program_->env.disk, path, 1 << 20).value_or("");
  }

  client::testing::ModelStore store_;
  std::string asked_;
  std::optional<env::Command> command_;
  int exit_ = 0;
  sim::World world_;
  Program* program_ = nullptr;
};

TEST_F(OwnContainers, AreThoseOfOurImageWhateverTheirVersion) {
  const auto runs = [this](std::string_view image) {
    return program_->runtime.runs({}, Value::object({{"image", image}}));
  };
  EXPECT_TRUE(runs("quay.io/berth/berth"));
  EXPECT_TRUE(runs("quay.io/berth/berth:v2"));
  EXPECT_TRUE(runs("quay.io/berth/berth@sha256:0"));
  EXPECT_FALSE(runs("quay.io/berth/other:v2"));
}

TEST_F(OwnContainers, RunAsProcessesWithTheirArgumentsAndFiles) {
  start(spec_of("first"));
  ASSERT_TRUE(command_);
  EXPECT_EQ(command_->arguments,
            (std::vector<std::string>{"agent", "--hub-kubeconfig=/pods/u1/c/hub/kubeconfig",
                                      "--health=" + loopback_address("u1") + ":8081"}));
  EXPECT_EQ(command_->environment.at("HUB"), "/pods/u1/c/hub/kubeconfig");
  EXPECT_EQ(file("/pods/u1/c/hub/kubeconfig"), "first");
}

TEST_F(OwnContainers, HaveTheIdentityOfTheirServiceAccount) {
  start(spec_of(""));
  EXPECT_EQ(asked_, "/api/v1/namespaces/ns/serviceaccounts/agent-sa/token");
  EXPECT_EQ(file("/pods/u1/c/token"), "secret");
  const auto kubeconfig = json::parse(file(command_->environment.at("KUBECONFIG")));
  ASSERT_TRUE(kubeconfig.ok());
  EXPECT_EQ(
      kubeconfig->find("users")->elements()[0].find_path({"user", "tokenFile"})->string_or_empty(),
      "/pods/u1/c/token");
}

TEST_F(OwnContainers, SeeNewContentsOfTheirFiles) {
  start(spec_of("first"));
  program_->container->refresh(spec_of("second"));
  EXPECT_EQ(file("/pods/u1/c/hub/kubeconfig"), "second");
}

TEST_F(OwnContainers, EndWhenTheyAreStopped) {
  start(spec_of(""));
  program_->container->stop(30s);
  world_.run_for(1s);
  EXPECT_EQ(program_->ended, 143);
}

TEST_F(OwnContainers, LeaveNoSecretsBehind) {
  start(spec_of("secret contents"));
  ASSERT_EQ(file("/pods/u1/c/token"), "secret");
  program_->container->stop(30s);
  world_.run_for(1s);
  EXPECT_EQ(file("/pods/u1/c/token"), "");
  EXPECT_EQ(file("/pods/u1/c/hub/kubeconfig"), "");
}

TEST_F(OwnContainers, TellHowTheyEnded) {
  exit_ = 7;
  start(spec_of(""));
  EXPECT_EQ(program_->ended, 7);
}

TEST_F(OwnContainers, RefuseAProgramThatIsNotInTheImage) {
  ContainerSpec spec = spec_of("");
  spec.command = {"/bin/sh"};
  const auto started = program_->runtime.start({}, spec, [](int) {});
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().message, "/bin/sh is not in the image: it has only berth");
}

}  // namespace
}  // namespace berth::local
