// The store on a disk that fails at every place where it can: what was answered stays, the rest is
// there whole and in order or not at all.

#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "sim/world.h"
#include "store/durable_store_service.h"
#include "store/testing/drafts.h"

namespace berth::store {
namespace {

using namespace std::chrono_literals;
using testing::draft_of;
using testing::value_of;

constexpr std::size_t kWrites = 24;
constexpr std::size_t kTogether = 3;

using State = std::map<std::string, std::string>;

// The i-th write of the workload gets revision i + 1.
EntryWrite write_number(std::size_t i) {
  const std::string name = fmt::format("n{}", i % 5);
  if (i % 7 == 6) return {.key = {"t", fmt::format("n{}", (i - 1) % 5)}};
  return {.key = {"t", name},
          .draft = draft_of(name, fmt::format("{}-{}", i, std::string(900, 'x')))};
}

std::vector<State> states() {
  std::vector<State> all = {{}};
  for (std::size_t i = 0; i < kWrites; ++i) {
    State next = all.back();
    const EntryWrite write = write_number(i);
    if (write.draft) {
      next[write.key.name] = fmt::format("{}-{}", i, std::string(900, 'x'));
    } else {
      next.erase(write.key.name);
    }
    all.push_back(next);
  }
  return all;
}

// Small numbers, so that the workload meets compactions and checkpoints.
StoreOptions small_options() {
  StoreOptions options = {.directory = "/data"};
  options.history.changes_max = 6;
  options.compaction_changes = 4;
  options.checkpoint_pages = 16;
  return options;
}

class Trial {
 public:
  Trial(std::uint64_t seed, sim::Unsynced fate)
      : world_({.seed = seed, .log_level = env::Level::Error}),
        node_(world_.add_node("hub", {.loops = 2})) {
    node_.disk().options.unsynced = fate;
    node_.start([this](std::span<env::Env> loops) { return start(loops); });
  }

  sim::MachineDisk& disk() { return node_.disk(); }
  sim::Node& node() { return node_; }
  bool is_open() const { return store_ != nullptr; }
  bool is_done() const { return answered_ == kWrites; }
  const std::string& open_error() const { return open_error_; }

  // Until all is answered, or nothing can happen any more.
  void run() {
    world_.run_until([this] { return is_done(); }, 20s);
  }

  void restart(sim::Crash kind) {
    if (node_.is_running()) node_.crash(kind);
    node_.disk().on_operation = nullptr;
    started_ = false;
    node_.restart();
    world_.run_until([this] { return started_; }, 1s);
  }

  // What the store has is some first part of what was written, with all that was answered.
  void check() {
    ASSERT_TRUE(is_open()) << open_error_;
    const SnapshotPtr snapshot = store_->snapshot();
    ASSERT_GE(snapshot->revision(), answered_most_);
    ASSERT_LE(snapshot->revision(), asked_most_);
    State found;
    snapshot->table("t").visit("", [&](std::string_view name, const EntryPtr& entry) {
      found.emplace(name, value_of(*entry));
      return true;
    });
    static const std::vector<State> kStates = states();
    ASSERT_EQ(found, kStates[snapshot->revision()]);
  }

 private:
  std::shared_ptr<void> start(std::span<env::Env> loops) {
    started_ = true;
    store_ = nullptr;
    loop_ = &loops[1].loop;
    clock_ = &loops[1].clock;
    auto opened = DurableStore::open(loops[0], small_options(), [](const Error&) {});
    if (!opened.ok()) {
      open_error_ = opened.error().message;
      return nullptr;
    }
    std::shared_ptr<DurableStore> store = std::move(*opened);
    store_ = store.get();
    answered_ = store_->snapshot()->revision();
    answered_most_ = std::max(answered_most_, answered_);  // It was served: it must stay.
    loop_->post([this] { ask(); });
    return store;
  }

  void ask() {
    const std::size_t end = std::min(kWrites, answered_ + kTogether);
    for (std::size_t i = answered_; i < end; ++i) {
      asked_most_ = std::max<Revision>(asked_most_, i + 1);
      store_->write(write_number(i), *loop_, [this, i, end](Result<Written> written) {
        if (!written.ok()) return on_error(written.error());
        EXPECT_EQ(written->revision, i + 1);
        answered_ = i + 1;
        answered_most_ = std::max<Revision>(answered_most_, answered_);
        if (answered_ == end && !is_done()) ask();
      });
    }
  }

  // The three were in one transaction: all of them are refused.
  void on_error(const Error& error) {
    EXPECT_TRUE(error.code == Code::ServiceUnavailable || error.code == Code::InternalError);
    if (error.code == Code::InternalError) return;
    again_ = env::after(*loop_, *clock_, 1s, [this] { ask(); });
  }

  sim::World world_;
  sim::Node& node_;
  DurableStore* store_ = nullptr;
  env::Loop* loop_ = nullptr;
  env::Clock* clock_ = nullptr;
  std::string open_error_;
  bool started_ = false;
  std::size_t answered_ = 0;  // In this life.
  Revision answered_most_ = 0;
  Revision asked_most_ = 0;
  env::Timer again_;
};

std::uint64_t operations_of_a_good_run() {
  Trial trial(1, sim::Unsynced::Lost);
  trial.run();
  EXPECT_TRUE(trial.is_done());
  trial.check();
  return trial.disk().operations();
}

class PowerCut : public ::testing::TestWithParam<sim::Unsynced> {};

TEST_P(PowerCut, AtAnyOperationLosesNothingThatWasAnswered) {
  const std::uint64_t operations = operations_of_a_good_run();
  for (std::uint64_t cut = 1; cut <= operations; ++cut) {
    SCOPED_TRACE(fmt::format("cut at operation {}", cut));
    Trial trial(cut, GetParam());
    trial.disk().on_operation = [&](std::uint64_t number, sim::DiskAct) -> std::optional<Error> {
      if (number != cut) return std::nullopt;
      trial.node().crash(sim::Crash::Power);
      return std::nullopt;
    };
    trial.run();
    trial.restart(sim::Crash::Power);
    trial.check();
    trial.run();
    EXPECT_TRUE(trial.is_done());
    trial.restart(sim::Crash::Power);
    trial.check();
    if (HasFatalFailure()) return;
  }
  std::printf("%lu places\n", operations);
}

INSTANTIATE_TEST_SUITE_P(Fates, PowerCut,
                         ::testing::Values(sim::Unsynced::Lost, sim::Unsynced::Kept,
                                           sim::Unsynced::Torn));

struct Trouble {
  Code code;
  bool lasts;
};

class DiskError : public ::testing::TestWithParam<Trouble> {};

TEST_P(DiskError, AtAnyOperationLosesNothingThatWasAnswered) {
  const std::uint64_t operations = operations_of_a_good_run();
  for (std::uint64_t bad = 1; bad <= operations; ++bad) {
    SCOPED_TRACE(fmt::format("error at operation {}", bad));
    Trial trial(bad, sim::Unsynced::Torn);
    trial.disk().on_operation = [&](std::uint64_t number,
                                    sim::DiskAct act) -> std::optional<Error> {
      if (number < bad || (number > bad && !GetParam().lasts)) return std::nullopt;
      const bool space = act == sim::DiskAct::Write || act == sim::DiskAct::Name;
      if (GetParam().code == Code::ServiceUnavailable && !space) return std::nullopt;
      return Error{.code = act == sim::DiskAct::Read ? Code::StoreReadError : GetParam().code,
                   .message = "planted"};
    };
    trial.run();
    // The process ends, and what the disk never got is still in the cache.
    trial.restart(sim::Crash::Process);
    trial.check();
    trial.restart(sim::Crash::Power);
    trial.check();
    trial.run();
    EXPECT_TRUE(trial.is_done());
    trial.restart(sim::Crash::Power);
    trial.check();
    if (HasFatalFailure()) return;
  }
}

INSTANTIATE_TEST_SUITE_P(Kinds, DiskError,
                         ::testing::Values(Trouble{Code::InternalError, false},
                                           Trouble{Code::InternalError, true},
                                           Trouble{Code::ServiceUnavailable, false},
                                           Trouble{Code::ServiceUnavailable, true}));

}  // namespace
}  // namespace berth::store
