#include "http/session.h"

#include "http/http1_client.h"
#include "http/http1_server.h"
#include "http/http2_client.h"
#include "http/http2_server.h"

namespace berth::http {

std::string_view alpn_name(Protocol protocol) {
  return protocol == Protocol::Http2 ? "h2" : "http/1.1";
}

std::optional<Protocol> detect_protocol(std::string_view first_bytes) {
  constexpr std::string_view kPreface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n";
  const std::string_view seen = first_bytes.substr(0, kPreface.size());
  if (!kPreface.starts_with(seen)) return Protocol::Http1;
  if (seen.size() == kPreface.size()) return Protocol::Http2;
  return std::nullopt;
}

std::unique_ptr<ServerSession> make_server_session(Protocol protocol, const ServerOptions& options,
                                                   RequestHandler& handler, Instant now) {
  return protocol == Protocol::Http2 ? make_http2_server(options, handler, now)
                                     : make_http1_server(options, handler, now);
}

std::unique_ptr<ClientSession> make_client_session(Protocol protocol, const ClientOptions& options,
                                                   Instant now) {
  return protocol == Protocol::Http2 ? make_http2_client(options, now)
                                     : make_http1_client(options, now);
}

}  // namespace berth::http
