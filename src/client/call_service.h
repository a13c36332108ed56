// One request to an API server from the first attempt to the last: its turn, its credentials, its
// bytes, its deadline, its retries.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/random.h"
#include "base/rate_limiter.h"
#include "base/result.h"
#include "client/client_config.h"
#include "client/credentials_service.h"
#include "client/protobuf/watch_stream.h"
#include "client/rest.h"
#include "client/retry.h"
#include "client/transport_service.h"
#include "client/watch_decoder.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/scope.h"
#include "http/gzip.h"

namespace berth::client {

// Hears one watch. Each call comes on the loop, from outside of everything: it may do what it
// likes.
class WatchListener {
 public:
  virtual ~WatchListener() = default;

  virtual void on_opened() = 0;
  virtual void on_events(std::vector<WatchEvent> events) = 0;
  virtual void on_closed(const Status& why) = 0;  // The last one. Ok: the server ended it.
};

// Who hears a watch, and how it may be sent.
struct WatchTarget {
  WatchListener* listener = nullptr;  // Null: this is no watch.
  std::shared_ptr<const protobuf::DecodingPlan> protobuf =
      nullptr;  // How to read it as such; null: JSON.
};

using Answered = std::move_only_function<void(Result<RestAnswer>)>;

struct CallOptions {
  // For a watch: until it is open.
  Duration timeout = std::chrono::seconds(60);
  RetryPolicy retry = {};
};

// What happened to one attempt, for metrics.
struct AttemptReport {
  std::string_view method;  // Lives as long as the program.
  int status = 0;           // 0: no answer.
  Duration duration{};
};

// What all calls of one client share. Outlives them.
struct CallContext {
  env::Clock& clock;
  env::Loop& loop;
  env::Log& log;
  const ClientConfig& config;
  Transport& transport;
  CredentialSource& credentials;
  RateLimiter& limiter;
  Random& random;
  std::string user_agent;
  std::function<void(const AttemptReport&)> report;
  std::function<void(std::string_view)> on_warning;  // The text of a Warning header.
};

class Call final : public ResponseSink {
 public:
  using Finished = std::move_only_function<void(Result<RestAnswer>)>;

  // With a listener an answer with 2xx is streamed, and `finished` hears the end of the stream as
  // an answer without a body. Calls `finished` once, never from inside begin(), and never after its
  // own death.
  Call(CallContext& context, RestRequest request, const CallOptions& options, WatchTarget watch,
       Finished finished);
  ~Call() override;

  void begin();

  void on_head(const http::ResponseHead& head) override;
  void on_body(std::string_view bytes) override;
  void on_end() override;
  void on_failure(const http::StreamFailure& failure) override;

 private:
  void authorize();
  void send(std::string authorization);
  http::Request build(const std::string& authorization) const;
  std::string target() const;
  void on_timeout();
  void on_answer();
  void on_error(const Error& error);
  void finish(Result<RestAnswer> result);
  void stream(std::string_view bytes);
  void report_attempt(int status);
  bool is_streaming() const {
    return watch_.listener && answer_.status >= 200 && answer_.status < 300;
  }

  CallContext& context_;
  RestRequest request_;
  CallOptions options_;
  WatchTarget watch_;
  Finished finished_;
  std::variant<WatchDecoder, protobuf::WatchStream> decoder_ = WatchDecoder();

  Attempts attempts_ = {.made = 0};
  Instant attempt_started_{};
  Instant ends_at_{};               // The deadline.
  std::string authorization_ = {};  // What was sent last.
  std::optional<TransferId> transfer_ = std::nullopt;
  RestAnswer answer_ = {};
  std::optional<http::GzipDecoder> gzip_ = std::nullopt;
  bool over_ = false;
  env::Timer deadline_ = {};
  env::Timer delay_ = {};
  env::Scope scope_;
};

}  // namespace berth::client
