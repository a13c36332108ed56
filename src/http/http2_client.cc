#include "http/http2_client.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/strings.h"
#include "http/client_rules.h"
#include "http/header_collector.h"
#include "http/http2_connection.h"
#include "http/stream_deadlines.h"
#include "http/stream_table.h"

namespace berth::http {
namespace {

constexpr int kInformationalMax = 16;  // 1xx responses before the real one.

struct Stream {
  StreamId id;
  ResponseHandler* handler;  // Null once it has had its last word.
  RequestKind kind;
  Method method;
  Instant moved_at;  // When this stream last got on, in either direction.
  Body body = {};
  ResponseHead head = {.status = 0};
  HeaderCollector collector = {};
  std::uint64_t received = 0;
  std::size_t unreleased = 0;
  int informational = 0;
  bool touched = false;  // Its head is in the output: the server may have seen it.
  bool sent = false;     // The whole request is.
  bool waiting = false;  // The source of its body has nothing now.
  bool headed = false;   // The final head has arrived.
  bool turned = true;    // It has become the server's turn since the last output.
};

std::int32_t wire_id(StreamId id) { return static_cast<std::int32_t>(id); }

class Http2Client final : public ClientSession, private Http2Events {
 public:
  Http2Client(const ClientOptions& options, Instant now)
      : limits_(options.limits),
        timeouts_(options.timeouts),
        connection_({.side = Side::Client, .limits = options.limits, .timeouts = options.timeouts},
                    *this, now) {}

  Protocol protocol() const override { return Protocol::Http2; }
  void receive(std::string_view bytes, Instant now) override;
  void receive_end(Instant now) override;
  void fail(Error error, Instant now) override;
  std::string_view output(Instant now) override;
  void written(std::size_t bytes) override { connection_.written(bytes); }
  bool wants_input() const override { return connection_.wants_input(); }
  std::optional<Instant> next_deadline() const override;
  void on_time(Instant now) override;
  void resume(StreamId id) override;
  void release(StreamId id, std::size_t bytes) override;
  void shutdown(Instant now) override { connection_.drain(now); }
  bool finished() const override { return connection_.finished(); }
  const std::optional<Error>& reason() const override { return connection_.reason(); }
  std::size_t free_streams() const override;
  std::size_t open_streams() const override { return streams_.size(); }
  bool settled() const override { return connection_.settled() || connection_.dying(); }
  Result<StreamId> start(Request request, ResponseHandler& handler, Instant now) override;
  void cancel(StreamId id) override;
  void give_up(StreamId id, Instant now) override;

 private:
  void on_headers_begin(std::int32_t stream) override;
  void on_header(std::int32_t stream, const Headers::Field& field) override;
  void on_headers_end(std::int32_t stream) override;
  void on_data(std::int32_t stream, std::string_view bytes) override;
  void on_received_all(std::int32_t stream) override;
  Pull on_pull(std::int32_t stream, std::span<char> room) override;
  void on_headers_sent(std::int32_t stream) override;
  void on_sent_all(std::int32_t stream) override;
  void on_stream_closed(std::int32_t stream, std::uint32_t code) override;

  // A watch goes on for as long as it likes; whoever reads it bounds its pieces.
  std::uint64_t body_max(const Stream& stream) const {
    return stream.kind == RequestKind::Watch ? UINT64_MAX : limits_.body_bytes;
  }
  Error too_large() const;
  void reject(Stream& stream, Error error);
  void tell_failed(Stream& stream, Error error);
  void drop_streams_if_dying();
  void settle();
  void expire_streams(Instant now);
  std::optional<Instant> deadline_of(const Stream& stream) const;

  const Limits limits_;
  const Timeouts timeouts_;
  StreamTable<Stream> streams_;
  Http2Connection connection_;
  bool ids_exhausted_ = false;
  StreamDeadlines deadlines_;
};

std::size_t Http2Client::free_streams() const {
  const bool closing = connection_.draining() || connection_.dying() || ids_exhausted_;
  if (closing || connection_.doubted()) return 0;
  const std::size_t max = std::min(connection_.peer_streams_max(), limits_.streams);
  return max - std::min(max, streams_.size());
}

Result<StreamId> Http2Client::start(Request request, ResponseHandler& handler, Instant now) {
  RETURN_IF_ERROR(check_request(request.head));
  if (free_streams() == 0) {
    return failure(Code::TooManyRequests, "HTTP/2: no stream is free on the connection");
  }
  // GET and its like have no body; for the others the length tells that there is none.
  const auto length = request.body.length();
  const bool may_carry = request.head.method != Method::Get && request.head.method != Method::Head;
  const std::int32_t id = connection_.submit_request(
      request.head, length && (*length > 0 || may_carry) ? length : std::nullopt,
      request.body.empty() ? Content::None : Content::Pulled);
  if (id == 0) {
    ids_exhausted_ = true;
    return failure(Code::TooManyRequests, "HTTP/2: the connection has used all its stream ids");
  }
  Stream& stream = streams_.add(std::make_unique<Stream>(Stream{.id = id,
                                                                .handler = &handler,
                                                                .kind = request.kind,
                                                                .method = request.head.method,
                                                                .moved_at = now}));
  stream.body = std::move(request.body);
  deadlines_.pass_turn(stream);
  return id;
}

void Http2Client::receive(std::string_view bytes, Instant now) {
  connection_.receive(bytes, now);
  settle();
}

std::string_view Http2Client::output(Instant now) {
  settle();
  const std::string_view bytes = connection_.output(now);
  deadlines_.rearm(streams_, now, [this](const Stream& stream) { return deadline_of(stream); });
  drop_streams_if_dying();
  return bytes;
}

// Ends the connection when it was only kept for streams that are over.
void Http2Client::settle() {
  if (connection_.draining() && streams_.empty()) {
    connection_.terminate(Http2Code::NoError, std::nullopt);
  }
  drop_streams_if_dying();
}

void Http2Client::receive_end(Instant /*now*/) {
  connection_.abandon(
      streams_.empty()
          ? std::nullopt
          : std::optional(Error{.code = Code::ServiceUnavailable,
                                .message = "HTTP/2: the server closed the connection"}));
  drop_streams_if_dying();
}

void Http2Client::fail(Error error, Instant /*now*/) {
  connection_.abandon(std::move(error));
  drop_streams_if_dying();
}

void Http2Client::drop_streams_if_dying() {
  if (!connection_.dying() || streams_.empty()) return;
  const Error error = connection_.reason().value_or(
      Error{.code = Code::ServiceUnavailable, .message = "HTTP/2: the connection is closed"});
  for (const auto& stream : streams_.remove_all()) {
    tell_failed(*stream, error);
  }
}

void Http2Client::on_headers_begin(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream || stream->headed) return;
  stream->head = {.status = 0};
  stream->collector = {};
}

void Http2Client::on_header(std::int32_t id, const Headers::Field& field) {
  Stream* stream = streams_.find(id);
  if (!stream || stream->headed) return;  // Trailers are of no interest.
  if (!stream->collector.admit(field, limits_)) return;
  if (field.name == ":status") {
    stream->head.status = static_cast<int>(parse_uint64(field.value).value_or(0));
  } else {
    stream->head.headers.add(field.name, field.value);
  }
}

void Http2Client::on_headers_end(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream || stream->headed || !stream->handler) return;
  stream->moved_at = connection_.now();
  if (stream->collector.overflown()) {
    return reject(*stream, {.code = Code::RequestEntityTooLarge,
                            .message = "HTTP/2: the head of the response is too large"});
  }
  if (const auto checked = check_response(stream->head); !checked.ok()) {
    return reject(*stream, checked.error());
  }
  if (is_informational(stream->head.status)) {
    if (++stream->informational > kInformationalMax) {
      reject(*stream, {.code = Code::InternalError, .message = "HTTP/2: too many 1xx responses"});
    }
    return;
  }
  const auto length = parse_uint64(stream->head.headers.find("content-length").value_or(""));
  if (length && *length > body_max(*stream) && stream->method != Method::Head) {
    return reject(*stream, too_large());
  }
  stream->headed = true;
  deadlines_.pass_turn(*stream);  // From here on, other patience counts.
  stream->handler->on_head(id, stream->head);
}

void Http2Client::on_data(std::int32_t id, std::string_view bytes) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->handler) return;
  stream->moved_at = connection_.now();
  stream->received += bytes.size();
  if (stream->received > body_max(*stream)) return reject(*stream, too_large());
  stream->unreleased += bytes.size();
  stream->handler->on_body(id, bytes);
}

void Http2Client::on_received_all(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->handler) return;
  ResponseHandler* handler = std::exchange(stream->handler, nullptr);
  if (!stream->sent) connection_.reset(id, Http2Code::Cancel);  // Answered early: say no more.
  handler->on_end(id);
}

Error Http2Client::too_large() const {
  return {.code = Code::RequestEntityTooLarge,
          .message = "the body is too large: limit is " + std::to_string(limits_.body_bytes)};
}

// Ends a response that breaks our rules.
void Http2Client::reject(Stream& stream, Error error) {
  connection_.reset(wire_id(stream.id), Http2Code::Cancel);
  tell_failed(stream, std::move(error));
}

// Tells the handler that its stream has failed.
void Http2Client::tell_failed(Stream& stream, Error error) {
  ResponseHandler* handler = std::exchange(stream.handler, nullptr);
  if (!handler) return;
  const Processed processed = stream.touched ? Processed::Perhaps : Processed::No;
  handler->on_failure(stream.id, {.error = std::move(error), .processed = processed});
}

Pull Http2Client::on_pull(std::int32_t id, std::span<char> room) {
  Stream* stream = streams_.find(id);
  if (!stream) return {.state = Pull::State::Failed};
  const Pull pulled = stream->body.pull(room);
  stream->waiting = pulled.bytes == 0 && pulled.state == Pull::State::Waiting;
  stream->moved_at = connection_.now();
  if (pulled.state == Pull::State::Failed) {
    tell_failed(*stream,
                {.code = Code::InternalError, .message = "HTTP/2: the request's body failed"});
  }
  return pulled;
}

void Http2Client::on_headers_sent(std::int32_t id) {
  if (Stream* stream = streams_.find(id)) stream->touched = true;
}

void Http2Client::on_sent_all(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  stream->sent = true;
  stream->moved_at = connection_.now();
}

void Http2Client::on_stream_closed(std::int32_t id, std::uint32_t code) {
  const auto stream = streams_.remove(id);
  if (!stream || !stream->handler) return;
  const bool refused = code == std::to_underlying(Http2Code::RefusedStream);
  stream->touched &= !refused;
  tell_failed(*stream, {.code = Code::ServiceUnavailable,
                        .message = refused ? "HTTP/2: the server refused the stream"
                                           : "HTTP/2: the server reset the stream: " +
                                                 std::string(http2_code_name(code))});
}

void Http2Client::cancel(StreamId id) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->handler) return;
  stream->handler = nullptr;
  connection_.reset(wire_id(id), Http2Code::Cancel);
}

void Http2Client::give_up(StreamId id, Instant now) {
  const Stream* stream = streams_.find(id);
  if (stream && stream->handler) connection_.doubt(stream->moved_at, now);
  cancel(id);
}

void Http2Client::resume(StreamId id) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->waiting) return;
  stream->waiting = false;
  deadlines_.pass_turn(*stream);
  connection_.resume(wire_id(id));
}

void Http2Client::release(StreamId id, std::size_t bytes) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  CHECK(bytes <= stream->unreleased);
  if (stream->unreleased >= limits_.stream_window) deadlines_.pass_turn(*stream);
  stream->unreleased -= bytes;
  connection_.release(wire_id(id), bytes);
}

std::optional<Instant> Http2Client::deadline_of(const Stream& stream) const {
  if (stream.waiting || !stream.handler) return std::nullopt;
  if (!stream.headed) return stream.moved_at + timeouts_.response_head;
  const bool held_back = stream.unreleased >= limits_.stream_window;
  if (stream.kind == RequestKind::Watch || held_back) return std::nullopt;
  return stream.moved_at + timeouts_.body_progress;
}

void Http2Client::expire_streams(Instant now) {
  const auto until = [this](const Stream& stream) { return deadline_of(stream); };
  for (const StreamId id : deadlines_.expired(streams_, now, until)) {
    Stream* stream = streams_.find(id);
    if (!stream) continue;
    reject(*stream, {.code = Code::Timeout,
                     .message = stream->headed ? "HTTP/2: the answer's body does not go on"
                                               : "HTTP/2: the server's answer does not arrive"});
  }
}

std::optional<Instant> Http2Client::next_deadline() const {
  const auto next = connection_.next_deadline(streams_.size());
  const auto stream = deadlines_.next();
  if (!stream || connection_.dying()) return next;
  return std::min(next.value_or(*stream), *stream);
}

void Http2Client::on_time(Instant now) {
  connection_.on_time(streams_.size(), now);
  expire_streams(now);
  settle();
}

}  // namespace

std::unique_ptr<ClientSession> make_http2_client(const ClientOptions& options, Instant now) {
  return std::make_unique<Http2Client>(options, now);
}

}  // namespace berth::http
