// The client's side of an HTTP/1.1 connection: one request at a time.

#pragma once

#include <memory>

#include "http/session.h"

namespace berth::http {

std::unique_ptr<ClientSession> make_http1_client(const ClientOptions& options, Instant now);

}  // namespace berth::http
