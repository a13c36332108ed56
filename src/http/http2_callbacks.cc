#include "http/http2_callbacks.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "base/strings.h"

namespace berth::http {
namespace {

constexpr std::size_t kFrameHead = 9;

std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

// Resets that the peer has brought about by a mistake, real or pretended.
bool is_peers_fault(std::uint32_t code) {
  return code == NGHTTP2_PROTOCOL_ERROR || code == NGHTTP2_FLOW_CONTROL_ERROR ||
         code == NGHTTP2_STREAM_CLOSED || code == NGHTTP2_FRAME_SIZE_ERROR ||
         code == NGHTTP2_REFUSED_STREAM;
}

}  // namespace

std::string_view http2_code_name(std::uint32_t code) { return nghttp2_http2_strerror(code); }

Error http2_error(std::string message) {
  return {.code = Code::InternalError, .message = "HTTP/2: " + std::move(message)};
}

ssize_t Http2Connection::Callbacks::send(nghttp2_session*, const std::uint8_t* data,
                                         std::size_t size, int, void* user_data) {
  Http2Connection& connection = self(user_data);
  if (connection.output_.size() >= connection.limits_.output_bytes) {
    return NGHTTP2_ERR_WOULDBLOCK;
  }
  connection.output_.append(text_of(data, size));
  return static_cast<ssize_t>(size);
}

// The body is pulled straight into the output, behind the room for the frame's head.
ssize_t Http2Connection::Callbacks::read_body(nghttp2_session*, std::int32_t stream, std::uint8_t*,
                                              std::size_t size, std::uint32_t* flags,
                                              nghttp2_data_source*, void* user_data) {
  Http2Connection& connection = self(user_data);
  if (connection.output_.size() >= connection.limits_.output_bytes) return NGHTTP2_ERR_PAUSE;
  const auto room = connection.output_.room(kFrameHead + size).subspan(kFrameHead);
  const Pull pulled = connection.events_.on_pull(stream, room);
  if (pulled.state == Pull::State::Failed) return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE;
  *flags |= NGHTTP2_DATA_FLAG_NO_COPY;
  if (pulled.state == Pull::State::End) {
    *flags |= NGHTTP2_DATA_FLAG_EOF;
  } else if (pulled.bytes == 0) {
    return NGHTTP2_ERR_DEFERRED;
  }
  return static_cast<ssize_t>(pulled.bytes);
}

int Http2Connection::Callbacks::send_data(nghttp2_session*, nghttp2_frame*,
                                          const std::uint8_t* head, std::size_t size,
                                          nghttp2_data_source*, void* user_data) {
  OutputBuffer& output = self(user_data).output_;
  std::memcpy(output.room(kFrameHead + size).data(), head, kFrameHead);
  output.commit(kFrameHead + size);
  return 0;
}

int Http2Connection::Callbacks::begin_frame(nghttp2_session*, const nghttp2_frame_hd* head,
                                            void* user_data) {
  const bool fine = self(user_data).count_frame(head->type, head->length, head->flags);
  return fine ? 0 : NGHTTP2_ERR_CALLBACK_FAILURE;
}

int Http2Connection::Callbacks::begin_headers(nghttp2_session*, const nghttp2_frame* frame,
                                              void* user_data) {
  self(user_data).head_begun_ = self(user_data).now_;
  self(user_data).events_.on_headers_begin(frame->hd.stream_id);
  return 0;
}

int Http2Connection::Callbacks::header(nghttp2_session*, const nghttp2_frame* frame,
                                       const std::uint8_t* name, std::size_t name_size,
                                       const std::uint8_t* value, std::size_t value_size,
                                       std::uint8_t, void* user_data) {
  self(user_data).events_.on_header(
      frame->hd.stream_id, {.name = text_of(name, name_size), .value = text_of(value, value_size)});
  return 0;
}

int Http2Connection::Callbacks::frame_received(nghttp2_session*, const nghttp2_frame* frame,
                                               void* user_data) {
  Http2Connection& connection = self(user_data);
  switch (frame->hd.type) {
    case NGHTTP2_HEADERS:
      connection.head_begun_.reset();
      connection.events_.on_headers_end(frame->hd.stream_id);
      break;
    case NGHTTP2_SETTINGS:
      connection.greeted_ = true;
      return 0;
    case NGHTTP2_PING:
      if ((frame->hd.flags & NGHTTP2_FLAG_ACK) != 0 && connection.goaway_at_) {
        connection.goaway_at_ = connection.now_;  // The notice has surely arrived.
      }
      return 0;
    case NGHTTP2_GOAWAY:
      connection.draining_ = true;
      if (frame->goaway.error_code != NGHTTP2_NO_ERROR && !connection.reason_) {
        connection.reason_ = http2_error(
            "the peer ends the connection: " +
            std::string(http2_code_name(frame->goaway.error_code)) + " " +
            quote(
                text_of(frame->goaway.opaque_data, frame->goaway.opaque_data_len).substr(0, 128)));
      }
      return 0;
    case NGHTTP2_RST_STREAM:
      return connection.side_ == Side::Client || connection.count_reset()
                 ? 0
                 : NGHTTP2_ERR_CALLBACK_FAILURE;
    case NGHTTP2_DATA:
      break;
    default:
      return 0;
  }
  if ((frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
    connection.events_.on_received_all(frame->hd.stream_id);
  }
  return 0;
}

int Http2Connection::Callbacks::data(nghttp2_session* session, std::uint8_t, std::int32_t stream,
                                     const std::uint8_t* bytes, std::size_t size, void* user_data) {
  // The connection's window is returned at once: a slow stream holds back itself, not others.
  nghttp2_session_consume_connection(session, size);
  self(user_data).events_.on_data(stream, text_of(bytes, size));
  return 0;
}

int Http2Connection::Callbacks::frame_sent(nghttp2_session*, const nghttp2_frame* frame,
                                           void* user_data) {
  Http2Connection& connection = self(user_data);
  if (frame->hd.type == NGHTTP2_RST_STREAM && is_peers_fault(frame->rst_stream.error_code)) {
    connection.count_reset();
    return 0;
  }
  if (frame->hd.type == NGHTTP2_GOAWAY && frame->goaway.error_code != NGHTTP2_NO_ERROR &&
      connection.complaint_.empty()) {
    connection.complaint_ =
        std::string(http2_code_name(frame->goaway.error_code)) + ": " +
        std::string(text_of(frame->goaway.opaque_data, frame->goaway.opaque_data_len));
  }
  if (frame->hd.type == NGHTTP2_HEADERS) connection.events_.on_headers_sent(frame->hd.stream_id);
  const bool carries = frame->hd.type == NGHTTP2_HEADERS || frame->hd.type == NGHTTP2_DATA;
  if (carries && (frame->hd.flags & NGHTTP2_FLAG_END_STREAM) != 0) {
    connection.events_.on_sent_all(frame->hd.stream_id);
  }
  return 0;
}

int Http2Connection::Callbacks::stream_closed(nghttp2_session*, std::int32_t stream,
                                              std::uint32_t code, void* user_data) {
  self(user_data).idle_since_ = self(user_data).now_;
  self(user_data).events_.on_stream_closed(stream, code);
  return 0;
}

int Http2Connection::Callbacks::complaint(nghttp2_session*, int, const char* message,
                                          std::size_t size, void* user_data) {
  self(user_data).complaint_.assign(message, std::min<std::size_t>(size, 256));
  return 0;
}

int Http2Connection::Callbacks::invalid_frame(nghttp2_session*, const nghttp2_frame* frame,
                                              int code, void* user_data) {
  Http2Connection& connection = self(user_data);
  if (connection.complaint_.empty()) {
    connection.complaint_ = std::string(nghttp2_strerror(code)) + " (frame type " +
                            std::to_string(frame->hd.type) + ")";
  }
  return 0;
}

void Http2Connection::Callbacks::install(nghttp2_session_callbacks* callbacks) {
  nghttp2_session_callbacks_set_send_callback(callbacks, send);
  nghttp2_session_callbacks_set_send_data_callback(callbacks, send_data);
  nghttp2_session_callbacks_set_on_begin_frame_callback(callbacks, begin_frame);
  nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, begin_headers);
  nghttp2_session_callbacks_set_on_header_callback(callbacks, header);
  nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, frame_received);
  nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, data);
  nghttp2_session_callbacks_set_on_frame_send_callback(callbacks, frame_sent);
  nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, stream_closed);
  nghttp2_session_callbacks_set_error_callback2(callbacks, complaint);
  nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks, invalid_frame);
}

}  // namespace berth::http
