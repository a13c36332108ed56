#include "control/leader_election.h"

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::control {
namespace {

using namespace std::chrono_literals;
using json::Value;

LeaderElectionOptions options_of(std::string identity) {
  return {.identity = std::move(identity), .lease_name = "berth", .lease_namespace = "kube-system"};
}

Moment at(Duration since_start) {
  return {.monotonic = Instant(since_start), .wall = Time(since_start)};
}

// The one Lease of a server that checks resourceVersions.
class LeaseServer {
 public:
  Result<Value> get() const {
    if (!lease_) return failure(Code::NotFound, "no lease");
    return *lease_;
  }

  Result<Value> create(Value lease) {
    if (lease_) return failure(Code::AlreadyExists, "exists");
    return store(std::move(lease));
  }

  Result<Value> update(Value lease) {
    if (!lease_) return failure(Code::NotFound, "no lease");
    const Value* sent = lease.find_path({"metadata", "resourceVersion"});
    if (!sent || *sent != *lease_->find_path({"metadata", "resourceVersion"})) {
      ++conflicts_;
      return failure(Code::Conflict, "changed");
    }
    return store(std::move(lease));
  }

  std::string_view text(std::string_view field) const {
    return lease_->find_path({"spec", field})->string_or_empty();
  }
  std::int64_t transitions() const {
    return lease_->find_path({"spec", "leaseTransitions"})->as_int().value_or(-1);
  }
  int conflicts() const { return conflicts_; }

 private:
  Result<Value> store(Value lease) {
    lease["metadata"]["resourceVersion"] = std::to_string(++version_);
    lease_ = lease;
    return lease;
  }

  std::optional<Value> lease_;
  int version_ = 0;
  int conflicts_ = 0;
};

// An elector that talks to the server without delay.
class Candidate {
 public:
  explicit Candidate(std::string name, LeaseServer& server)
      : elector_(options_of(std::move(name)), Random(1)),
        server_(server),
        step_(elector_.start()) {}

  // Does everything that is due at `now`; at most a few exchanges follow each other.
  void run(Moment now) {
    for (int i = 0; i < 5 && exchange(now); ++i) {
    }
  }

  LeaderElector& elector() { return elector_; }
  void fail_writes() { writes_fail_ = true; }

 private:
  bool exchange(Moment now) {
    if (const auto* wait = std::get_if<LeaderElector::Wait>(&step_)) {
      if (wait->until > now.monotonic) return false;
      step_ = elector_.on_time(now);
    } else if (std::holds_alternative<LeaderElector::Get>(step_)) {
      step_ = elector_.on_read(server_.get(), now);
    } else if (writes_fail_) {
      step_ = elector_.on_written(failure(Code::ServiceUnavailable, "down"), now);
    } else if (auto* create = std::get_if<LeaderElector::Create>(&step_)) {
      step_ = elector_.on_written(server_.create(create->lease), now);
    } else {
      step_ =
          elector_.on_written(server_.update(std::get<LeaderElector::Update>(step_).lease), now);
    }
    return true;
  }

  LeaderElector elector_;
  LeaseServer& server_;
  LeaderElector::Step step_;
  bool writes_fail_ = false;
};

TEST(LeaderElection, TheFirstCreatesTheLeaseAndLeads) {
  LeaseServer server;
  Candidate first("a_1", server);
  first.run(at(0s));
  EXPECT_TRUE(first.elector().leading());
  EXPECT_TRUE(first.elector().may_write(Instant(9s)));
  EXPECT_EQ(server.text("holderIdentity"), "a_1");
  EXPECT_EQ(server.text("acquireTime"), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(server.transitions(), 0);
}

TEST(LeaderElection, ARenewalKeepsTheTimeOfAcquisition) {
  LeaseServer server;
  Candidate first("a_1", server);
  for (int second = 0; second < 60; ++second) first.run(at(std::chrono::seconds(second)));
  EXPECT_TRUE(first.elector().may_write(Instant(60s)));
  EXPECT_EQ(server.text("acquireTime"), "1970-01-01T00:00:00.000000Z");
  EXPECT_EQ(server.text("renewTime"), "1970-01-01T00:00:58.000000Z");
  EXPECT_EQ(server.transitions(), 0);
}

TEST(LeaderElection, AnotherTakesOverOnlyAfterWatchingTheLeaseStandStill) {
  LeaseServer server;
  Candidate first("a_1", server);
  Candidate second("b_2", server);
  first.run(at(0s));
  Duration took_over = 0s;
  for (Duration now = 1s; now < 60s && took_over == 0s; now += 100ms) {
    second.run(at(now));
    if (second.elector().leading()) took_over = now;
  }
  EXPECT_GE(took_over, 16s);  // First seen at 1s, then 15s without a change.
  EXPECT_LT(took_over, 16s + 4500ms);
  EXPECT_FALSE(first.elector().may_write(Instant(took_over)));
  EXPECT_EQ(server.transitions(), 1);
}

TEST(LeaderElection, APausedLeaderMayNotWriteAndItsStaleRenewalIsRefused) {
  LeaseServer server;
  Candidate paused("a_1", server);
  Candidate other("b_2", server);
  paused.run(at(0s));
  for (Duration now = 0s; now < 30s; now += 1s) other.run(at(now));
  ASSERT_TRUE(other.elector().leading());
  EXPECT_FALSE(paused.elector().may_write(Instant(30s)));
  paused.run(at(30s));
  EXPECT_FALSE(paused.elector().leading());
  EXPECT_EQ(server.text("holderIdentity"), "b_2");
}

TEST(LeaderElection, ALeaderThatCannotRenewStepsDownAtItsDeadline) {
  LeaseServer server;
  Candidate first("a_1", server);
  first.run(at(0s));
  first.fail_writes();
  for (Duration now = 0s; now <= 9900ms; now += 100ms) {
    first.run(at(now));
    EXPECT_TRUE(first.elector().leading());
  }
  EXPECT_FALSE(first.elector().may_write(Instant(10s)));
  first.run(at(10s));
  EXPECT_FALSE(first.elector().leading());
}

TEST(LeaderElection, LeadershipEndsAtItsDeadlineEvenWhileARenewalIsUnanswered) {
  LeaseServer server;
  Candidate first("a_1", server);
  first.run(at(3s));
  EXPECT_EQ(first.elector().leads_until(), Instant(13s));
  first.elector().on_deadline(Instant(12s));
  EXPECT_TRUE(first.elector().leading());
  first.elector().on_deadline(Instant(13s));
  EXPECT_FALSE(first.elector().leading());
}

TEST(LeaderElection, ReleaseLetsTheNextOneStartAtOnce) {
  LeaseServer server;
  Candidate first("a_1", server);
  Candidate second("b_2", server);
  first.run(at(0s));
  const auto released = first.elector().release(at(3s));
  ASSERT_TRUE(released);
  ASSERT_TRUE(server.update(released->lease).ok());
  EXPECT_FALSE(first.elector().may_write(Instant(3s)));
  second.run(at(4s));
  EXPECT_TRUE(second.elector().leading());
}

TEST(LeaderElection, ALeaseIsReleasedForAsLongAsItIsOurs) {
  LeaseServer server;
  Candidate first("a_1", server);
  Candidate second("b_2", server);
  first.run(at(0s));
  second.run(at(1s));
  EXPECT_FALSE(second.elector().release(at(2s)));
  first.elector().on_deadline(Instant(10s));
  ASSERT_FALSE(first.elector().leading());
  EXPECT_TRUE(first.elector().release(at(11s))) << "it leads no longer, but the others wait for it";
}

TEST(LeaderElection, UnknownFieldsOfTheLeaseSurvive) {
  LeaseServer server;
  Value lease =
      Value::object({{"metadata", Value::object({{"name", "berth"}})},
                     {"spec", Value::object({{"holderIdentity", ""}, {"strategy", "x"}})}});
  ASSERT_TRUE(server.create(lease).ok());
  Candidate first("a_1", server);
  first.run(at(0s));
  EXPECT_EQ(server.text("strategy"), "x");
  EXPECT_EQ(server.text("holderIdentity"), "a_1");
}

TEST(LeaderElection, OptionsThatCannotWorkAreRefused) {
  const auto message = [](auto change) {
    LeaderElectionOptions options = options_of("a");
    change(options);
    const Status status = check_leader_election_options(options);
    return status.ok() ? "" : status.error().message;
  };
  EXPECT_EQ(message([](auto&) {}), "");
  EXPECT_NE(message([](auto& o) { o.identity = ""; }), "");
  EXPECT_NE(message([](auto& o) { o.renew_deadline = o.lease_duration; }), "");
  EXPECT_NE(message([](auto& o) { o.retry_period = 9s; }), "");
  EXPECT_NE(message([](auto& o) { o.retry_period = 0s; }), "");
}

// Two candidates, each paused and cut off at random: at no moment may both write.
RC_GTEST_PROP(LeaderElectionProperty, NeverTwoWriters,
              (const std::vector<std::uint8_t>& schedule)) {
  LeaseServer server;
  Candidate a("a_1", server);
  Candidate b("b_2", server);
  Duration now = 0s;
  for (const std::uint8_t turn : schedule) {
    now += std::chrono::milliseconds(250) * (turn >> 2);
    if (turn & 1) a.run(at(now));
    if (turn & 2) b.run(at(now));
    RC_ASSERT(!(a.elector().may_write(Instant(now)) && b.elector().may_write(Instant(now))));
  }
}

}  // namespace
}  // namespace berth::control
