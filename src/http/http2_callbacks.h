// The functions that libnghttp2 calls for an Http2Connection, and its words for errors.

#pragma once

#include <string>

#include <nghttp2/nghttp2.h>

#include "http/http2_connection.h"

namespace berth::http {

Error http2_error(std::string message);

struct Http2Connection::Callbacks {
  static void install(nghttp2_session_callbacks* callbacks);

  static ssize_t send(nghttp2_session*, const std::uint8_t* data, std::size_t size, int,
                      void* user_data);
  static ssize_t read_body(nghttp2_session*, std::int32_t stream, std::uint8_t*, std::size_t size,
                           std::uint32_t* flags, nghttp2_data_source*, void* user_data);
  static int send_data(nghttp2_session*, nghttp2_frame*, const std::uint8_t* head, std::size_t size,
                       nghttp2_data_source*, void* user_data);
  static int begin_frame(nghttp2_session*, const nghttp2_frame_hd* head, void* user_data);
  static int begin_headers(nghttp2_session*, const nghttp2_frame* frame, void* user_data);
  static int header(nghttp2_session*, const nghttp2_frame* frame, const std::uint8_t* name,
                    std::size_t name_size, const std::uint8_t* value, std::size_t value_size,
                    std::uint8_t, void* user_data);
  static int frame_received(nghttp2_session*, const nghttp2_frame* frame, void* user_data);
  static int data(nghttp2_session* session, std::uint8_t, std::int32_t stream,
                  const std::uint8_t* bytes, std::size_t size, void* user_data);
  static int frame_sent(nghttp2_session*, const nghttp2_frame* frame, void* user_data);
  static int stream_closed(nghttp2_session*, std::int32_t stream, std::uint32_t code,
                           void* user_data);
  static int complaint(nghttp2_session*, int, const char* message, std::size_t size,
                       void* user_data);
  static int invalid_frame(nghttp2_session*, const nghttp2_frame* frame, int code, void* user_data);

  static Http2Connection& self(void* user_data) {
    return *static_cast<Http2Connection*>(user_data);
  }
};

}  // namespace berth::http
