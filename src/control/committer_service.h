// Carries changes out: many at a time, each with the fewest writes, never while not leading.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "client/api_service.h"
#include "control/commit.h"
#include "env/loop.h"
#include "env/scope.h"

namespace berth::control {

struct CommitterOptions {
  // Sequences that are being written at the same time. It begins with a few and allows one more
  // with each answer, so that the first of many is not slowed down by all the others.
  std::size_t in_flight_first = 4;
  std::size_t in_flight_max = 64;
  std::string field_manager = "berth";
};

// Asked before every single write: a leader whose lease has become old must not begin another one.
using MayWrite = std::function<bool()>;

class Committer {
 public:
  using Committed = std::move_only_function<void(const Status&)>;

  // The Api and the loop, on which it lives, outlive the committer.
  Committer(env::Loop& loop, client::Api& api, MayWrite may_write, CommitterOptions options = {});

  // The callback runs once, later, on the loop: with the first error, which ends the sequence, or
  // ok. When the committer dies, it is dropped. Whoever wants to know more of what was answered
  // keeps the sequence.
  void submit(std::shared_ptr<WriteSequence> sequence, Committed committed);

  // What is wanted about one key: the changes are written one after the other, in order.
  void submit(std::vector<Change> changes, Committed committed);
  void submit(Change change, Committed committed);

  std::size_t waiting() const { return waiting_.size(); }
  std::size_t in_flight() const { return running_.size(); }
  std::uint64_t writes() const { return writes_; }  // Sent since the start.

 private:
  struct Run {
    std::shared_ptr<WriteSequence> sequence;
    Committed committed;
  };
  using RunId = std::uint64_t;

  void submit_made(Result<std::unique_ptr<WriteSequence>> sequence, Committed committed);
  void fill();
  void advance(RunId id);
  void send(RunId id, const Write& write);
  void finish(RunId id, const Status& status);

  env::Loop& loop_;
  client::Api& api_;
  MayWrite may_write_;
  CommitterOptions options_;
  std::deque<Run> waiting_;
  std::map<RunId, Run> running_;
  RunId ids_ = 0;
  bool filling_ =
      false;  // A sequence that needs no write ends inside fill(), which calls finish().
  std::uint64_t writes_ = 0;
  std::size_t allowed_;
  env::Scope scope_;
};

}  // namespace berth::control
