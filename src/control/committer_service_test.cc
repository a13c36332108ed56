#include "control/committer_service.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "control/testing/object_server_service.h"

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using json::Value;
using testing::ObjectServer;

const client::Gvr kThings = {.group = "example.dev", .version = "v1", .resource = "things"};
const std::string kPath = "/apis/example.dev/v1/namespaces/team/things";

Value thing(const std::string& name, int number) {
  return Value::object({{"metadata", Value::object({{"name", name}, {"namespace", "team"}})},
                        {"spec", Value::object({{"n", number}})},
                        {"status", Value::object({{"m", number}})}});
}

class CommitterWorld : public ::testing::Test {
 protected:
  CommitterWorld() {
    server_.start_client("writer", [this](env::Env& env, client::Api& api) {
      auto committer = std::make_shared<Committer>(
          env.loop, api, [this] { return may_write_; }, CommitterOptions{.in_flight_max = 2});
      committer_ = committer.get();
      return committer;
    });
    server_.world().run_for(1ms);
  }

  Status commit(std::vector<Change> changes) {
    std::optional<Status> answer;
    committer_->submit(std::move(changes), [&](const Status& status) { answer = status; });
    EXPECT_FALSE(answer) << "answered from inside";
    EXPECT_TRUE(server_.world().run_until([&] { return answer.has_value(); }, 10s));
    return answer.value_or(failure(Code::Timeout, "no answer"));
  }

  ObjectServer server_;
  Committer* committer_ = nullptr;
  bool may_write_ = true;
};

TEST_F(CommitterWorld, WritesTheChangesOfAPlanInOrder) {
  ASSERT_TRUE(commit({{.resource = kThings, .after = thing("a", 1)},
                      {.resource = kThings, .after = thing("b", 2)}})
                  .ok());
  EXPECT_EQ(server_.log(),
            (std::vector<std::string>{"POST " + kPath, "PATCH " + kPath + "/a/status",
                                      "POST " + kPath, "PATCH " + kPath + "/b/status"}));
  EXPECT_EQ(server_.objects().at(kPath + "/b").find_path({"status", "m"})->as_int(), 2);
}

TEST_F(CommitterWorld, SendsNothingForWhatIsAlreadySo) {
  ASSERT_TRUE(commit({{.resource = kThings, .after = thing("a", 1)}}).ok());
  const Value stored = server_.objects().at(kPath + "/a");
  const std::uint64_t writes = committer_->writes();
  std::vector<Change> same(1000, Change{.resource = kThings, .before = stored, .after = stored});
  EXPECT_TRUE(commit(same).ok());
  EXPECT_EQ(committer_->writes(), writes);
}

TEST_F(CommitterWorld, TheFirstErrorEndsAPlan) {
  ASSERT_TRUE(commit({{.resource = kThings, .after = thing("a", 1)}}).ok());
  const Status status = commit({{.resource = kThings, .after = thing("a", 9)},
                                {.resource = kThings, .after = thing("b", 2)}});
  EXPECT_EQ(status.error().code, Code::AlreadyExists);
  EXPECT_FALSE(server_.objects().contains(kPath + "/b"));
}

TEST_F(CommitterWorld, WhoNoLongerLeadsWritesNothing) {
  may_write_ = false;
  EXPECT_FALSE(commit({{.resource = kThings, .after = thing("a", 1)}}).ok());
  EXPECT_TRUE(server_.log().empty());
}

TEST_F(CommitterWorld, ManyChangesAreWrittenAFewAtATime) {
  int done = 0;
  for (int i = 0; i < 50; ++i) {
    committer_->submit({.resource = kThings, .after = thing("x" + std::to_string(i), i)},
                       [&](const Status& status) { done += status.ok() ? 1 : 0; });
  }
  EXPECT_EQ(committer_->in_flight(), 2u);
  EXPECT_EQ(committer_->waiting(), 48u);
  EXPECT_TRUE(server_.world().run_until([&] { return done == 50; }, 60s));
  EXPECT_EQ(server_.objects().size(), 50u);
}

}  // namespace
}  // namespace berth::control
