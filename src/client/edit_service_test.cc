#include "client/edit_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "client/testing/model_server_service.h"
#include "json/parse.h"
#include "sim/world.h"

namespace berth::client {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::ModelAnswer;
using testing::ModelRequest;

// A server with one object, which a rival changes after each of the next reads.
class EditTest : public ::testing::Test {
 protected:
  Result<Value> edit(ChangeFunction change) {
    world_.add_node("server").start([this](std::span<env::Env> loops) {
      return std::make_shared<testing::ModelServer>(
          loops[0], unused_,
          testing::ModelServerOptions{
              .answer = [this](const ModelRequest& request) { return answer(request); }});
    });
    Result<Value> outcome = failure(Code::Unknown, "no answer");
    world_.add_node("client").start([&](std::span<env::Env> loops) {
      auto api = std::make_shared<Api>(loops[0], testing::model_config("http"), ApiOptions{});
      client::edit(*api,
                   {.path = {.resource = {.version = "v1", .resource = "things"},
                             .name = "one",
                             .subresource = "approval"},
                    .change = std::move(change)},
                   [&](Result<Value> result) { outcome = std::move(result); });
      return api;
    });
    world_.run_for(1min);
    return outcome;
  }

  ModelAnswer answer(const ModelRequest& request) {
    if (request.method == http::Method::Get) {
      EXPECT_EQ(request.path, "/api/v1/things/one");
      const ModelAnswer read{.document = object()};
      if (rivals_ > 0 && rivals_-- > 0) ++version_;
      return read;
    }
    EXPECT_EQ(request.path, "/api/v1/things/one/approval");
    const Value sent = json::parse(request.body).value();
    if (*sent.find("metadata") != *object().find("metadata")) return {.status = 409};
    written_.push_back(std::string(sent.find("text")->string_or_empty()));
    ++version_;
    return {.document = sent};
  }

  Value object() const {
    return Value::object({{"metadata", Value::object({{"resourceVersion", version_}})}});
  }

  sim::World world_{{}};
  testing::ModelStore unused_;
  int version_ = 1;
  int rivals_ = 0;
  std::vector<std::string> written_;
};

Result<std::optional<Value>> say_done(const Value& object) {
  Value changed = object;
  changed["text"] = "done";
  return std::optional(changed);
}

TEST_F(EditTest, ChangesWhatIsThere) {
  const auto result = edit(&say_done);
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(written_, std::vector<std::string>{"done"});
}

TEST_F(EditTest, ReadsAgainWhenSomebodyElseWasFaster) {
  rivals_ = 3;
  std::vector<Value> seen;
  const auto result = edit([&](const Value& object) {
    seen.push_back(object);
    return say_done(object);
  });
  ASSERT_TRUE(result.ok()) << result.error().message;
  EXPECT_EQ(seen.size(), 4u);
  EXPECT_NE(seen.front(), seen.back());
  EXPECT_EQ(written_.size(), 1u);
}

TEST_F(EditTest, GivesUpWhenSomebodyElseIsAlwaysFaster) {
  rivals_ = 100;
  EXPECT_EQ(edit(&say_done).error().code, Code::Conflict);
  EXPECT_EQ(rivals_, 95);
}

TEST_F(EditTest, WritesNothingThatIsSoAlready) {
  const auto keep = [](const Value&) -> Result<std::optional<Value>> { return std::nullopt; };
  EXPECT_TRUE(edit(keep).ok());
  EXPECT_TRUE(written_.empty());
}

TEST_F(EditTest, EndsWhenItCannotBeChanged) {
  const auto refuse = [](const Value&) -> Result<std::optional<Value>> {
    return failure(Code::Invalid, "it is another one");
  };
  EXPECT_EQ(edit(refuse).error().message, "it is another one");
  EXPECT_TRUE(written_.empty());
}

}  // namespace
}  // namespace berth::client
