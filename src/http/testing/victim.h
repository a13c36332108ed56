// An HTTP/2 server session whose peer is a string of bytes.

#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "http/session.h"
#include "http/testing/frames.h"
#include "http/testing/loopback.h"

namespace berth::http::testing {

struct Victim {
  explicit Victim(const ServerOptions& options = {})
      : server(make_server_session(Protocol::Http2, options, service, now)) {
    service.session = server.get();
    service.at_end = [](ServerSession& session, StreamId id, const Seen&) {
      session.respond(id, {}, "ok");
    };
    receive(hello());
  }

  void receive(const std::string& bytes) {
    server->receive(bytes, now);
    flush();
  }

  void flush() {
    for (std::string_view out; !(out = server->output(now)).empty(); server->written(out.size())) {
      sent += out;
    }
  }

  // Attacks until the server has had enough; says after how many frames.
  template <typename Attack>
  int until_goaway(int tries, const Attack& attack) {
    for (int i = 0; i < tries; ++i) {
      if (server->finished()) return i;
      receive(attack(i));
    }
    return tries;
  }

  Instant now = Instant(std::chrono::hours(1));
  Service service;
  std::unique_ptr<ServerSession> server;
  std::string sent;
};

inline std::uint32_t odd(int i) { return static_cast<std::uint32_t>(2 * i + 1); }

inline constexpr std::string_view kCalmDown("\0\0\0\x0b", 4);  // ENHANCE_YOUR_CALM

}  // namespace berth::http::testing
