#include "http/http1_server.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "http/http1_body.h"
#include "http/http1_head.h"
#include "http/output_buffer.h"
#include "http/stall_watch.h"

namespace berth::http {
namespace {

constexpr std::size_t kPieceMax = 16 * 1024;     // Of a streamed body.
constexpr std::size_t kDiscardMax = 256 * 1024;  // Read and forgotten while closing.

// The one request that is being served.
struct Exchange {
  StreamId id;
  Http1Request request;  // Its head has gone to the handler.
  Http1BodyDecoder decoder;
  std::size_t unreleased = 0;  // Bytes of the body that the handler still holds.
  bool request_over = false;   // Read to its end, or given up.
  bool rest_unread = false;    // Given up: bytes of it may still arrive.
  bool answered = false;       // respond() was called.
  bool sent = false;           // The whole answer is in the output.
  bool waiting = false;        // The source of the answer has nothing now.
  bool broken_off = false;     // The answer cannot be completed.
  SentFraming framing = SentFraming::None;
  Body body = {};

  // Whether the handler still wants to hear of the request.
  bool is_heard() const { return !answered && !broken_off; }
};

SentBody framing_of(const Http1Request& request, int status, const Body& body) {
  if (!has_body(status)) return {};
  if (const auto length = body.length()) {
    return {.framing = SentFraming::Length, .length = *length};
  }
  return {.framing = request.is_http10 ? SentFraming::UntilClose : SentFraming::Chunked};
}

//   open ----(error, close, shutdown, EOF)----> closing ----(output written, lingered)---->
//   finished
//
// While closing, the answer that is under way still goes out. If the peer has not sent all of its
// request, input is read and forgotten for a moment: closing at once would make the peer's system
// throw the answer away.
class Http1Server final : public ServerSession {
 public:
  Http1Server(const ServerOptions& options, RequestHandler& handler, Instant now)
      : limits_(options.limits),
        timeouts_(options.timeouts),
        handler_(handler),
        quiet_since_(now) {}

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
  bool finished() const override;
  const std::optional<Error>& reason() const override { return reason_; }
  std::size_t open_streams() const override { return exchange_ ? 1 : 0; }
  void respond(StreamId id, ResponseHead head, Body body) override;
  void reset(StreamId id) override;

 private:
  Exchange* find(StreamId id) { return exchange_ && exchange_->id == id ? &*exchange_ : nullptr; }
  std::size_t take(std::string_view input, Instant now);
  std::size_t take_head(std::string_view input, Instant now);
  std::size_t take_body(std::string_view input, Instant now);
  std::size_t discard(std::string_view input);
  void begin_exchange(Http1Request request, Instant now);
  void give_up_request(const Error& error);
  void finish_exchange(StreamEnd end, Instant now);
  void pump(Instant now);
  void settle(Instant now);
  void refuse(const Error& error, Instant now);
  void stop_reading();
  std::size_t body_room() const;

  const Limits limits_;
  const Timeouts timeouts_;
  RequestHandler& handler_;
  std::string input_;  // Received and not yet used.
  HeadScanner scanner_;
  std::optional<Exchange> exchange_;
  OutputBuffer output_;
  StallWatch stall_;
  StreamId next_id_ = 1;
  Instant quiet_since_;     // When the peer last got on with its request, or an answer ended.
  bool head_begun_ = true;  // A fresh connection owes a head at once.
  bool closing_ = false;
  bool input_over_ = false;  // Nothing more is read.
  std::size_t discarded_ = 0;
  std::optional<Instant> linger_until_;
  std::optional<Instant> drain_until_;
  std::optional<Error> reason_;
};

void Http1Server::receive(std::string_view bytes, Instant now) {
  if (input_over_) return;
  if (input_.empty()) {
    input_.assign(bytes.substr(take(bytes, now)));
  } else {
    input_.append(bytes);
    input_.erase(0, take(input_, now));
  }
  if (input_over_) stop_reading();
}

// Uses as much of the input as it can now, and says how much that was.
std::size_t Http1Server::take(std::string_view input, Instant now) {
  std::size_t used = 0;
  while (used < input.size()) {
    const std::string_view rest = input.substr(used);
    std::size_t step = 0;
    if (exchange_ && !exchange_->request_over) {
      step = take_body(rest, now);
    } else if (closing_) {
      step = discard(rest);
    } else if (!exchange_) {
      step = take_head(rest, now);
    }
    if (step == 0) break;
    used += step;
    settle(now);
  }
  return used;
}

std::size_t Http1Server::discard(std::string_view input) {
  discarded_ += input.size();
  if (discarded_ > kDiscardMax) input_over_ = true;
  return input.size();
}

std::size_t Http1Server::take_head(std::string_view input, Instant now) {
  if (!head_begun_) quiet_since_ = now;
  head_begun_ = true;
  if (input.starts_with("\r\n")) return 2;  // Some clients end a body with one line too many.
  if (input == "\r") return 0;
  const auto size = scanner_.scan(input, limits_);
  if (!size.ok()) {
    refuse(size.error(), now);
    return input.size();
  }
  if (!*size) return 0;
  scanner_.reset();
  auto request = parse_http1_request(input.substr(0, **size), limits_);
  if (request.ok()) {
    begin_exchange(std::move(*request), now);
  } else {
    refuse(request.error(), now);
  }
  return **size;
}

void Http1Server::begin_exchange(Http1Request request, Instant now) {
  head_begun_ = false;
  quiet_since_ = now;
  const StreamId id = next_id_++;
  RequestHead head = std::move(request.head);
  const Http1BodyDecoder decoder(request.framing, limits_);
  exchange_.emplace(Exchange{.id = id, .request = std::move(request), .decoder = decoder});
  exchange_->request_over = decoder.done();
  handler_.on_request(id, std::move(head));
  if (!exchange_->is_heard()) return;
  if (exchange_->request_over) {
    handler_.on_end(id);
  } else if (const auto first = exchange_->decoder.next({}, 0); !first.ok()) {
    give_up_request(first.error());  // The announced length is too large already.
  } else if (exchange_->request.expects_continue) {
    output_.append("HTTP/1.1 100 Continue\r\n\r\n");
  }
}

std::size_t Http1Server::take_body(std::string_view input, Instant now) {
  Exchange& exchange = *exchange_;
  const bool heard = exchange.is_heard();
  const std::size_t room = heard ? body_room() : input.size();
  if (room == 0) return 0;
  const auto step = exchange.decoder.next(input, room);
  if (!step.ok()) {
    give_up_request(step.error());
    return input.size();
  }
  quiet_since_ = now;
  exchange.request_over = exchange.decoder.done();
  if (heard && !step->data.empty()) {
    exchange.unreleased += step->data.size();
    handler_.on_body(exchange.id, step->data);
  }
  if (exchange.request_over && exchange.is_heard()) handler_.on_end(exchange.id);
  return step->consumed;
}

// The credit that is left to the peer for the body of its request.
std::size_t Http1Server::body_room() const {
  return limits_.stream_window -
         std::min<std::size_t>(exchange_->unreleased, limits_.stream_window);
}

// The rest of the request will not be read.
void Http1Server::give_up_request(const Error& error) {
  exchange_->request_over = true;
  exchange_->rest_unread = true;
  exchange_->request.keep_alive = false;
  if (exchange_->is_heard()) handler_.on_bad_body(exchange_->id, error);
}

void Http1Server::respond(StreamId id, ResponseHead head, Body body) {
  Exchange* exchange = find(id);
  if (!exchange || !exchange->is_heard()) return;
  const SentBody sent = framing_of(exchange->request, head.status, body);
  bool& keep_alive = exchange->request.keep_alive;
  // An answer before the end of the request leaves bytes on the way that nobody wants.
  exchange->rest_unread |= !exchange->request_over;
  keep_alive &= !exchange->rest_unread && !drain_until_ && sent.framing != SentFraming::UntilClose;
  exchange->answered = true;
  exchange->framing = sent.framing;
  write_http1_response(head, sent, keep_alive ? Persistence::KeepAlive : Persistence::Close,
                       output_);
  exchange->sent = exchange->request.head.method == Method::Head ||
                   sent.framing == SentFraming::None || body.empty();
  if (!exchange->sent) exchange->body = std::move(body);
}

void Http1Server::reset(StreamId id) {
  if (Exchange* exchange = find(id)) exchange->broken_off = true;
}

// Pulls the answer's body while there is room in the output.
void Http1Server::pump(Instant now) {
  while (exchange_ && exchange_->answered && !exchange_->sent && !exchange_->waiting &&
         !exchange_->broken_off && output_.size() < limits_.output_bytes) {
    const Pull pulled = write_http1_body(exchange_->body, exchange_->framing, kPieceMax, output_);
    exchange_->waiting = pulled.state == Pull::State::Waiting;
    exchange_->sent = pulled.state == Pull::State::End;
    exchange_->broken_off = pulled.state == Pull::State::Failed;
  }
  settle(now);
}

// Draws the conclusions of what has just happened to the exchange.
void Http1Server::settle(Instant now) {
  if (!exchange_) return;
  if (exchange_->broken_off) {
    closing_ = input_over_ = true;
    finish_exchange(StreamEnd::Cancelled, now);
  } else if (exchange_->sent) {
    closing_ |= !exchange_->request.keep_alive || drain_until_;
    if (exchange_->rest_unread) linger_until_ = now + timeouts_.linger;
    finish_exchange(StreamEnd::Answered, now);
  }
}

void Http1Server::finish_exchange(StreamEnd end, Instant now) {
  const StreamId id = exchange_->id;
  exchange_.reset();
  quiet_since_ = now;
  handler_.on_closed(id, end);
}

// Answers a head that cannot be understood.
void Http1Server::refuse(const Error& error, Instant now) {
  ResponseHead head = {.status = error.code == Code::RequestEntityTooLarge ? 431
                                 : error.code == Code::Timeout             ? 408
                                                                           : 400};
  head.headers.add("content-type", "text/plain; charset=utf-8");
  const std::string text = error.message + "\n";
  write_http1_response(head, {.framing = SentFraming::Length, .length = text.size()},
                       Persistence::Close, output_);
  output_.append(text);
  reason_ = error;
  closing_ = true;
  linger_until_ = now + timeouts_.linger;
}

void Http1Server::stop_reading() {
  input_over_ = true;
  input_.clear();
}

std::string_view Http1Server::output(Instant now) {
  pump(now);
  // What was sent ahead is looked at when the answer before it is complete.
  while (!input_.empty() && output_.size() < limits_.output_bytes) {
    const std::size_t used = take(input_, now);
    input_.erase(0, used);
    pump(now);
    if (used == 0) break;
  }
  if (input_over_) stop_reading();
  stall_.observe(output_.size(), now);
  return output_.view();
}

void Http1Server::written(std::size_t bytes) {
  output_.drop(std::min(bytes, output_.size()));
  if (bytes > 0) stall_.progress();
}

bool Http1Server::wants_input() const {
  if (input_over_) return false;
  const bool held_back =
      exchange_ && (exchange_->request_over || (exchange_->is_heard() && body_room() == 0));
  return !held_back || input_.empty();
}

bool Http1Server::finished() const {
  if (!closing_ || exchange_ || !output_.empty()) return false;
  return input_over_ || !linger_until_;
}

std::optional<Instant> Http1Server::next_deadline() const {
  std::optional<Instant> next = stall_.deadline(timeouts_.send_progress);
  const auto at = [&next](Instant time) { next = next ? std::min(*next, time) : time; };
  if (drain_until_ && exchange_) at(*drain_until_);
  if (exchange_) {
    const bool due = !exchange_->request_over && body_room() > 0;
    if (due) at(quiet_since_ + timeouts_.body_progress);
  } else if (!closing_) {
    at(quiet_since_ + (head_begun_ ? timeouts_.head : timeouts_.idle));
  } else if (linger_until_ && !input_over_) {
    at(*linger_until_);
  }
  return next;
}

void Http1Server::on_time(Instant now) {
  const auto due = next_deadline();
  if (!due || now < *due) return;
  if (const auto stalled = stall_.deadline(timeouts_.send_progress); stalled && now >= *stalled) {
    return fail({.code = Code::Timeout, .message = "HTTP/1.1: the peer takes no output"}, now);
  }
  if (drain_until_ && exchange_ && now >= *drain_until_) {
    return fail({.code = Code::Timeout, .message = "HTTP/1.1: shut down before the end"}, now);
  }
  if (exchange_) {
    give_up_request(
        {.code = Code::Timeout, .message = "HTTP/1.1: the request's body does not arrive"});
    settle(now);
  } else if (!closing_ && head_begun_ && !input_.empty()) {
    refuse({.code = Code::Timeout, .message = "HTTP/1.1: the request's head does not arrive"}, now);
  } else {
    closing_ = true;  // Idle, or lingered long enough: no word is needed.
    stop_reading();
  }
}

void Http1Server::receive_end(Instant now) {
  stop_reading();
  closing_ = true;
  if (!exchange_) return;
  // Who asked and closed its side may still read a whole answer, but hardly an endless one.
  if (exchange_->answered && exchange_->body.length()) {
    exchange_->request_over = true;
  } else {
    finish_exchange(StreamEnd::Cancelled, now);
  }
}

void Http1Server::fail(Error error, Instant now) {
  if (!reason_) reason_ = std::move(error);
  output_.drop(output_.size());
  stall_.observe(0, now);
  closing_ = true;
  stop_reading();
  if (exchange_) finish_exchange(StreamEnd::Cancelled, now);
}

void Http1Server::resume(StreamId id) {
  if (Exchange* exchange = find(id)) exchange->waiting = false;
}

void Http1Server::release(StreamId id, std::size_t bytes) {
  Exchange* exchange = find(id);
  if (!exchange) return;
  CHECK(bytes <= exchange->unreleased);
  exchange->unreleased -= bytes;
}

void Http1Server::shutdown(Instant now) {
  if (drain_until_) return;
  drain_until_ = now + timeouts_.drain;
  if (exchange_ || closing_) return;
  closing_ = true;
  stop_reading();
}

}  // namespace

std::unique_ptr<ServerSession> make_http1_server(const ServerOptions& options,
                                                 RequestHandler& handler, Instant now) {
  return std::make_unique<Http1Server>(options, handler, now);
}

}  // namespace berth::http
