// Tested by score_source_controller_test.cc.
#include "scores/sources/query_runner_service.h"

#include <algorithm>
#include <utility>

namespace berth::scores {
namespace {

constexpr Duration kRetryFirst = std::chrono::seconds(5);
// Queries come up to a twentieth of their interval early: many sources do not ask in step.
constexpr double kJitter = 0.05;

Duration interval_before_jitter(Duration interval) {
  return std::chrono::duration_cast<Duration>(interval / (1 + kJitter));
}

Result<PrometheusAnswer> read(const Result<HttpAnswer>& http, const ScoreSource& source) {
  if (!http.ok()) return failure(http.error());
  return read_prometheus_answer(http->status, http->body, source.cluster_label);
}

}  // namespace

QueryRunner::Asking::Asking(Duration interval)
    : backoff({.first = std::min(kRetryFirst, interval), .max = interval, .jitter = 0.2}) {}

QueryRunner::QueryRunner(const env::Env& env, ScoreSource source,
                         std::unique_ptr<PrometheusClient> client, Answered answered)
    : env_(env),
      source_(std::move(source)),
      client_(std::move(client)),
      answered_(std::move(answered)),
      random_(env::new_seed(env.entropy)) {
  for (const ScoreQuery& query : source_.queries) queries_.emplace_back(query.interval);
  for (std::size_t i = 0; i < queries_.size(); ++i) ask(i);
}

void QueryRunner::ask(std::size_t index) {
  const Time asked = env_.clock.now();
  queries_[index].began = env_.clock.monotonic();
  client_->query(query_form(source_, source_.queries[index], asked),
                 scope_.guard([this, index, asked](const Result<HttpAnswer>& http) {
                   on_answer(index, http, asked);
                 }));
}

void QueryRunner::on_answer(std::size_t index, const Result<HttpAnswer>& http, Time asked) {
  const ScoreQuery& query = source_.queries[index];
  Asking& asking = queries_[index];
  const Instant now = env_.clock.monotonic();
  Result<PrometheusAnswer> answer = read(http, source_);
  measure(answer.ok() ? "success" : "error", now - asking.began);
  if (answer.ok()) {
    asking.backoff.reset();
    const Duration pause =
        client::jittered(interval_before_jitter(query.interval), kJitter, random_);
    ask_later(index, std::max<Duration>(asking.began + pause - now, Duration::zero()));
  } else {
    const Duration wished = http.ok() ? http->retry_after.value_or(Duration::zero()) : Duration();
    ask_later(index, std::max(asking.backoff.next(now, random_), wished));
  }
  answered_(query, std::move(answer), asked);
}

void QueryRunner::ask_later(std::size_t index, Duration delay) {
  queries_[index].timer = env::after(env_.loop, env_.clock, delay, [this, index] { ask(index); });
}

void QueryRunner::measure(std::string_view result, Duration taken) {
  env_.metrics
      .counter({.name = "berth_score_source_queries_total",
                .help = "Queries of score sources by result.",
                .labels = {{"result", std::string(result)}}})
      .increment();
  env_.metrics
      .histogram({.name = "berth_score_source_query_duration_seconds",
                  .help = "Time from asking a query of a score source to its answer."},
                 {0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60})
      .observe(std::chrono::duration<double>(taken).count());
}

}  // namespace berth::scores
