// Asks the queries of one source, each in its own time.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "client/backoff.h"
#include "env/env.h"
#include "env/metrics.h"
#include "env/scope.h"
#include "scores/sources/prometheus_answer.h"
#include "scores/sources/prometheus_service.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

class QueryRunner {
 public:
  // What came of one query that was evaluated at `asked`. Called on the loop; must not destroy the
  // runner.
  using Answered =
      std::function<void(const ScoreQuery& query, Result<PrometheusAnswer> answer, Time asked)>;

  // Asks all of them at once, then each after its interval; after a failure sooner at first, later
  // and later up to the interval, and never before the time that the server asked for.
  QueryRunner(const env::Env& env, ScoreSource source, std::unique_ptr<PrometheusClient> client,
              Answered answered);

 private:
  struct Asking {
    explicit Asking(Duration interval);

    client::Backoff backoff;
    Instant began = {};
    env::Timer timer = {};
  };

  void ask(std::size_t index);
  void on_answer(std::size_t index, const Result<HttpAnswer>& http, Time asked);
  void ask_later(std::size_t index, Duration delay);
  void measure(std::string_view result, Duration taken);

  env::Env env_;
  ScoreSource source_;
  std::unique_ptr<PrometheusClient> client_;
  Answered answered_;
  Random random_;
  std::vector<Asking> queries_;  // As in the source.
  env::Scope scope_;
};

}  // namespace berth::scores
