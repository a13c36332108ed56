// DurableStore: a Store whose changes are in an SQLite log and whose objects are in memory.
//
//   write() on any loop -> inbox -> [store's loop: check, append + sync, publish, tell] -> answers
//
// Everything that arrived while the last group was synced is the next group.

#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "env/env.h"
#include "env/inbox.h"
#include "env/published.h"
#include "env/scope.h"
#include "store/compaction.h"
#include "store/data_directory_service.h"
#include "store/group.h"
#include "store/history.h"
#include "store/log_service.h"
#include "store/store_service.h"

namespace berth::store {

struct StoreOptions {
  std::string directory;
  HistoryBounds history = {};
  env::InboxBounds waiting = {.items_max = 10'000, .weight_max = 64 << 20};
  // Of one transaction.
  std::size_t group_changes_max = 512;
  std::size_t group_bytes_max = 4 << 20;
  // A step of the compaction, which runs between two groups when so much can go.
  std::size_t compaction_changes = 1024;
  // The write-ahead log is moved into the database file when it has so many pages (of 4 KiB). While
  // that fails because the disk is full it may grow to eight times as many.
  std::uint64_t checkpoint_pages = 2048;
  // How often it looks for what has become too old.
  Duration upkeep_period = std::chrono::seconds(1);
};

class DurableStore final : public Store {
 public:
  // Called once, on the store's loop: nothing can be written any more, and the owner should end the
  // process. What was answered before is safe; a new start sorts out the rest.
  using OnFailure = std::move_only_function<void(const Error& why)>;

  // On the store's loop, which it blocks while it reads everything. Conflict: another process holds
  // the directory. Invalid: the files there are not a store of this version. StoreReadError: they
  // are damaged.
  static Result<std::unique_ptr<DurableStore>> open(env::Env& env, StoreOptions options,
                                                    OnFailure on_failure);

  // Not to be called: open() is.
  DurableStore(env::Env& env, StoreOptions options, OnFailure on_failure, DataDirectory directory,
               std::unique_ptr<Log> log, Loaded loaded);

  // On the store's loop. What still waits is not answered.
  ~DurableStore() override = default;

  void write(EntryWrite write, env::Loop& answer_on, Done done) override;
  SnapshotPtr snapshot() const override { return published_.read(); }
  void follow(env::Loop& loop, Follower follower) override;

 private:
  struct Waiting {
    EntryWrite write;
    env::Loop* answer_on;
    Done done;
  };
  struct Answer {
    env::Loop* loop;
    Done done;
    Result<Written> result;
  };
  struct Following {
    env::Loop* loop;
    std::shared_ptr<Follower> follower;
  };

  void wake();
  void take_waiting();
  void run();
  void commit_group();
  std::vector<Answer> form_group(Group& group);
  Status append(const Group& group);
  void publish(Group group);
  void answer(std::vector<Answer> answers);
  void refuse_all();
  void begin_following(env::Loop& loop, std::shared_ptr<Follower> follower);
  void plan_upkeep();
  void keep_up();
  void compact();
  void checkpoint();
  void survive_or_fail(std::string_view doing, const Status& status);
  void fail(const Error& why);

  env::Env& env_;
  StoreOptions options_;
  OnFailure on_failure_;
  DataDirectory directory_;
  std::unique_ptr<Log> log_;
  SnapshotPtr snapshot_;
  env::Published<Snapshot> published_;
  History history_;
  Compaction compaction_;
  env::Inbox<Waiting> inbox_;
  std::deque<Waiting> waiting_;  // Taken out of the inbox.
  std::vector<Following> followers_;
  std::optional<Error> failed_;
  env::Histogram& commit_seconds_;
  env::Histogram& group_changes_;
  env::Gauge& revision_;
  env::Timer upkeep_;
  env::Scope scope_;
};

}  // namespace berth::store
