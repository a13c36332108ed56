#include "http/http2_server.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "http/header_collector.h"
#include "http/http2_connection.h"
#include "http/stream_deadlines.h"
#include "http/stream_table.h"

namespace berth::http {
namespace {

struct Stream {
  StreamId id;
  Instant moved_at;  // When the peer last got on with this stream, in either direction.
  RequestHead head = {.target = ""};
  HeaderCollector collector = {};
  std::uint64_t received = 0;
  std::size_t unreleased = 0;  // Bytes of the body that the handler still holds.
  Method method = Method::Get;
  bool announced = false;     // The handler knows of it.
  bool request_over = false;  // Read to its end, or given up.
  bool rest_unread = false;   // Given up: bytes of it may still arrive.
  bool answered = false;
  bool sent = false;     // The whole answer is in the output.
  bool waiting = false;  // The source of the answer has nothing now.
  bool doomed = false;   // A reset is on its way out.
  bool turned = true;    // It has become the peer's turn since the last output.
  Body body = {};

  // Whether the handler still wants to hear of the request.
  bool is_heard() const { return announced && !answered && !doomed; }
};

std::int32_t wire_id(StreamId id) { return static_cast<std::int32_t>(id); }

// What is wrong with a head that libnghttp2 has let pass; empty when nothing is.
std::string_view complaint_about(const RequestHead& head) {
  const bool target_ok =
      head.target.starts_with('/') || (head.target == "*" && head.method == Method::Options);
  const bool visible = std::ranges::all_of(head.target, [](char c) { return c > ' ' && c < 0x7f; });
  if (!target_ok || !visible) return "HTTP/2: the path must begin with '/'\n";
  return {};
}

class Http2Server final : public ServerSession, private Http2Events {
 public:
  Http2Server(const ServerOptions& options, RequestHandler& handler, Instant now)
      : limits_(options.limits),
        timeouts_(options.timeouts),
        handler_(handler),
        connection_({.side = Side::Server, .limits = options.limits, .timeouts = options.timeouts},
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
  std::size_t open_streams() const override { return streams_.size(); }
  void respond(StreamId id, ResponseHead head, Body body) override;
  void reset(StreamId id) override;

 private:
  void on_headers_begin(std::int32_t stream) override;
  void on_header(std::int32_t stream, const Headers::Field& field) override;
  void on_headers_end(std::int32_t stream) override;
  void on_data(std::int32_t stream, std::string_view bytes) override;
  void on_received_all(std::int32_t stream) override;
  Pull on_pull(std::int32_t stream, std::span<char> room) override;
  void on_headers_sent(std::int32_t) override {}
  void on_sent_all(std::int32_t stream) override;
  void on_stream_closed(std::int32_t stream, std::uint32_t code) override;

  void announce(Stream& stream);
  void refuse(Stream& stream, int status, std::string_view text);
  void give_up_request(Stream& stream, const Error& error);
  void drop_streams_if_dying();
  void expire_streams(Instant now);
  std::optional<Instant> deadline_of(const Stream& stream) const;

  const Limits limits_;
  const Timeouts timeouts_;
  RequestHandler& handler_;
  StreamTable<Stream> streams_;
  Http2Connection connection_;
  StreamDeadlines deadlines_;
};

void Http2Server::receive(std::string_view bytes, Instant now) {
  connection_.receive(bytes, now);
  drop_streams_if_dying();
}

std::string_view Http2Server::output(Instant now) {
  const std::string_view bytes = connection_.output(now);
  deadlines_.rearm(streams_, now, [this](const Stream& stream) { return deadline_of(stream); });
  drop_streams_if_dying();
  return bytes;
}

void Http2Server::receive_end(Instant /*now*/) {
  connection_.abandon(streams_.empty()
                          ? std::nullopt
                          : std::optional(Error{.code = Code::ServiceUnavailable,
                                                .message = "HTTP/2: the peer went away"}));
  drop_streams_if_dying();
}

void Http2Server::fail(Error error, Instant /*now*/) {
  connection_.abandon(std::move(error));
  drop_streams_if_dying();
}

void Http2Server::drop_streams_if_dying() {
  if (!connection_.dying() || streams_.empty()) return;
  for (const auto& stream : streams_.remove_all()) {
    if (stream->announced) {
      handler_.on_closed(stream->id, stream->sent ? StreamEnd::Answered : StreamEnd::Cancelled);
    }
  }
}

void Http2Server::on_headers_begin(std::int32_t stream) {
  if (streams_.find(stream)) return;  // Trailers.
  streams_.add(std::make_unique<Stream>(Stream{.id = stream, .moved_at = connection_.now()}));
}

void Http2Server::on_header(std::int32_t id, const Headers::Field& field) {
  Stream* stream = streams_.find(id);
  if (!stream || stream->announced) return;  // Trailers are of no interest.
  if (!stream->collector.admit(field, limits_)) return;
  if (field.name == ":method") {
    stream->head.method = method_of_name(field.value);
  } else if (field.name == ":path") {
    stream->head.target = field.value;
  } else if (field.name == ":authority") {
    stream->head.authority = field.value;
  } else if (!field.name.starts_with(':')) {
    stream->head.headers.add(field.name, field.value);
  }
}

void Http2Server::on_headers_end(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream || stream->announced || stream->answered) return;
  stream->method = stream->head.method;
  if (stream->collector.overflown() || stream->head.target.size() > limits_.target_bytes) {
    refuse(*stream, 431, "HTTP/2: the head is too large\n");
  } else if (const auto complaint = complaint_about(stream->head); !complaint.empty()) {
    refuse(*stream, 400, complaint);
  } else {
    announce(*stream);
  }
}

void Http2Server::announce(Stream& stream) {
  RequestHead head = std::move(stream.head);
  const auto length = parse_uint64(head.headers.find("content-length").value_or("0"));
  const bool expects = list_contains(head.headers.find("expect").value_or(""), "100-continue");
  if (head.authority.empty()) head.authority = head.headers.find("host").value_or("");
  stream.announced = true;
  handler_.on_request(stream.id, std::move(head));
  if (!stream.is_heard()) return;
  deadlines_.pass_turn(stream);
  if (length.value_or(0) > limits_.body_bytes) {
    give_up_request(stream, {.code = Code::RequestEntityTooLarge,
                             .message = "the body is too large: limit is " +
                                        std::to_string(limits_.body_bytes)});
  } else if (expects) {
    connection_.submit_continue(wire_id(stream.id));
  }
}

// Answers a head that the handler does not get to see.
void Http2Server::refuse(Stream& stream, int status, std::string_view text) {
  ResponseHead head = {.status = status};
  head.headers.add("content-type", "text/plain; charset=utf-8");
  stream.answered = true;
  stream.rest_unread = !stream.request_over;
  stream.body = Body(std::string(text));
  connection_.submit_response(wire_id(stream.id), head, text.size(),
                              stream.method == Method::Head ? Content::None : Content::Pulled);
  deadlines_.pass_turn(stream);
}

void Http2Server::on_data(std::int32_t id, std::string_view bytes) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->is_heard() || stream->request_over) return;  // Its window stays shut.
  stream->moved_at = connection_.now();
  stream->received += bytes.size();
  if (stream->received > limits_.body_bytes) {
    return give_up_request(*stream, {.code = Code::RequestEntityTooLarge,
                                     .message = "the body is too large: limit is " +
                                                std::to_string(limits_.body_bytes)});
  }
  stream->unreleased += bytes.size();
  handler_.on_body(id, bytes);
}

// The rest of the request will not be read.
void Http2Server::give_up_request(Stream& stream, const Error& error) {
  stream.request_over = true;
  stream.rest_unread = true;
  if (stream.is_heard()) handler_.on_bad_body(stream.id, error);
}

void Http2Server::on_received_all(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  const bool told = stream->request_over;
  stream->request_over = true;
  stream->rest_unread = false;
  if (!told && stream->is_heard()) handler_.on_end(id);
}

void Http2Server::respond(StreamId id, ResponseHead head, Body body) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->is_heard()) return;
  stream->answered = true;
  stream->rest_unread |= !stream->request_over;
  const auto length = has_body(head.status) ? body.length() : std::nullopt;
  const bool bodiless = stream->method == Method::Head || !has_body(head.status) || body.empty();
  connection_.submit_response(wire_id(id), head, length,
                              bodiless ? Content::None : Content::Pulled);
  if (!bodiless) stream->body = std::move(body);
  deadlines_.pass_turn(*stream);
}

Pull Http2Server::on_pull(std::int32_t id, std::span<char> room) {
  Stream* stream = streams_.find(id);
  if (!stream) return {.state = Pull::State::Failed};
  const Pull pulled = stream->body.pull(room);
  stream->waiting = pulled.bytes == 0 && pulled.state == Pull::State::Waiting;
  stream->moved_at = connection_.now();
  return pulled;
}

void Http2Server::on_sent_all(std::int32_t id) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  stream->sent = true;
  if (stream->rest_unread) connection_.reset(id, Http2Code::NoError);  // RFC 9113, 8.1.
}

void Http2Server::on_stream_closed(std::int32_t id, std::uint32_t /*code*/) {
  const auto stream = streams_.remove(id);
  if (!stream || !stream->announced) return;
  handler_.on_closed(id, stream->sent ? StreamEnd::Answered : StreamEnd::Cancelled);
}

void Http2Server::reset(StreamId id) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  stream->doomed = true;
  connection_.reset(wire_id(id), Http2Code::InternalError);
}

void Http2Server::resume(StreamId id) {
  Stream* stream = streams_.find(id);
  if (!stream || !stream->waiting) return;
  stream->waiting = false;
  deadlines_.pass_turn(*stream);
  connection_.resume(wire_id(id));
}

void Http2Server::release(StreamId id, std::size_t bytes) {
  Stream* stream = streams_.find(id);
  if (!stream) return;
  CHECK(bytes <= stream->unreleased);
  if (stream->unreleased >= limits_.stream_window) deadlines_.pass_turn(*stream);
  stream->unreleased -= bytes;
  connection_.release(wire_id(id), bytes);
}

std::optional<Instant> Http2Server::deadline_of(const Stream& stream) const {
  if (stream.doomed) return std::nullopt;
  if (stream.answered && !stream.sent && !stream.waiting) {
    return stream.moved_at + timeouts_.send_progress;
  }
  const bool owes_body = stream.is_heard() && !stream.request_over;
  if (owes_body && stream.unreleased < limits_.stream_window) {
    return stream.moved_at + timeouts_.body_progress;
  }
  return std::nullopt;
}

void Http2Server::expire_streams(Instant now) {
  const auto until = [this](const Stream& stream) { return deadline_of(stream); };
  for (const StreamId id : deadlines_.expired(streams_, now, until)) {
    Stream* stream = streams_.find(id);
    if (!stream) continue;
    if (stream->is_heard()) {
      give_up_request(*stream, {.code = Code::Timeout,
                                .message = "HTTP/2: the request's body does not arrive"});
    } else {
      reset(id);
    }
  }
}

std::optional<Instant> Http2Server::next_deadline() const {
  const auto next = connection_.next_deadline(streams_.size());
  const auto stream = deadlines_.next();
  if (!stream || connection_.dying()) return next;
  return std::min(next.value_or(*stream), *stream);
}

void Http2Server::on_time(Instant now) {
  connection_.on_time(streams_.size(), now);
  expire_streams(now);
  drop_streams_if_dying();
}

}  // namespace

std::unique_ptr<ServerSession> make_http2_server(const ServerOptions& options,
                                                 RequestHandler& handler, Instant now) {
  return std::make_unique<Http2Server>(options, handler, now);
}

}  // namespace berth::http
