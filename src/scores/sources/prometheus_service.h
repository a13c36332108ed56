// Asks one Prometheus: posts forms, with a deadline and a bound on what comes back.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "client/transport_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "http/url.h"
#include "scores/sources/endpoint_access.h"
#include "scores/sources/prometheus_query.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

struct HttpAnswer {
  int status = 0;
  std::optional<Duration> retry_after = std::nullopt;
  std::string body = {};
};

class PrometheusClient {
 public:
  using Answered = std::move_only_function<void(Result<HttpAnswer>)>;

  // Fails when the URL cannot be used.
  static Result<std::unique_ptr<PrometheusClient>> make(const env::Env& env,
                                                        const Endpoint& endpoint,
                                                        EndpointAccess access);
  ~PrometheusClient();

  // Any status is an answer, except a redirect: the token must not follow it. The callback runs
  // once, later, on the loop, and may destroy the client; it is dropped when the client dies.
  void query(const FormFields& form, Answered answered);

 private:
  class Exchange;

  PrometheusClient(const env::Env& env, const Endpoint& endpoint, EndpointAccess access,
                   http::Url url);
  http::Request build(const FormFields& form) const;
  void finish(std::uint64_t id, Result<HttpAnswer> answer);

  env::Env env_;
  http::Url url_;
  std::string token_;
  Duration timeout_;
  client::Transport transport_;
  std::map<std::uint64_t, std::unique_ptr<Exchange>> exchanges_;
  std::uint64_t ids_ = 0;
  env::Scope scope_;
};

}  // namespace berth::scores
