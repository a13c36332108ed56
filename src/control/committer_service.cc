#include "control/committer_service.h"

#include <algorithm>
#include <utility>

namespace berth::control {

Committer::Committer(env::Loop& loop, client::Api& api, MayWrite may_write,
                     CommitterOptions options)
    : loop_(loop),
      api_(api),
      may_write_(std::move(may_write)),
      options_(std::move(options)),
      allowed_(options_.in_flight_first) {}

void Committer::submit(std::vector<Change> changes, Committed committed) {
  submit_made(sequence_of(std::move(changes)), std::move(committed));
}

void Committer::submit(Change change, Committed committed) {
  submit_made(sequence_of(std::move(change)), std::move(committed));
}

void Committer::submit_made(Result<std::unique_ptr<WriteSequence>> sequence, Committed committed) {
  if (sequence.ok()) return submit(std::shared_ptr(*std::move(sequence)), std::move(committed));
  loop_.post(
      scope_.guard([committed = std::move(committed),
                    status = Status(failure(sequence.error()))]() mutable { committed(status); }));
}

void Committer::submit(std::shared_ptr<WriteSequence> sequence, Committed committed) {
  waiting_.push_back({.sequence = std::move(sequence), .committed = std::move(committed)});
  fill();
}

void Committer::fill() {
  if (std::exchange(filling_, true)) return;
  while (!waiting_.empty() && running_.size() < std::min(allowed_, options_.in_flight_max)) {
    const RunId id = ++ids_;
    running_.emplace(id, std::move(waiting_.front()));
    waiting_.pop_front();
    advance(id);
  }
  filling_ = false;
}

void Committer::advance(RunId id) {
  const std::optional<Write>& write = running_.at(id).sequence->write();
  write ? send(id, *write) : finish(id, {});
}

void Committer::send(RunId id, const Write& write) {
  if (!may_write_()) return finish(id, failure(Code::Forbidden, "no longer the leader"));
  ++writes_;
  auto done = scope_.guard([this, id](Result<json::Value> answer) {
    if (allowed_ < options_.in_flight_max) ++allowed_;
    const Status status = running_.at(id).sequence->on_answer(std::move(answer));
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
  if (running_.empty() && waiting_.empty()) allowed_ = options_.in_flight_first;
  fill();
}

}  // namespace berth::control
