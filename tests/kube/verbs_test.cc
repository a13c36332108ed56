// Every verb of the client on a real server, with what the server really answers.

#include <gtest/gtest.h>

#include "client/discovery_service.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using client::ResourcePath;
using json::Value;

const client::Gvr kConfigMaps = {.version = "v1", .resource = "configmaps"};
const client::Gvr kNodes = {.version = "v1", .resource = "nodes"};
const client::Gvr kDeployments = {.group = "apps", .version = "v1", .resource = "deployments"};

ResourcePath config_map(std::string name = "") {
  return {.resource = kConfigMaps, .ns = "default", .name = std::move(name)};
}

Value config_map_with(std::string name, std::string text) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "ConfigMap"},
       {"metadata", Value::object({{"name", name}, {"labels", Value::object({{"of", "verbs"}})}})},
       {"data", Value::object({{"text", text}})}});
}

std::string_view text_of(const Value& object) {
  const Value* text = object.find_path({"data", "text"});
  return text ? text->string_or_empty() : "";
}

class Verbs : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto started = Server::start();
    ASSERT_TRUE(started.ok()) << started.error().message;
    server_ = std::move(*started);
  }
  static void TearDownTestSuite() { server_.reset(); }

  static std::unique_ptr<Server> server_;
  BlockingApi api_{server_->kubeconfig(), {.rate = {.per_second = 0}}};
};
std::unique_ptr<Server> Verbs::server_;

// On HTTP/2, where the answer comes while the client still sends.
TEST_F(Verbs, BodiesBeyondTheLimitAreRefusedAndTheConnectionGoesOn) {
  const auto large = api_.create(config_map(), config_map_with("large", std::string(4 << 20, 'x')));
  ASSERT_FALSE(large.ok());
  EXPECT_EQ(large.error().code, Code::RequestEntityTooLarge);
  EXPECT_TRUE(large.error().message.ends_with("limit is 3145728")) << large.error().message;
  EXPECT_TRUE(api_.list(config_map()).ok());
}

TEST_F(Verbs, CreateGetUpdateDelete) {
  const auto created = api_.create(config_map(), config_map_with("life", "one"));
  ASSERT_TRUE(created.ok()) << created.error().message;
  Value changed = api_.get(config_map("life")).value();
  EXPECT_EQ(text_of(changed), "one");
  changed["data"]["text"] = "two";
  const auto updated = api_.update(config_map("life"), changed);
  ASSERT_TRUE(updated.ok()) << updated.error().message;

  const auto stale = api_.update(config_map("life"), *created);
  EXPECT_EQ(stale.error().code, Code::Conflict);
  const auto twice = api_.create(config_map(), config_map_with("life", "three"));
  EXPECT_EQ(twice.error().code, Code::AlreadyExists);

  EXPECT_TRUE(api_.remove(config_map("life")).ok());
  EXPECT_EQ(api_.get(config_map("life")).error().code, Code::NotFound);
  EXPECT_EQ(api_.remove(config_map("life")).error().code, Code::NotFound);
}

TEST_F(Verbs, TheFourPatches) {
  ASSERT_TRUE(api_.create(config_map(), config_map_with("patched", "zero")).ok());
  using client::PatchType;
  const auto merged = api_.patch(config_map("patched"),
                                 Value::object({{"data", Value::object({{"text", "merge"}})}}),
                                 {.type = PatchType::Merge});
  EXPECT_EQ(text_of(merged.value()), "merge");
  const auto strategic = api_.patch(
      config_map("patched"), Value::object({{"data", Value::object({{"text", "strategic"}})}}),
      {.type = PatchType::Strategic});
  EXPECT_EQ(text_of(strategic.value()), "strategic");
  const Value operation =
      Value::object({{"op", "replace"}, {"path", "/data/text"}, {"value", "json"}});
  const auto json_patched =
      api_.patch(config_map("patched"), Value::array({operation}), {.type = PatchType::Json});
  EXPECT_EQ(text_of(json_patched.value()), "json");

  client::PatchOptions apply = {.type = PatchType::Apply, .write = {.field_manager = "one"}};
  const auto refused =
      api_.patch(config_map("patched"), config_map_with("patched", "apply"), apply);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, Code::Conflict);
  EXPECT_FALSE(refused.error().causes.empty());
  apply.conflicts = client::ApplyConflicts::TakeOver;
  const auto applied =
      api_.patch(config_map("patched"), config_map_with("patched", "apply"), apply);
  EXPECT_EQ(text_of(applied.value()), "apply");
}

TEST_F(Verbs, ADryRunChangesNothing) {
  ASSERT_TRUE(
      api_.create(config_map(), config_map_with("dry", "x"), {.dry_run = client::DryRun::Yes})
          .ok());
  EXPECT_EQ(api_.get(config_map("dry")).error().code, Code::NotFound);
}

TEST_F(Verbs, APreconditionProtectsAnObjectFromTheWrongDelete) {
  ASSERT_TRUE(api_.create(config_map(), config_map_with("precious", "x")).ok());
  EXPECT_EQ(api_.remove(config_map("precious"), {.uid = "some-other-object"}).error().code,
            Code::Conflict);
  EXPECT_TRUE(api_.get(config_map("precious")).ok());
}

TEST_F(Verbs, ListsInPagesAndBySelector) {
  for (int i = 0; i < 25; ++i) {
    ASSERT_TRUE(api_.create(config_map(), config_map_with("page-" + std::to_string(i), "x")).ok());
  }
  const auto page = api_.list(config_map(), {.selection = {.labels = "of=verbs"}, .limit = 10});
  EXPECT_EQ(page->find("items")->size(), 10u);
  EXPECT_FALSE(page->find_path({"metadata", "continue"})->string_or_empty().empty());
  const auto none = api_.list(config_map(), {.selection = {.labels = "of=nothing"}});
  EXPECT_EQ(none->find("items")->size(), 0u);
  const auto one = api_.list(config_map(), {.selection = {.fields = "metadata.name=page-7"}});
  EXPECT_EQ(one->find("items")->size(), 1u);
  EXPECT_GE(api_.list_all(config_map())->items.size(), 25u);
}

TEST_F(Verbs, ErrorsCarryReasonAndCauses) {
  Value wrong = config_map_with("Not A Name", "x");
  const auto invalid = api_.create(config_map(), wrong);
  ASSERT_FALSE(invalid.ok());
  EXPECT_EQ(invalid.error().code, Code::Invalid);
  ASSERT_FALSE(invalid.error().causes.empty());
  EXPECT_EQ(invalid.error().causes[0].field, "metadata.name");

  Value unknown = config_map_with("strict", "x");
  unknown["dats"] = 1;
  const auto strict =
      api_.create(config_map(), unknown, {.field_validation = client::FieldValidation::Strict});
  EXPECT_EQ(strict.error().code, Code::BadRequest);
  EXPECT_NE(strict.error().message.find("dats"), std::string::npos);
}

TEST_F(Verbs, TheStatusIsWrittenThroughItsSubresourceOnly) {
  const Value status =
      Value::object({{"status", Value::object({{"capacity", Value::object({{"cpu", "4"}})}})}});
  ASSERT_TRUE(api_.create({.resource = kNodes},
                          Value::object({{"metadata", Value::object({{"name", "n1"}})}}))
                  .ok());
  const auto ignored = api_.patch({.resource = kNodes, .name = "n1"}, status, {});
  ASSERT_TRUE(ignored.ok()) << ignored.error().message;
  EXPECT_EQ(ignored->find_path({"status", "capacity"}), nullptr);
  const auto written =
      api_.patch({.resource = kNodes, .name = "n1", .subresource = "status"}, status, {});
  ASSERT_TRUE(written.ok()) << written.error().message;
  EXPECT_EQ(written->find_path({"status", "capacity", "cpu"})->string_or_empty(), "4");
}

TEST_F(Verbs, AUserWithoutRightsIsTold) {
  const auto path = server_->kubeconfig_for({.name = "guest", .group = "guests"});
  BlockingApi guest(path.value());
  const auto refused = guest.get(config_map("anything"));
  EXPECT_EQ(refused.error().code, Code::Forbidden);
  EXPECT_NE(refused.error().message.find("guest"), std::string::npos);
}

TEST_F(Verbs, DiscoveryFindsKindsByEveryName) {
  using Found = Result<client::ResourceInfo>;
  std::unique_ptr<client::DiscoveryService> discovery;
  api_.on_loop([&] {
    discovery = std::make_unique<client::DiscoveryService>(api_.api(), api_.env().clock);
  });
  for (const std::string name :
       {"deploy", "deployments", "deployment", "deployments.apps", "deployments.v1.apps"}) {
    const Found found = api_.wait<Found>(
        [&](client::Api&, std::function<void(Found)> done) { discovery->resolve(name, done); });
    ASSERT_TRUE(found.ok()) << name << ": " << found.error().message;
    EXPECT_EQ(found->gvr, kDeployments) << name;
  }
  const Found missing = api_.wait<Found>([&](client::Api&, std::function<void(Found)> done) {
    discovery->resolve("spaceships", done);
  });
  EXPECT_FALSE(missing.ok());
  api_.on_loop([&] { discovery.reset(); });
}

}  // namespace
}  // namespace berth::kube
