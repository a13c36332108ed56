#include "store/durable_store_service.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"

namespace berth::store {
namespace {

constexpr Duration kRetryAfter = std::chrono::seconds(1);
constexpr Duration kRetryAfterFull = std::chrono::seconds(5);
constexpr std::uint64_t kOverdue = 8;  // Times the pages of a checkpoint.

std::size_t weight_of(const EntryWrite& write) {
  const std::size_t text = write.draft ? write.draft->text.size() : 0;
  return sizeof(EntryWrite) + write.key.table.size() + write.key.name.size() + text;
}

Error too_many() {
  return {.code = Code::TooManyRequests,
          .message = "too many writes wait for the disk",
          .causes = {},
          .retry_after = kRetryAfter};
}

// Nothing was written, and nothing is lost: whoever comes again later may find room.
Error disk_full(const Error& why) {
  return {.code = Code::ServiceUnavailable,
          .message = "the hub's disk is full, so nothing can be written: " + why.message,
          .causes = {},
          .retry_after = kRetryAfterFull};
}

Error stopped(const Error& why) {
  return {.code = Code::InternalError, .message = "the store has failed: " + why.message};
}

std::vector<double> seconds_buckets() {
  return {0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5};
}

}  // namespace

Result<std::unique_ptr<DurableStore>> DurableStore::open(env::Env& env, StoreOptions options,
                                                         OnFailure on_failure) {
  const Instant began = env.clock.monotonic();
  ASSIGN_OR_RETURN(DataDirectory directory, DataDirectory::hold(env.disk, options.directory));
  ASSIGN_OR_RETURN(auto log, directory.open_log());
  ASSIGN_OR_RETURN(Loaded loaded, log->load());
  env.log.info("store.opened", {{"revision", loaded.snapshot->revision()},
                                {"objects", loaded.snapshot->size()},
                                {"took", env.clock.monotonic() - began}});
  return std::make_unique<DurableStore>(env, std::move(options), std::move(on_failure),
                                        std::move(directory), std::move(log), std::move(loaded));
}

DurableStore::DurableStore(env::Env& env, StoreOptions options, OnFailure on_failure,
                           DataDirectory directory, std::unique_ptr<Log> log, Loaded loaded)
    : env_(env),
      options_(std::move(options)),
      on_failure_(std::move(on_failure)),
      directory_(std::move(directory)),
      log_(std::move(log)),
      snapshot_(loaded.snapshot),
      published_(loaded.snapshot),
      history_(options_.history, loaded.base.revision),
      compaction_(loaded.base),
      inbox_(options_.waiting),
      commit_seconds_(env.metrics.histogram(
          {.name = "berth_store_commit_seconds", .help = "Time to make a group of writes durable."},
          seconds_buckets())),
      group_changes_(env.metrics.histogram(
          {.name = "berth_store_group_changes", .help = "Changes in one transaction."},
          {1, 2, 4, 8, 16, 32, 64, 128, 256, 512})),
      revision_(env.metrics.gauge(
          {.name = "berth_store_revision", .help = "The newest revision that is durable."})) {
  // When they were made is not known any more, so they are as good as new.
  for (BatchPtr& batch : loaded.recent) {
    compaction_.add(history_.add(std::move(batch), env_.clock.monotonic()));
  }
  revision_.set(static_cast<double>(snapshot_->revision()));
  plan_upkeep();
}

void DurableStore::write(EntryWrite write, env::Loop& answer_on, Done done) {
  const std::size_t weight = weight_of(write);
  Waiting waiting = {.write = std::move(write), .answer_on = &answer_on, .done = std::move(done)};
  switch (inbox_.add(std::move(waiting), weight)) {
    case env::Inbox<Waiting>::AddOutcome::First:
      return wake();
    case env::Inbox<Waiting>::AddOutcome::Added:
      return;
    case env::Inbox<Waiting>::AddOutcome::Full:
      return answer_on.post(
          [its_done = std::move(waiting.done)]() mutable { its_done(failure(too_many())); });
  }
}

void DurableStore::wake() {
  env_.loop.post(scope_.guard([this] { run(); }));
}

// Only when less than a group is left: what waits stays below twice the inbox's bounds.
void DurableStore::take_waiting() {
  if (waiting_.size() >= options_.group_changes_max) return;
  std::ranges::move(inbox_.take(), std::back_inserter(waiting_));
}

void DurableStore::run() {
  take_waiting();
  if (failed_) return refuse_all();
  if (waiting_.empty()) return;
  commit_group();
  if (!failed_ && compaction_.pending() >= options_.compaction_changes) compact();
  if (!failed_ && log_->pages_to_checkpoint() >= options_.checkpoint_pages) checkpoint();
  take_waiting();
  // Later, so that others on this loop have their turn.
  if (!waiting_.empty()) wake();
}

void DurableStore::commit_group() {
  const Instant began = env_.clock.monotonic();
  Group group(snapshot_);
  std::vector<Answer> answers = form_group(group);
  if (const Status written = append(group); !written.ok()) {
    if (written.error().code != Code::ServiceUnavailable) fail(written.error());
    const Error error = failed_ ? stopped(*failed_) : disk_full(written.error());
    for (Answer& each : answers) each.result = failure(error);
    return answer(std::move(answers));
  }
  commit_seconds_.observe(std::chrono::duration<double>(env_.clock.monotonic() - began).count());
  group_changes_.observe(static_cast<double>(group.changes().size()));
  publish(std::move(group));
  answer(std::move(answers));
}

std::vector<DurableStore::Answer> DurableStore::form_group(Group& group) {
  std::vector<Answer> answers;
  while (!waiting_.empty() && group.changes().size() < options_.group_changes_max &&
         group.bytes() < options_.group_bytes_max) {
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    answers.push_back({.loop = next.answer_on,
                       .done = std::move(next.done),
                       .result = group.add(std::move(next.write))});
  }
  return answers;
}

Status DurableStore::append(const Group& group) {
  // All were refused, for reasons that are published.
  if (group.changes().empty()) return {};
  if (log_->pages_to_checkpoint() >= kOverdue * options_.checkpoint_pages) {
    RETURN_IF_ERROR(log_->checkpoint());
  }
  return log_->append(group.changes());
}

void DurableStore::publish(Group group) {
  if (group.changes().empty()) return;
  snapshot_ = applied(*snapshot_, group.changes());
  published_.publish(snapshot_);
  revision_.set(static_cast<double>(snapshot_->revision()));
  const auto batch = std::make_shared<const Batch>(std::move(group).batch());
  compaction_.add(history_.add(batch, env_.clock.monotonic()));
  for (const Following& each : followers_) {
    each.loop->post([follower = each.follower, batch] { (*follower)(batch); });
  }
}

// One task for each loop: with many writers, waking their loops costs more than the writes.
void DurableStore::answer(std::vector<Answer> answers) {
  std::vector<std::pair<env::Loop*, std::vector<Answer>>> by_loop;
  for (Answer& each : answers) {
    auto group = std::ranges::find(by_loop, each.loop, [](const auto& pair) { return pair.first; });
    if (group == by_loop.end()) {
      by_loop.emplace_back(each.loop, std::vector<Answer>());
      group = std::prev(by_loop.end());
    }
    group->second.push_back(std::move(each));
  }
  for (auto& [loop, its_answers] : by_loop) {
    loop->post([mine = std::move(its_answers)]() mutable {
      for (Answer& each : mine) each.done(std::move(each.result));
    });
  }
}

void DurableStore::refuse_all() {
  std::vector<Answer> answers;
  for (Waiting& each : waiting_) {
    answers.push_back({.loop = each.answer_on,
                       .done = std::move(each.done),
                       .result = failure(stopped(*failed_))});
  }
  waiting_.clear();
  answer(std::move(answers));
}

void DurableStore::follow(env::Loop& loop, Follower follower) {
  env_.loop.post(scope_.guard(
      [this, &loop, shared = std::make_shared<Follower>(std::move(follower))]() mutable {
        begin_following(loop, std::move(shared));
      }));
}

void DurableStore::begin_following(env::Loop& loop, std::shared_ptr<Follower> follower) {
  followers_.push_back({.loop = &loop, .follower = follower});
  std::vector<BatchPtr> known = history_.batches_since(history_.oldest());
  if (known.empty()) {
    known.push_back(
        std::make_shared<const Batch>(Batch{.after = history_.newest(), .changes = {}}));
  }
  loop.post([follower = std::move(follower), known = std::move(known)] {
    for (const BatchPtr& batch : known) (*follower)(batch);
  });
}

void DurableStore::plan_upkeep() {
  upkeep_ = env::after(env_.loop, env_.clock, options_.upkeep_period, [this] { keep_up(); });
}

void DurableStore::keep_up() {
  if (failed_) return;
  compaction_.add(history_.expire(env_.clock.monotonic()));
  if (compaction_.pending() > 0) compact();
  if (!failed_ && log_->pages_to_checkpoint() >= options_.checkpoint_pages) checkpoint();
  if (!failed_) plan_upkeep();
}

void DurableStore::compact() {
  const CompactionStep step = compaction_.next(options_.compaction_changes);
  const Status done = log_->compact(step);
  if (done.ok()) compaction_.done(step);
  survive_or_fail("compaction", done);
}

void DurableStore::checkpoint() { survive_or_fail("checkpoint", log_->checkpoint()); }

void DurableStore::survive_or_fail(std::string_view doing, const Status& status) {
  if (status.ok()) return;
  if (status.error().code != Code::ServiceUnavailable) return fail(status.error());
  env_.log.warn("store.disk_full", {{"doing", doing}, {"error", status.error().message}});
}

void DurableStore::fail(const Error& why) {
  if (failed_) return;
  failed_ = why;
  env_.log.error("store.failed", {{"error", why.message}});
  refuse_all();
  if (on_failure_) std::exchange(on_failure_, nullptr)(why);
}

}  // namespace berth::store
