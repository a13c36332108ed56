// The server's side of an HTTP/1.1 connection. Requests that are sent ahead (pipelined) are
// answered one after the other, in order.

#pragma once

#include <memory>

#include "http/session.h"

namespace berth::http {

std::unique_ptr<ServerSession> make_http1_server(const ServerOptions& options,
                                                 RequestHandler& handler, Instant now);

}  // namespace berth::http
