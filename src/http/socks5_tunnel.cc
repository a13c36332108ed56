#include "http/socks5_tunnel.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include <arpa/inet.h>

namespace berth::http {
namespace {

constexpr char kVersion = 5;
constexpr char kPasswordVersion = 1;
constexpr char kConnect = 1;
constexpr char kNoLogin = 0;
constexpr char kPassword = 2;
constexpr char kNoneAccepted = static_cast<char>(0xff);
constexpr char kIpv4 = 1;
constexpr char kName = 3;
constexpr char kIpv6 = 4;
constexpr std::size_t kNameMax = 255;

char byte(std::size_t number) { return static_cast<char>(number & 0xff); }

// Type and value of an address; a name is resolved by the proxy.
std::string encode_host(const std::string& host) {
  char address[16];
  if (::inet_pton(AF_INET, host.c_str(), address) == 1) {
    return std::string(1, kIpv4).append(address, 4);
  }
  if (::inet_pton(AF_INET6, host.c_str(), address) == 1) {
    return std::string(1, kIpv6).append(address, 16);
  }
  return std::string{kName, byte(host.size())}.append(host);
}

// RFC 1928, 6.
std::string_view reply_text(std::uint8_t reply) {
  constexpr std::string_view kTexts[] = {"succeeded",
                                         "general failure",
                                         "not allowed by its rules",
                                         "network unreachable",
                                         "host unreachable",
                                         "connection refused",
                                         "time to live expired",
                                         "command not supported",
                                         "address type not supported"};
  return reply < std::size(kTexts) ? kTexts[reply] : "unknown";
}

std::unexpected<Error> refused(std::string message) {
  return failure(Code::ServiceUnavailable, "SOCKS5: " + std::move(message));
}

//   Greeting --"no login"------------> Request --reply--> open
//       `----"password"--> Login --ok--^
class Socks5Tunnel final : public Tunnel {
 public:
  Socks5Tunnel(const Proxy& proxy, const TunnelTarget& target) {
    const bool has_login = !proxy.username.empty();
    output_ = has_login ? std::string{kVersion, 2, kNoLogin, kPassword}
                        : std::string{kVersion, 1, kNoLogin};
    if (has_login) {
      login_ = std::string{kPasswordVersion, byte(proxy.username.size())} + proxy.username +
               byte(proxy.password.size()) + proxy.password;
    }
    request_ = std::string{kVersion, kConnect, 0} + encode_host(target.host) +
               byte(target.port >> 8) + byte(target.port);
  }

  std::string output() override { return std::exchange(output_, {}); }

  Result<TunnelState> receive(std::string_view bytes) override {
    received_.append(bytes.substr(0, kReplyMax + 1));  // No talk of a proxy is longer.
    for (;;) {
      ASSIGN_OR_RETURN(const std::size_t size, step());
      if (size == 0) return TunnelState::Talking;
      received_.erase(0, size);
      if (phase_ != Phase::Open) continue;
      if (received_.empty()) return TunnelState::Open;
      return refused("bytes follow the proxy's reply");
    }
  }

 private:
  enum class Phase : std::uint8_t { Greeting, Login, Request, Open };
  static constexpr std::size_t kReplyMax = 4 + 1 + kNameMax + 2;

  // Reads one whole answer. Its size; 0: it is not complete.
  Result<std::size_t> step() {
    if (!output_.empty() && !received_.empty()) {
      return refused("the proxy answers before it is asked");
    }
    switch (phase_) {
      case Phase::Greeting:
        return on_method();
      case Phase::Login:
        return on_login();
      default:
        return on_reply();
    }
  }

  Result<std::size_t> on_method() {
    if (!received_.empty() && received_[0] != kVersion) {
      return refused("the proxy speaks another protocol");
    }
    if (received_.size() < 2) return 0u;
    const char method = received_[1];
    if (method == kNoLogin) {
      ask();
    } else if (method == kPassword && !login_.empty()) {
      phase_ = Phase::Login;
      output_ = std::exchange(login_, {});
    } else if (method == kNoneAccepted) {
      return refused(login_.empty() ? "the proxy wants a login, and its URL has no credentials"
                                    : "the proxy accepts no login by user and password");
    } else {
      return refused("the proxy chooses a login that was not offered");
    }
    return 2u;
  }

  Result<std::size_t> on_login() {
    if (!received_.empty() && received_[0] != kPasswordVersion) {
      return refused("the proxy's answer to the login cannot be read");
    }
    if (received_.size() < 2) return 0u;
    if (received_[1] != 0) return refused("the proxy does not accept the credentials of its URL");
    ask();
    return 2u;
  }

  void ask() {
    phase_ = Phase::Request;
    output_ = request_;
  }

  Result<std::size_t> on_reply() {
    if (!received_.empty() && received_[0] != kVersion) {
      return refused("the proxy's reply cannot be read");
    }
    if (received_.size() < 2) return 0u;
    if (const auto reply = static_cast<std::uint8_t>(received_[1]); reply != 0) {
      return refused("the proxy replies " + std::to_string(reply) + " (" +
                     std::string(reply_text(reply)) + ")");
    }
    if (received_.size() < 5) return 0u;
    ASSIGN_OR_RETURN(const std::size_t size, reply_size());
    if (received_.size() < size) return 0u;
    phase_ = Phase::Open;
    return size;
  }

  // The address in the reply is of no use to us, but its length is.
  Result<std::size_t> reply_size() const {
    constexpr std::size_t kAround = 4 + 2;  // Head and port.
    switch (received_[3]) {
      case kIpv4:
        return kAround + 4;
      case kIpv6:
        return kAround + 16;
      case kName:
        return kAround + 1 + static_cast<std::uint8_t>(received_[4]);
      default:
        return refused("the proxy's reply has an unknown type of address");
    }
  }

  Phase phase_ = Phase::Greeting;
  std::string output_;
  std::string login_;
  std::string request_;
  std::string received_;
};

}  // namespace

Result<std::unique_ptr<Tunnel>> make_socks5_tunnel(const Proxy& proxy, const TunnelTarget& target) {
  if (target.host.empty() || target.host.size() > kNameMax) {
    return refused("a host's name has 1 to 255 bytes");
  }
  return std::make_unique<Socks5Tunnel>(proxy, target);
}

}  // namespace berth::http
