// The server's side of an HTTP/2 connection.

#pragma once

#include <memory>

#include "http/session.h"

namespace berth::http {

std::unique_ptr<ServerSession> make_http2_server(const ServerOptions& options,
                                                 RequestHandler& handler, Instant now);

}  // namespace berth::http
