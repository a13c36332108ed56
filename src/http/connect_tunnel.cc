#include "http/connect_tunnel.h"

#include <utility>

#include "base/base64.h"
#include "http/client_rules.h"
#include "http/http1_head.h"

namespace berth::http {
namespace {

constexpr Limits kLimits = {.header_bytes = 16 * 1024, .header_count = 100};
constexpr int kInformationalMax = 16;
constexpr int kProxyAuthenticationRequired = 407;

std::string request_of(const Proxy& proxy, const TunnelTarget& target) {
  const bool is_ipv6 = target.host.contains(':');
  const std::string authority =
      (is_ipv6 ? "[" + target.host + "]" : target.host) + ":" + std::to_string(target.port);
  std::string text = "CONNECT " + authority + " HTTP/1.1\r\nHost: " + authority + "\r\n";
  if (!proxy.username.empty()) {
    text += "Proxy-Authorization: Basic " + encode_base64(proxy.username + ":" + proxy.password);
    text += "\r\n";
  }
  return text + "\r\n";
}

class ConnectTunnel final : public Tunnel {
 public:
  ConnectTunnel(const Proxy& proxy, const TunnelTarget& target)
      : output_(request_of(proxy, target)), showed_credentials_(!proxy.username.empty()) {}

  std::string output() override { return std::exchange(output_, {}); }

  Result<TunnelState> receive(std::string_view bytes) override {
    received_.append(bytes.substr(0, kLimits.header_bytes + 1));  // The scanner refuses more.
    for (;;) {
      const auto size = scanner_.scan(received_, kLimits);
      if (!size.ok()) return unreadable();
      if (!*size) return TunnelState::Talking;
      const auto response = parse_http1_response(std::string_view(received_).substr(0, **size),
                                                 Method::Head, kLimits);
      if (!response.ok()) return unreadable();
      received_.erase(0, **size);
      scanner_.reset();
      if (!is_informational(response->head.status)) return judge(response->head.status);
      if (++informational_ > kInformationalMax) {
        return failure(Code::ServiceUnavailable, "too many 1xx answers to CONNECT");
      }
    }
  }

 private:
  // The bytes themselves are not shown: a proxy may repeat our credentials.
  static std::unexpected<Error> unreadable() {
    return failure(Code::ServiceUnavailable, "the answer to CONNECT is no HTTP/1.1, or too large");
  }

  Result<TunnelState> judge(int status) const {
    if (status < 200 || status >= 300) return refused(status);
    if (received_.empty()) return TunnelState::Open;
    return failure(Code::ServiceUnavailable, "bytes follow the answer to CONNECT");
  }

  std::unexpected<Error> refused(int status) const {
    std::string message = "the answer to CONNECT is " + std::to_string(status) + " " +
                          std::string(status_text(status));
    if (status == kProxyAuthenticationRequired) {
      message += showed_credentials_ ? ": it does not accept the credentials of its URL"
                                     : ": its URL has no credentials";
    }
    return failure(Code::ServiceUnavailable, std::move(message));
  }

  std::string output_;
  const bool showed_credentials_;
  std::string received_;
  HeadScanner scanner_;
  int informational_ = 0;
};

}  // namespace

std::unique_ptr<Tunnel> make_connect_tunnel(const Proxy& proxy, const TunnelTarget& target) {
  return std::make_unique<ConnectTunnel>(proxy, target);
}

}  // namespace berth::http
