#include "fleet/work/executor_controller.h"

#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "client/testing/model_server_service.h"
#include "json/parse.h"
#include "sim/world.h"

namespace berth::fleet {
namespace {

using namespace std::chrono_literals;
using api::field;
using api::text_field;
using client::testing::ModelAnswer;
using client::testing::ModelRequest;
using client::testing::ModelServer;
using client::testing::ModelServerOptions;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

const ResourceMeta kMap{
    .version = "v1", .kind = "ConfigMap", .resource = "configmaps", .ns = "app", .name = "c"};
const ResourceMeta kRole{.group = "rbac.authorization.k8s.io",
                         .version = "v1",
                         .kind = "Role",
                         .resource = "roles",
                         .ns = "app",
                         .name = "r"};

class Executing : public ::testing::Test {
 protected:
  struct Client {
    explicit Client(const env::Env& env)
        : api(env, client::testing::model_config("http"), {}), checks(env, api) {}

    client::Api api;
    ExecutorChecks checks;
  };

  void SetUp() override {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::make_shared<ModelServer>(
          loops[0], store_, ModelServerOptions{.answer = [this](const ModelRequest& request) {
            return std::optional(answer(request));
          }});
    });
    world_.add_node("client").start([this](std::span<env::Env> loops) {
      auto client = std::make_shared<Client>(loops[0]);
      checks_ = &client->checks;
      return client;
    });
    world_.run_for(1us);
  }

  ModelAnswer answer(const ModelRequest& request) {
    if (!request.path.ends_with("/subjectaccessreviews")) {
      asked_.push_back("POST " + request.path + " " + request.query);
      return {.status = role_answer_, .document = role_body_};
    }
    json::Value review = json::parse(request.body).value();
    const std::string verb = text_field(field(field(review, "spec"), "resourceAttributes"), "verb");
    asked_.push_back(verb);
    review["status"] = json::Value::object({{"allowed", !denied_.contains(verb)}});
    return {.status = 201, .document = review};
  }

  Status ask(const ResourceMeta& meta, bool owned = true, std::string type = "ServiceAccount") {
    std::optional<Status> answer;
    checks_->ask({.executor = {.type = std::move(type),
                               .account = Executor::ServiceAccount{.ns = "app", .name = "bot"}},
                  .meta = meta,
                  .owned = owned,
                  .object = json::parse(R"({"metadata":{"name":"r"}})").value()},
                 [&](const Status& status) { answer = status; });
    world_.run_until([&] { return answer.has_value(); }, 1min);
    return answer.value();
  }

  void answer_roles(int status, std::string_view reason) {
    role_answer_ = status;
    role_body_ = json::Value::object({{"kind", "Status"},
                                      {"apiVersion", "v1"},
                                      {"status", "Failure"},
                                      {"reason", reason},
                                      {"message", "no"},
                                      {"code", status}});
  }

  sim::World world_{{}};
  client::testing::ModelStore store_;
  ExecutorChecks* checks_ = nullptr;
  std::set<std::string> denied_;
  std::vector<std::string> asked_;
  int role_answer_ = 201;
  json::Value role_body_ = json::Value::object();
};

TEST_F(Executing, EveryVerbIsAskedFor) {
  EXPECT_TRUE(ask(kMap).ok());
  EXPECT_THAT(asked_, ElementsAre("create", "update", "patch", "get", "delete"));
}

TEST_F(Executing, OneRightThatIsMissingIsEnough) {
  denied_ = {"delete"};
  const Status refused = ask(kMap);
  ASSERT_FALSE(refused.ok());
  EXPECT_TRUE(client::is_forbidden(refused.error()));
  EXPECT_TRUE(ask(kMap, false).ok()) << "what it does not own it need not delete";
}

TEST_F(Executing, RolesAreTriedAsTheAccountItself) {
  EXPECT_TRUE(ask(kRole).ok());
  EXPECT_THAT(asked_.back(), HasSubstr("/namespaces/app/roles dryRun=All"));
  answer_roles(409, "AlreadyExists");
  EXPECT_TRUE(ask(kRole).ok());
  answer_roles(403, "Forbidden");
  EXPECT_THAT(ask(kRole).error().message, HasSubstr("permission escalation"));
  answer_roles(422, "Invalid");
  EXPECT_TRUE(client::is_invalid(ask(kRole).error()));
}

TEST_F(Executing, OnlyServiceAccountsAreKnown) {
  EXPECT_EQ(ask(kMap, true, "User").error().message,
            "only support ServiceAccount type for the executor");
}

}  // namespace
}  // namespace berth::fleet
