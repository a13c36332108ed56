// Two leaders, one paused past its lease: the end state is the new leader's, and every late write
// of the old one is refused by the server.

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "control/committer_service.h"
#include "control/elector_service.h"
#include "kube/blocking_api.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using json::Value;

const client::Gvr kConfigMaps = {.version = "v1", .resource = "configmaps"};

control::LeaderElectionOptions quick_election(std::string identity) {
  return {.identity = std::move(identity),
          .lease_name = "berth-test",
          .lease_namespace = "default",
          .lease_duration = 2s,
          .renew_deadline = 1s,
          .retry_period = 200ms};
}

class Candidate {
 public:
  Candidate(const Server& server, std::string identity)
      : api_(server.kubeconfig(), {.rate = {.per_second = 0}}) {
    api_.on_loop([&] {
      elector_ = std::make_unique<control::ElectorService>(
          api_.env(), api_.api(), quick_election(identity),
          control::LeadershipCallbacks{.on_started = [] {}, .on_stopped = [] {}});
      // As if the check before a write had passed just before the pause: the server must refuse.
      committer_ =
          std::make_unique<control::Committer>(api_.env().loop, api_.api(), [] { return true; });
      elector_->start();
    });
  }
  ~Candidate() {
    api_.on_loop([&] {
      committer_.reset();
      elector_.reset();
    });
  }

  bool becomes_leader() {
    return api_.eventually([&] { return elector_->leading(); });
  }
  bool may_write() {
    bool may = false;
    api_.on_loop([&] { may = elector_->may_write(); });
    return may;
  }
  void pause() {
    api_.on_loop([&] { elector_.reset(); });  // Renews no more, and does not know better.
  }

  Status commit(control::Change change) {
    return api_.wait<Status>([&](client::Api&, std::function<void(Status)> done) {
      committer_->submit(std::move(change), done);
    });
  }

  BlockingApi& api() { return api_; }

 private:
  BlockingApi api_;
  std::unique_ptr<control::ElectorService> elector_;
  std::unique_ptr<control::Committer> committer_;
};

Value decision(std::string by) {
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "ConfigMap"},
       {"metadata", Value::object({{"name", "decision"}, {"namespace", "default"}})},
       {"data", Value::object({{"by", std::move(by)}})}});
}

TEST(Leaders, TheLateWritesOfAPausedLeaderAreRefused) {
  auto started = Server::start();
  ASSERT_TRUE(started.ok()) << started.error().message;
  const client::ResourcePath path = {.resource = kConfigMaps, .ns = "default", .name = "decision"};

  Candidate old_leader(**started, "old");
  ASSERT_TRUE(old_leader.becomes_leader());
  ASSERT_TRUE(old_leader.commit({.resource = kConfigMaps, .after = decision("old, first")}).ok());
  const Value seen_by_old = old_leader.api().get(path).value();

  Candidate new_leader(**started, "new");
  EXPECT_FALSE(new_leader.may_write());
  old_leader.pause();
  ASSERT_TRUE(new_leader.becomes_leader());
  Value wanted = new_leader.api().get(path).value();
  const Value before = wanted;
  wanted["data"]["by"] = "new";
  ASSERT_TRUE(new_leader.commit({.resource = kConfigMaps, .before = before, .after = wanted}).ok());

  // The old one wakes up with plans made on what it had seen: an update, a creation, a deletion.
  Value late = seen_by_old;
  late["data"]["by"] = "old, late";
  const Status update =
      old_leader.commit({.resource = kConfigMaps, .before = seen_by_old, .after = late});
  EXPECT_EQ(update.error().code, Code::Conflict);
  const Status creation =
      old_leader.commit({.resource = kConfigMaps, .after = decision("old, late")});
  EXPECT_EQ(creation.error().code, Code::AlreadyExists);
  const Status deletion = old_leader.commit({.resource = kConfigMaps, .before = seen_by_old});
  EXPECT_EQ(deletion.error().code, Code::Conflict);
  EXPECT_EQ(new_leader.api().get(path)->find_path({"data", "by"})->string_or_empty(), "new");
}

}  // namespace
}  // namespace berth::kube
