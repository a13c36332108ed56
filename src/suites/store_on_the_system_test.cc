// The same store on the operating system: real threads, a real disk.

#include <cstdlib>
#include <filesystem>
#include <latch>
#include <memory>
#include <string>
#include <vector>

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "runtime/system.h"
#include "store/durable_store_service.h"
#include "store/testing/drafts.h"

namespace berth::suites {
namespace {

using store::BatchPtr;
using store::DurableStore;
using store::EntryChange;
using store::EntryPtr;
using store::Revision;
using store::Written;

class RealStore : public ::testing::Test {
 protected:
  RealStore() : system_({.loops = 3, .workers = 1, .log = {.level = env::Level::Error}}) {
    directory_ = ::testing::TempDir() + "berth-store-XXXXXX";
    CHECK(::mkdtemp(directory_.data()) != nullptr);
    open();
  }
  ~RealStore() override {
    close();
    std::filesystem::remove_all(directory_);
  }

  void open() {
    runtime::run_on(system_.env(0).loop, [this] {
      auto opened = DurableStore::open(system_.env(0), {.directory = directory_},
                                       [](const Error& why) { FAIL() << why.message; });
      ASSERT_TRUE(opened.ok()) << opened.error().message;
      store_ = std::move(*opened);
    });
  }
  void close() {
    runtime::run_on(system_.env(0).loop, [this] { store_.reset(); });
  }

  runtime::System system_;
  std::string directory_;
  std::unique_ptr<DurableStore> store_;
};

// Writes one after the other, and reads the snapshot after each answer.
class Writer {
 public:
  Writer(DurableStore& store, env::Loop& loop, std::string name, std::latch& done)
      : store_(store), loop_(loop), name_(std::move(name)), done_(done) {
    loop_.post([this] { ask(); });
  }

  std::size_t written() const { return written_; }

 private:
  static constexpr std::size_t kWrites = 200;

  void ask() {
    const std::string name = fmt::format("{}-{}", name_, written_ % 10);
    store_.write({.key = {"things", name}, .draft = store::testing::draft_of(name, "v")}, loop_,
                 [this, name](Result<Written> answer) {
                   ASSERT_TRUE(answer.ok()) << answer.error().message;
                   const EntryPtr found = store_.snapshot()->table("things").find(name);
                   ASSERT_TRUE(found && found->revision == answer->revision);
                   if (++written_ == kWrites) return done_.count_down();
                   ask();
                 });
  }

  DurableStore& store_;
  env::Loop& loop_;
  std::string name_;
  std::latch& done_;
  std::size_t written_ = 0;
};

TEST_F(RealStore, KeepsWhatItHasAnsweredToWritersOnSeveralThreads) {
  constexpr std::size_t kWriters = 8;
  std::vector<Revision> followed;
  store_->follow(system_.env(1).loop, [&](const BatchPtr& batch) {
    for (const EntryChange& change : batch->changes) followed.push_back(change.revision);
  });
  std::latch done(kWriters);
  std::vector<std::unique_ptr<Writer>> writers;
  for (std::size_t i = 0; i < kWriters; ++i) {
    writers.push_back(std::make_unique<Writer>(*store_, system_.env(1 + i % 2).loop,
                                               fmt::format("writer{}", i), done));
  }
  done.wait();
  runtime::run_on(system_.env(1).loop, [] {});
  ASSERT_EQ(followed.size(), 1600u);
  for (std::size_t i = 0; i < followed.size(); ++i) EXPECT_EQ(followed[i], i + 1);
  close();
  open();
  EXPECT_EQ(store_->snapshot()->revision(), 1600u);
  EXPECT_EQ(store_->snapshot()->size(), 80u);
}

TEST_F(RealStore, RefusesASecondOneInTheSameDirectory) {
  runtime::run_on(system_.env(1).loop, [this] {
    const auto second = DurableStore::open(system_.env(1), {.directory = directory_}, {});
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, Code::Conflict);
    EXPECT_EQ(second.error().message,
              "the data directory " + directory_ + " is in use by another process");
  });
}

}  // namespace
}  // namespace berth::suites
