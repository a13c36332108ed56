#include "http/http1_client.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "http/client_rules.h"
#include "http/http1_body.h"
#include "http/http1_head.h"
#include "http/output_buffer.h"
#include "http/stall_watch.h"

namespace berth::http {
namespace {

constexpr std::size_t kPieceMax = 16 * 1024;  // Of a streamed body.
constexpr int kInformationalMax = 16;         // 1xx responses before the real one.

// The one request that is under way.
struct Exchange {
  StreamId id;
  ResponseHandler& handler;
  Method method;
  RequestKind kind;
  Body body = {};
  SentFraming framing = SentFraming::None;
  bool sent = false;     // The whole request is in the output.
  bool waiting = false;  // Its source has nothing now.
  bool touched = false;  // The transport has taken some of it: the server may have seen it.
  int informational = 0;
  std::optional<Http1BodyDecoder> decoder = std::nullopt;  // Once the response's head is there.
  bool keep_alive = true;
  std::size_t unreleased = 0;
};

class Http1Client final : public ClientSession {
 public:
  Http1Client(const ClientOptions& options, Instant now)
      : limits_(options.limits), timeouts_(options.timeouts), quiet_since_(now) {}

  Protocol protocol() const override { return Protocol::Http1; }
  void receive(std::string_view bytes, Instant now) override;
  void receive_end(Instant now) override;
  void fail(Error error, Instant now) override;
  std::string_view output(Instant now) override;
  void written(std::size_t bytes) override;
  bool wants_input() const override;
  std::optional<Instant> next_deadline() const override;
  void on_time(Instant now) override;
  void resume(StreamId id) override;
  void release(StreamId id, std::size_t bytes) override;
  void shutdown(Instant now) override;
  bool finished() const override { return closed_; }
  const std::optional<Error>& reason() const override { return reason_; }
  std::size_t free_streams() const override { return exchange_ || closed_ || drain_until_ ? 0 : 1; }
  std::size_t open_streams() const override { return exchange_ ? 1 : 0; }
  bool settled() const override { return true; }
  Result<StreamId> start(Request request, ResponseHandler& handler, Instant now) override;
  void cancel(StreamId id) override;
  void give_up(StreamId id, Instant /*now*/) override { cancel(id); }

 private:
  Exchange* find(StreamId id) { return exchange_ && exchange_->id == id ? &*exchange_ : nullptr; }
  std::size_t take(std::string_view input, Instant now);
  std::size_t take_head(std::string_view input, Instant now);
  std::size_t take_body(std::string_view input, Instant now);
  void begin_response(Http1Response response, Instant now);
  void end_response(Instant now);
  void pump(Instant now);
  void close();
  std::size_t body_room() const;

  const Limits limits_;
  const Timeouts timeouts_;
  std::string input_;  // Received and not yet used.
  HeadScanner scanner_;
  std::optional<Exchange> exchange_;
  OutputBuffer output_;
  StallWatch stall_;
  StreamId next_id_ = 1;
  Instant quiet_since_;  // When the peer last got on with its answer, or the last one ended.
  bool closed_ = false;
  bool input_ended_ = false;  // The peer has closed its side.
  std::optional<Instant> drain_until_;
  std::optional<Error> reason_;
};

Result<StreamId> Http1Client::start(Request request, ResponseHandler& handler, Instant now) {
  RETURN_IF_ERROR(check_request(request.head));
  if (free_streams() == 0) {
    return failure(Code::TooManyRequests, "HTTP/1.1: the connection is in use");
  }
  const StreamId id = next_id_++;
  exchange_.emplace(
      Exchange{.id = id, .handler = handler, .method = request.head.method, .kind = request.kind});
  SentBody sent;
  const auto length = request.body.length();
  const bool may_carry = request.head.method != Method::Get && request.head.method != Method::Head;
  if (!length) {
    sent.framing = SentFraming::Chunked;
  } else if (*length > 0 || may_carry) {
    sent = {.framing = SentFraming::Length, .length = *length};
  }
  write_http1_request(request.head, sent, output_);
  exchange_->framing = sent.framing;
  exchange_->sent = request.body.empty();
  exchange_->body = std::move(request.body);
  quiet_since_ = now;
  return id;
}

void Http1Client::receive(std::string_view bytes, Instant now) {
  if (closed_) return;
  if (input_.empty()) {
    input_.assign(bytes.substr(take(bytes, now)));
  } else {
    input_.append(bytes);
    input_.erase(0, take(input_, now));
  }
  if (closed_) input_.clear();
}

std::size_t Http1Client::take(std::string_view input, Instant now) {
  std::size_t used = 0;
  while (used < input.size() && !closed_) {
    const std::string_view rest = input.substr(used);
    if (!exchange_) {
      fail({.code = Code::InternalError, .message = "HTTP/1.1: bytes that answer no request"}, now);
      return input.size();
    }
    const std::size_t step = exchange_->decoder ? take_body(rest, now) : take_head(rest, now);
    if (step == 0) break;
    used += step;
  }
  return closed_ ? input.size() : used;
}

std::size_t Http1Client::take_head(std::string_view input, Instant now) {
  const auto size = scanner_.scan(input, limits_);
  if (!size.ok()) {
    fail(size.error(), now);
    return 0;
  }
  if (!*size) return 0;
  scanner_.reset();
  auto response = parse_http1_response(input.substr(0, **size), exchange_->method, limits_);
  if (!response.ok()) {
    fail(std::move(response).error(), now);
  } else if (const auto checked = check_response(response->head); !checked.ok()) {
    fail(checked.error(), now);
  } else if (!is_informational(response->head.status)) {
    begin_response(std::move(*response), now);
  } else if (++exchange_->informational > kInformationalMax) {
    fail({.code = Code::InternalError, .message = "HTTP/1.1: too many 1xx responses"}, now);
  }
  return **size;
}

void Http1Client::begin_response(Http1Response response, Instant now) {
  quiet_since_ = now;
  Limits limits = limits_;
  // A watch goes on for as long as it likes; whoever reads it bounds its pieces.
  if (exchange_->kind == RequestKind::Watch) limits.body_bytes = UINT64_MAX;
  exchange_->decoder.emplace(response.framing, limits);
  exchange_->keep_alive = response.keep_alive;
  const StreamId id = exchange_->id;
  exchange_->handler.on_head(id, response.head);
  if (Exchange* exchange = find(id); exchange && exchange->decoder->done()) end_response(now);
}

std::size_t Http1Client::take_body(std::string_view input, Instant now) {
  const std::size_t room = body_room();
  if (room == 0) return 0;
  const auto step = exchange_->decoder->next(input, room);
  if (!step.ok()) {
    fail(step.error(), now);
    return 0;
  }
  quiet_since_ = now;
  const StreamId id = exchange_->id;
  if (!step->data.empty()) {
    exchange_->unreleased += step->data.size();
    exchange_->handler.on_body(id, step->data);
  }
  if (Exchange* exchange = find(id); exchange && exchange->decoder->done()) end_response(now);
  return step->consumed;
}

std::size_t Http1Client::body_room() const {
  return limits_.stream_window -
         std::min<std::size_t>(exchange_->unreleased, limits_.stream_window);
}

void Http1Client::end_response(Instant now) {
  const StreamId id = exchange_->id;
  ResponseHandler& handler = exchange_->handler;
  // An answer before the end of the request leaves a request that must not be completed.
  const bool reusable = exchange_->keep_alive && exchange_->sent && !drain_until_;
  exchange_.reset();
  quiet_since_ = now;
  if (!reusable) close();
  handler.on_end(id);
}

void Http1Client::pump(Instant now) {
  while (exchange_ && !exchange_->sent && !exchange_->waiting &&
         output_.size() < limits_.output_bytes) {
    const Pull pulled = write_http1_body(exchange_->body, exchange_->framing, kPieceMax, output_);
    exchange_->waiting = pulled.state == Pull::State::Waiting;
    exchange_->sent = pulled.state == Pull::State::End;
    if (exchange_->sent) quiet_since_ = now;  // Now it is the server's turn.
    if (pulled.state == Pull::State::Failed) {
      fail({.code = Code::InternalError, .message = "HTTP/1.1: the request's body failed"}, now);
    }
  }
}

std::string_view Http1Client::output(Instant now) {
  if (!closed_ && !input_.empty()) {
    input_.erase(0, take(input_, now));
    if (closed_) input_.clear();
    if (input_ended_ && input_.empty()) receive_end(now);
  }
  pump(now);
  stall_.observe(output_.size(), now);
  return output_.view();
}

void Http1Client::written(std::size_t bytes) {
  output_.drop(std::min(bytes, output_.size()));
  if (bytes == 0) return;
  stall_.progress();
  if (exchange_) exchange_->touched = true;
}

bool Http1Client::wants_input() const {
  if (closed_) return false;
  const bool held_back = exchange_ && exchange_->decoder && body_room() == 0;
  return !held_back || input_.empty();
}

std::optional<Instant> Http1Client::next_deadline() const {
  if (closed_) return std::nullopt;
  std::optional<Instant> next = stall_.deadline(timeouts_.send_progress);
  const auto at = [&next](Instant time) { next = next ? std::min(*next, time) : time; };
  if (drain_until_) at(*drain_until_);
  if (!exchange_) {
    at(quiet_since_ + timeouts_.idle);
  } else if (!exchange_->decoder) {
    if (exchange_->sent) at(quiet_since_ + timeouts_.response_head);
  } else if (exchange_->kind == RequestKind::Short && body_room() > 0) {
    at(quiet_since_ + timeouts_.body_progress);
  }
  return next;
}

void Http1Client::on_time(Instant now) {
  const auto due = next_deadline();
  if (!due || now < *due) return;
  if (!exchange_ && output_.empty()) return close();
  std::string message = "HTTP/1.1: the server's answer does not arrive";
  if (exchange_ && exchange_->decoder) message = "HTTP/1.1: the answer's body does not go on";
  if (!output_.empty()) message = "HTTP/1.1: the peer takes no output";
  if (drain_until_ && now >= *drain_until_) message = "HTTP/1.1: shut down before the end";
  fail({.code = Code::Timeout, .message = std::move(message)}, now);
}

void Http1Client::receive_end(Instant now) {
  if (closed_) return;
  if (exchange_ && exchange_->decoder && !input_.empty()) {
    input_ended_ = true;  // After what waits for the handler's credit.
    return;
  }
  const bool complete = exchange_ && exchange_->decoder && exchange_->decoder->may_end();
  if (complete) return end_response(now);
  if (!exchange_) return close();
  fail({.code = Code::ServiceUnavailable,
        .message = "HTTP/1.1: the server closed the connection before the answer was complete"},
       now);
}

void Http1Client::fail(Error error, Instant /*now*/) {
  if (closed_) return;
  reason_ = std::move(error);
  std::optional<Exchange> exchange = std::exchange(exchange_, std::nullopt);
  close();
  if (!exchange) return;
  exchange->handler.on_failure(
      exchange->id,
      {.error = *reason_, .processed = exchange->touched ? Processed::Perhaps : Processed::No});
}

void Http1Client::cancel(StreamId id) {
  if (!find(id)) return;
  exchange_.reset();
  close();
}

void Http1Client::close() {
  closed_ = true;
  output_.drop(output_.size());
}

void Http1Client::resume(StreamId id) {
  if (Exchange* exchange = find(id)) exchange->waiting = false;
}

void Http1Client::release(StreamId id, std::size_t bytes) {
  Exchange* exchange = find(id);
  if (!exchange) return;
  CHECK(bytes <= exchange->unreleased);
  exchange->unreleased -= bytes;
}

void Http1Client::shutdown(Instant now) {
  if (!drain_until_) drain_until_ = now + timeouts_.drain;
  if (!exchange_) close();
}

}  // namespace

std::unique_ptr<ClientSession> make_http1_client(const ClientOptions& options, Instant now) {
  return std::make_unique<Http1Client>(options, now);
}

}  // namespace berth::http
