#include "suites/store_workload.h"

#include <optional>
#include <span>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "sim/world.h"
#include "store/durable_store_service.h"
#include "suites/lying_disk.h"

namespace berth::suites {
namespace {

constexpr std::size_t kWriters = 3;
constexpr std::size_t kWritesEach = 80;
constexpr Duration kPause = std::chrono::milliseconds(80);
constexpr Duration kRetryAfter = std::chrono::milliseconds(200);
constexpr const char* kTable = "things";

// Small numbers, so that compactions and checkpoints happen all the time.
store::StoreOptions small_options() {
  store::StoreOptions options = {.directory = "/data"};
  options.history.changes_max = 30;
  options.history.age = std::chrono::seconds(5);
  options.compaction_changes = 8;
  options.checkpoint_pages = 24;
  options.waiting.items_max = 4;
  return options;
}

// What a compaction must not do: the row goes, and with it the knowledge of its revision.
Status lose_newest_row(env::Disk& disk, const std::string& directory) {
  ASSIGN_OR_RETURN(auto held, store::DataDirectory::hold(disk, directory));
  ASSIGN_OR_RETURN(auto log, held.open_log());
  ASSIGN_OR_RETURN(const store::Loaded loaded, log->load());
  if (loaded.recent.empty()) return {};
  return log->compact({.rows = {loaded.snapshot->revision()}, .base = loaded.base});
}

store::BatchPtr without_one_change(const store::BatchPtr& batch) {
  if (batch->changes.size() < 2) return batch;
  store::Batch other = *batch;
  other.changes.erase(other.changes.begin() + 1);
  return std::make_shared<const store::Batch>(std::move(other));
}

}  // namespace

// Writes one thing after the other, each on top of what it has read.
class StoreWorkload::Writer {
 public:
  Writer(StoreWorkload& workload, std::size_t number, env::Env& env, store::Store& store)
      : workload_(workload), number_(number), env_(env), store_(store) {
    ask_after(Duration::zero());
  }

 private:
  void ask_after(Duration length) {
    timer_ = env::after(env_.loop, env_.clock, length, [this] { ask(); });
  }

  void ask() {
    const std::size_t turn = workload_.done_[number_];
    if (turn == kWritesEach) return;
    // Half of the names are its own, the others are everybody's.
    const std::string name = turn % 2 == 0 ? fmt::format("own-{}-{}", number_, turn % 6)
                                           : fmt::format("shared-{}", turn % 4);
    const store::EntryPtr there = store_.snapshot()->table(kTable).find(name);
    store::EntryWrite write = {.key = {kTable, name}, .expected = there ? there->revision : 0};
    if (!there || turn % 5 != 4) {
      store::Draft draft = {.text = R"({"metadata":{"resourceVersion":")"};
      draft.version_at = static_cast<std::uint32_t>(draft.text.size());
      draft.text += fmt::format(R"("}},"by":"{}-{}","padding":"{}"}})", number_, turn,
                                std::string(50 + 300 * (turn % 9), 'x'));
      write.draft = std::move(draft);
    }
    const bool deletes = !write.draft;
    store_.write(std::move(write), env_.loop,
                 scope_.guard([this, name, deletes](Result<store::Written> written) {
                   on_answer(name, deletes, std::move(written));
                 }));
  }

  void on_answer(const std::string& name, bool deletes, Result<store::Written> written) {
    if (!written.ok()) {
      // After an internal error nothing comes any more; the process ends.
      const bool conflict = written.error().code == Code::Conflict;
      return ask_after(conflict ? Duration::zero() : kRetryAfter);
    }
    workload_.checker_.saw(written->revision, name, deletes ? nullptr : written->entry.get());
    const store::SnapshotPtr snapshot = store_.snapshot();
    workload_.checker_.served(*snapshot);
    ++workload_.done_[number_];
    ask_after(kPause);
  }

  StoreWorkload& workload_;
  std::size_t number_;
  env::Env& env_;
  store::Store& store_;
  env::Timer timer_;
  env::Scope scope_;
};

// One life of the process: the store on its first loop, writers and followers on the others.
class StoreWorkload::Life {
 public:
  Life(StoreWorkload& workload, std::span<env::Env> loops)
      : workload_(workload), loops_(loops), lying_disk_(loops[0].disk), store_env_(loops[0]) {
    if (workload.mistake_ == StoreMistake::AnswersBeforeSync) {
      store_env_.emplace(env::Env{loops[0].clock, loops[0].loop, loops[0].network, lying_disk_,
                                  loops[0].entropy, loops[0].log, loops[0].metrics,
                                  loops[0].workers, loops[0].processes});
    }
  }

  Status open(store::DurableStore::OnFailure on_failure) {
    const store::StoreOptions options = small_options();
    if (workload_.mistake_ == StoreMistake::ReusesARevision) {
      RETURN_IF_ERROR(lose_newest_row(store_env_->disk, options.directory));
    }
    ASSIGN_OR_RETURN(store_,
                     store::DurableStore::open(*store_env_, options, std::move(on_failure)));
    workload_.checker_.served(*store_->snapshot());
    for (std::size_t i = 0; i < kWriters; ++i) {
      env::Env& env = loops_[1 + i % (loops_.size() - 1)];
      follow(env.loop);
      writers_.push_back(std::make_unique<Writer>(workload_, i, env, *store_));
    }
    return {};
  }

  bool is_open() const { return store_ != nullptr; }

 private:
  void follow(env::Loop& loop) {
    store_->follow(loop, [this, last = std::optional<store::Revision>()](
                             const store::BatchPtr& batch) mutable {
      const bool drops = workload_.mistake_ == StoreMistake::DropsAChange;
      const store::BatchPtr heard = drops ? without_one_change(batch) : batch;
      last = workload_.checker_.followed(*heard, last.value_or(heard->after));
      if (store_->snapshot()->revision() < *last) workload_.checker_.served(*store_->snapshot());
    });
  }

  StoreWorkload& workload_;
  std::span<env::Env> loops_;
  LyingDisk lying_disk_;
  std::optional<env::Env> store_env_;
  std::unique_ptr<store::DurableStore> store_;
  std::vector<std::unique_ptr<Writer>> writers_;
};

StoreWorkload::StoreWorkload(StoreMistake mistake)
    : mistake_(mistake), checker_(kTable), done_(kWriters) {}

StoreWorkload::~StoreWorkload() = default;

void StoreWorkload::start(sim::World& world) {
  sim::Node& node = world.add_node("hub", {.loops = 3});
  node.start([this, &node](std::span<env::Env> loops) {
    // As a supervisor does: a process that ends is started again.
    const auto end = [&node](const Error& /*why*/) {
      node.crash(sim::Crash::Process);
      node.restart_after(std::chrono::seconds(1));
    };
    auto life = std::make_shared<Life>(*this, loops);
    if (const Status opened = life->open(end); !opened.ok()) {
      loops[0].log.error("store.not_opened", {{"error", opened.error().message}});
      checker_.refused(opened.error());
      end(opened.error());
    }
    life_ = life;
    return life;
  });
}

Status StoreWorkload::settled() {
  for (const std::size_t done : done_) {
    if (done < kWritesEach) return failure(Code::Timeout, "a writer waits for an answer");
  }
  const auto life = life_.lock();
  if (life && life->is_open()) return {};
  return failure(Code::Timeout, "the store is not open");
}

sim::Suite store_suite(StoreMistake mistake) {
  return {.name = "store",
          .make = [mistake] { return std::make_unique<StoreWorkload>(mistake); },
          .faults = {"clock-errors", "disk-errors", "full-disks", "kills", "power-losses",
                     "slow-disks"}};
}

}  // namespace berth::suites
