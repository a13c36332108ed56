#include "http/http2_connection.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <utility>
#include <vector>

#include <nghttp2/nghttp2.h>

#include "base/check.h"
#include "http/http1_head.h"
#include "http/http2_callbacks.h"

namespace berth::http {
namespace {

constexpr Duration kNoticeTime = std::chrono::seconds(1);
constexpr std::size_t kQueueMax = 4096;  // Frames that wait to be sent before input is held back.

constexpr std::uint32_t raw(Http2Code code) { return std::to_underlying(code); }

nghttp2_nv field(std::string_view name, std::string_view value) {
  // libnghttp2 copies both and writes to neither.
  const auto bytes = [](std::string_view text) {
    return reinterpret_cast<std::uint8_t*>(const_cast<char*>(text.data()));
  };
  return {bytes(name), bytes(value), name.size(), value.size(), NGHTTP2_NV_FLAG_NONE};
}

std::string_view print(std::uint64_t number, std::span<char> room) {
  const auto end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
  return {room.data(), static_cast<std::size_t>(end - room.data())};
}

void append_fields(std::vector<nghttp2_nv>& fields, const Headers& headers) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Headers::Field header = headers[i];
    if (is_connection_field(header.name) || header.name == "host") continue;
    CHECK(is_token(header.name));
    fields.push_back(field(header.name, header.value));
  }
}

Error timeout(std::string_view what) {
  return {.code = Code::Timeout, .message = "HTTP/2: " + std::string(what)};
}

}  // namespace

Http2Connection::Http2Connection(const Options& options, Http2Events& events, Instant now)
    : side_(options.side),
      limits_(options.limits),
      timeouts_(options.timeouts),
      events_(events),
      resets_(options.limits.resets),
      control_frames_(options.limits.control_frames),
      now_(now),
      opened_(now),
      heard_at_(now),
      idle_since_(now) {
  create(options);
  std::vector<nghttp2_settings_entry> settings = {
      {NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE, limits_.stream_window},
      {NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE, static_cast<std::uint32_t>(limits_.header_bytes)}};
  if (side_ == Side::Server) {
    settings.push_back({NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS, limits_.streams});
  } else {
    settings.push_back({NGHTTP2_SETTINGS_ENABLE_PUSH, 0});
  }
  int outcome =
      nghttp2_submit_settings(session_, NGHTTP2_FLAG_NONE, settings.data(), settings.size());
  CHECK(outcome == 0);
  outcome = nghttp2_session_set_local_window_size(
      session_, NGHTTP2_FLAG_NONE, 0, static_cast<std::int32_t>(limits_.connection_window));
  CHECK(outcome == 0);
}

void Http2Connection::create(const Options& options) {
  nghttp2_session_callbacks* callbacks = nullptr;
  nghttp2_option* option = nullptr;
  CHECK(nghttp2_session_callbacks_new(&callbacks) == 0);
  CHECK(nghttp2_option_new(&option) == 0);
  Callbacks::install(callbacks);
  nghttp2_option_set_no_auto_window_update(option, 1);
  nghttp2_option_set_no_closed_streams(option, 1);
  nghttp2_option_set_max_outbound_ack(option, limits_.acks_queued);
  nghttp2_option_set_max_settings(option, limits_.settings_entries);
  nghttp2_option_set_max_continuations(option, limits_.continuation_frames);
  // Its own limit on resets reads the machine's clock; ours takes the time as an argument.
  nghttp2_option_set_stream_reset_rate_limit(option, std::numeric_limits<std::uint64_t>::max(), 1);
  const int outcome = options.side == Side::Server
                          ? nghttp2_session_server_new2(&session_, callbacks, this, option)
                          : nghttp2_session_client_new2(&session_, callbacks, this, option);
  CHECK(outcome == 0);
  nghttp2_option_del(option);
  nghttp2_session_callbacks_del(callbacks);
}

Http2Connection::~Http2Connection() { nghttp2_session_del(session_); }

bool Http2Connection::count_frame(std::uint8_t type, std::size_t length, std::uint8_t flags) {
  const bool empty_data =
      type == NGHTTP2_DATA && length == 0 && (flags & NGHTTP2_FLAG_END_STREAM) == 0;
  const bool useful = type == NGHTTP2_DATA || type == NGHTTP2_HEADERS ||
                      type == NGHTTP2_WINDOW_UPDATE || type == NGHTTP2_CONTINUATION ||
                      type == NGHTTP2_RST_STREAM;  // Counted apart.
  if ((useful && !empty_data) || control_frames_.allow(now_)) return true;
  terminate(Http2Code::EnhanceYourCalm, http2_error("too many control frames from the peer"));
  return false;
}

bool Http2Connection::count_reset() {
  if (resets_.allow(now_)) return true;
  terminate(Http2Code::EnhanceYourCalm, http2_error("too many streams reset by the peer"));
  return false;
}

void Http2Connection::receive(std::string_view bytes, Instant now) {
  now_ = now;
  if (dying_ || gone_) return;
  heard_at_ = now;
  ping_sent_.reset();
  doubted_ = false;
  const auto outcome = nghttp2_session_mem_recv(
      session_, reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size());
  after_nghttp2(outcome < 0 ? static_cast<int>(outcome) : 0);
  if (goaway_at_ && *goaway_at_ <= now) final_goaway();
}

// Sees whether libnghttp2 has given the connection up.
void Http2Connection::after_nghttp2(int outcome) {
  if (dying_ || gone_) return;
  if (outcome < 0) {
    const std::string why = complaint_.empty() ? nghttp2_strerror(outcome) : complaint_;
    terminate(
        outcome == NGHTTP2_ERR_FLOODED ? Http2Code::EnhanceYourCalm : Http2Code::InternalError,
        http2_error(why));
  } else if (nghttp2_session_want_read(session_) == 0) {
    dying_ = true;
    if (!draining_ && !reason_) {
      reason_ = http2_error(complaint_.empty() ? "the peer broke the protocol" : complaint_);
    }
  }
}

void Http2Connection::send() {
  if (gone_) return;
  const int outcome = nghttp2_session_send(session_);
  after_nghttp2(outcome == NGHTTP2_ERR_PAUSE ? 0 : outcome);
}

std::string_view Http2Connection::output(Instant now) {
  now_ = now;
  send();
  stall_.observe(output_.size(), now);
  return output_.view();
}

void Http2Connection::written(std::size_t bytes) {
  output_.drop(std::min(bytes, output_.size()));
  if (bytes > 0) stall_.progress();
}

bool Http2Connection::wants_input() const {
  if (gone_) return false;
  return dying_ ||
         nghttp2_session_get_outbound_queue_size(session_) < kQueueMax;  // Dying: dropped.
}

bool Http2Connection::finished() const {
  if (gone_) return true;
  return dying_ && output_.empty() && nghttp2_session_want_write(session_) == 0;
}

std::optional<Instant> Http2Connection::silence_deadline() const {
  return ping_sent_ ? *ping_sent_ + timeouts_.ping_answer : heard_at_ + timeouts_.ping_after;
}

std::optional<Instant> Http2Connection::head_deadline() const {
  if (!greeted_) return opened_ + timeouts_.head;
  if (head_begun_) return *head_begun_ + timeouts_.head;
  return std::nullopt;
}

std::optional<Instant> Http2Connection::next_deadline(std::size_t open_streams) const {
  if (gone_) return std::nullopt;
  std::optional<Instant> next = stall_.deadline(timeouts_.send_progress);
  const auto at = [&next](std::optional<Instant> time) {
    if (time) next = next ? std::min(*next, *time) : *time;
  };
  if (dying_) return next;
  at(silence_deadline());
  at(head_deadline());
  if (side_ == Side::Client && !settled()) at(opened_ + timeouts_.settings);
  at(goaway_at_);
  at(drain_until_);
  if (open_streams == 0) at(idle_since_ + timeouts_.idle);
  return next;
}

void Http2Connection::on_time(std::size_t open_streams, Instant now) {
  now_ = now;
  const auto passed = [now](std::optional<Instant> time) { return time && *time <= now; };
  if (gone_) return;
  if (passed(stall_.deadline(timeouts_.send_progress))) {
    return abandon(timeout("the peer takes no output"));
  }
  if (dying_) return;
  if (passed(goaway_at_)) final_goaway();
  if (passed(drain_until_)) {
    terminate(Http2Code::NoError, timeout("shut down before the end"));
  } else if (passed(head_deadline())) {
    terminate(Http2Code::NoError,
              timeout(greeted_ ? "a head does not arrive" : "the peer's settings do not arrive"));
  } else if (open_streams == 0 && passed(idle_since_ + timeouts_.idle)) {
    terminate(Http2Code::NoError, std::nullopt);
  } else if (passed(silence_deadline())) {
    if (ping_sent_) return abandon(timeout("the peer does not answer a PING"));
    ping(now);
  }
}

void Http2Connection::ping(Instant now) {
  ping_sent_ = now;
  nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
}

void Http2Connection::doubt(Instant since, Instant now) {
  if (heard_at_ > since || doubted_ || dying_ || gone_) return;
  doubted_ = true;
  if (!ping_sent_) ping(now);
}

std::int32_t Http2Connection::submit_request(const RequestHead& head,
                                             std::optional<std::uint64_t> length, Content content) {
  std::array<char, 24> digits;
  std::vector<nghttp2_nv> fields = {field(":method", method_name(head.method)),
                                    field(":scheme", "https"), field(":authority", head.authority),
                                    field(":path", head.target)};
  append_fields(fields, head.headers);
  if (length) fields.push_back(field("content-length", print(*length, digits)));
  nghttp2_data_provider provider = {.source = {.ptr = nullptr},
                                    .read_callback = Callbacks::read_body};
  const std::int32_t stream =
      nghttp2_submit_request(session_, nullptr, fields.data(), fields.size(),
                             content == Content::Pulled ? &provider : nullptr, nullptr);
  return std::max(stream, 0);
}

void Http2Connection::submit_response(std::int32_t stream, const ResponseHead& head,
                                      std::optional<std::uint64_t> length, Content content) {
  std::array<char, 24> status;
  std::array<char, 24> digits;
  std::vector<nghttp2_nv> fields = {
      field(":status", print(static_cast<std::uint64_t>(head.status), status))};
  fields.reserve(head.headers.size() + 2);
  append_fields(fields, head.headers);
  if (length) fields.push_back(field("content-length", print(*length, digits)));
  nghttp2_data_provider provider = {.source = {.ptr = nullptr},
                                    .read_callback = Callbacks::read_body};
  const int outcome = nghttp2_submit_response(session_, stream, fields.data(), fields.size(),
                                              content == Content::Pulled ? &provider : nullptr);
  CHECK(outcome == 0);
}

void Http2Connection::submit_continue(std::int32_t stream) {
  const nghttp2_nv status = field(":status", "100");
  nghttp2_submit_headers(session_, NGHTTP2_FLAG_NONE, stream, nullptr, &status, 1, nullptr);
}

void Http2Connection::reset(std::int32_t stream, Http2Code code) {
  nghttp2_submit_rst_stream(session_, NGHTTP2_FLAG_NONE, stream, raw(code));
}

void Http2Connection::resume(std::int32_t stream) {
  nghttp2_session_resume_data(session_, stream);  // Harmless when it does not wait.
}

void Http2Connection::release(std::int32_t stream, std::size_t bytes) {
  nghttp2_session_consume_stream(session_, stream, bytes);
}

std::uint32_t Http2Connection::peer_streams_max() const {
  return nghttp2_session_get_remote_settings(session_, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS);
}

// A client may have sent requests that are still under way: first the notice, then, when it has
// surely arrived, the number of the last stream that counts.
void Http2Connection::drain(Instant now) {
  if (drain_until_ || dying_ || gone_) return;
  drain_until_ = now + timeouts_.drain;
  if (side_ == Side::Server) {
    nghttp2_submit_shutdown_notice(session_);
    nghttp2_submit_ping(session_, NGHTTP2_FLAG_NONE, nullptr);
    goaway_at_ = now + kNoticeTime;
  } else {
    draining_ = true;
    nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE, 0, NGHTTP2_NO_ERROR, nullptr, 0);
  }
}

void Http2Connection::final_goaway() {
  goaway_at_.reset();
  draining_ = true;
  nghttp2_submit_goaway(session_, NGHTTP2_FLAG_NONE,
                        nghttp2_session_get_last_proc_stream_id(session_), NGHTTP2_NO_ERROR,
                        nullptr, 0);
}

void Http2Connection::terminate(Http2Code code, std::optional<Error> error) {
  if (dying_ || gone_) return;
  dying_ = true;
  if (!reason_) reason_ = std::move(error);
  nghttp2_session_terminate_session(session_, raw(code));
}

void Http2Connection::abandon(std::optional<Error> error) {
  if (gone_) return;
  gone_ = dying_ = true;
  if (!reason_) reason_ = std::move(error);
  output_.drop(output_.size());
  stall_.observe(0, now_);
}

}  // namespace berth::http
