#include "control/committer_service.h"

#include <iterator>
#include <utility>

namespace berth::control {

Committer::Committer(env::Loop& loop, client::Api& api, MayWrite may_write,
                     CommitterOptions options)
    : loop_(loop), api_(api), may_write_(std::move(may_write)), options_(std::move(options)) {}

void Committer::submit(Plan plan, Committed committed) {
  waiting_.push_back({.changes = {std::make_move_iterator(plan.changes.begin()),
                                  std::make_move_iterator(plan.changes.end())},
                      .committed = std::move(committed)});
  fill();
}

void Committer::fill() {
  if (std::exchange(filling_, true)) return;
  while (!waiting_.empty() && running_.size() < options_.in_flight_max) {
    const RunId id = ++ids_;
    running_.emplace(id, std::move(waiting_.front()));
    waiting_.pop_front();
    advance(id);
  }
  filling_ = false;
}

// Up to the next write that has to be waited for.
void Committer::advance(RunId id) {
  Run& run = running_.at(id);
  for (;;) {
    if (run.commit && run.commit->write()) return send(id, *run.commit->write());
    if (run.changes.empty()) return finish(id, {});
    Result<Commit> next = Commit::of(std::move(run.changes.front()));
    run.changes.pop_front();
    if (!next.ok()) return finish(id, failure(std::move(next).error()));
    run.commit = std::move(*next);
  }
}

void Committer::send(RunId id, const Write& write) {
  if (!may_write_()) return finish(id, failure(Code::Forbidden, "no longer the leader"));
  ++writes_;
  auto done = scope_.guard([this, id](Result<json::Value> answer) {
    const Status status = running_.at(id).commit->on_answer(std::move(answer));
    if (!status.ok()) return finish(id, status);
    advance(id);
  });
  const client::WriteOptions options = {.field_manager = options_.field_manager};
  if (const auto* create = std::get_if<CreateWrite>(&write)) {
    api_.create(create->collection, create->object, options, std::move(done));
  } else if (const auto* patch = std::get_if<PatchWrite>(&write)) {
    api_.patch(patch->path, patch->patch, {.type = client::PatchType::Merge, .write = options},
               std::move(done));
  } else {
    const auto& removal = std::get<DeleteWrite>(write);
    api_.remove(removal.path, removal.options, std::move(done));
  }
}

void Committer::finish(RunId id, const Status& status) {
  const auto run = running_.find(id);
  loop_.post(scope_.guard(
      [committed = std::move(run->second.committed), status]() mutable { committed(status); }));
  running_.erase(run);
  fill();
}

}  // namespace berth::control
