// The client's side of an HTTP/2 connection: as many requests at once as the server admits.

#pragma once

#include <memory>

#include "http/session.h"

namespace berth::http {

std::unique_ptr<ClientSession> make_http2_client(const ClientOptions& options, Instant now);

}  // namespace berth::http
