// Tested by client/dial_service_test.cc.

#include "client/testing/proxy_server_service.h"

#include <utility>

#include <fmt/format.h>

#include "base/base64.h"
#include "base/check.h"
#include "base/strings.h"

namespace berth::client::testing {
namespace {

constexpr std::size_t kQueuedMax = 256 * 1024;

std::uint8_t number(char c) { return static_cast<std::uint8_t>(c); }

}  // namespace

// One client and, later, the server it asked for.
class ProxyServer::Guest {
 public:
  Guest(ProxyServer& proxy, std::unique_ptr<env::Stream> stream) : proxy_(proxy) {
    client_.stream = std::move(stream);
    client_.stream->start(client_);
  }

 private:
  struct End final : env::StreamHandler {
    explicit End(Guest& its_guest) : guest(its_guest) {}

    void on_received(std::string_view bytes) override { guest.on_received(*this, bytes); }
    void on_drained() override {
      if (other().stream) other().stream->resume_reading();
    }
    void on_ended() override {
      if (other().stream) other().stream->shutdown_write();
    }
    void on_closed(const Status&) override {
      stream.reset();
      guest.other_of(*this).stream.reset();
    }
    End& other() { return guest.other_of(*this); }

    Guest& guest;
    std::unique_ptr<env::Stream> stream;
  };

  End& other_of(const End& end) { return &end == &client_ ? server_ : client_; }

  void on_received(End& from, std::string_view bytes) {
    End& to = from.other();
    if (to.stream) {
      if (to.stream->write(bytes) > kQueuedMax) from.stream->pause_reading();
      return;
    }
    received_ += bytes;
    if (!proxy_.options_.answer.empty()) return say_instead();
    proxy_.options_.protocol == ProxyProtocol::Connect ? read_connect() : read_socks();
  }

  void say_instead() {
    const std::string& answer = proxy_.options_.answer;
    if (answer == ".") return;
    if (answer != "-") client_.stream->write(answer);
    client_.stream->shutdown_write();
  }

  void read_connect() {
    const std::size_t end = received_.find("\r\n\r\n");
    if (end == std::string::npos) return;
    const std::string& user = proxy_.options_.username;
    const std::string login = "Proxy-Authorization: Basic " +
                              encode_base64(user + ":" + proxy_.options_.password) + "\r\n";
    if (!user.empty() && !received_.contains(login)) {
      client_.stream->write("HTTP/1.1 407 No\r\nProxy-Authenticate: Basic\r\n\r\n");
      return client_.stream->shutdown_write();
    }
    const std::string target = received_.substr(8, received_.find(' ', 8) - 8);
    const std::size_t colon = target.rfind(':');
    dial({.host = target.substr(0, colon),
          .port = static_cast<std::uint16_t>(*parse_uint64(target.substr(colon + 1)))},
         "HTTP/1.1 200 Connection established\r\n\r\n", "HTTP/1.1 502 Bad Gateway\r\n\r\n");
  }

  void read_socks() {
    const std::string& user = proxy_.options_.username;
    if (step_ == 0 && received_.size() >= 2u + number(received_[1])) {
      const bool offered = received_.substr(2).contains('\2');
      received_.clear();
      step_ = user.empty() ? 2 : 1;
      const char method = user.empty() ? '\0' : (offered ? '\2' : '\xff');
      client_.stream->write(std::string{'\5', method});
    } else if (step_ == 1) {
      const std::string login = std::string{'\1', static_cast<char>(user.size())} + user +
                                static_cast<char>(proxy_.options_.password.size()) +
                                proxy_.options_.password;
      if (received_.size() < login.size() && login.starts_with(received_)) return;
      step_ = 2;
      client_.stream->write(std::string{'\1', received_ == login ? '\0' : '\1'});
      received_.clear();
    } else if (step_ == 2 && received_.size() >= 10) {
      read_request();
    }
  }

  void read_request() {
    const bool named = received_[3] == 3;
    const std::size_t size = named ? 5u + number(received_[4]) : 8u;
    if (received_.size() < size + 2) return;
    const std::string host =
        named ? received_.substr(5, size - 5)
              : fmt::format("{}.{}.{}.{}", number(received_[4]), number(received_[5]),
                            number(received_[6]), number(received_[7]));
    const auto port =
        static_cast<std::uint16_t>(number(received_[size]) * 256 + number(received_[size + 1]));
    const std::string rest("\0\1\0\0\0\0\0\0", 8);
    dial({.host = host, .port = port}, std::string("\5\0", 2) + rest, "\5\5" + rest);
  }

  void dial(const env::Address& address, std::string good, std::string bad) {
    proxy_.targets_.push_back(env::to_string(address));
    proxy_.env_.network.connect({.address = address},
                                scope_.guard([this, good = std::move(good), bad = std::move(bad)](
                                                 Result<std::unique_ptr<env::Stream>> stream) {
                                  if (!client_.stream) return;
                                  client_.stream->write(stream.ok() ? good : bad);
                                  if (!stream.ok()) return client_.stream->shutdown_write();
                                  server_.stream = *std::move(stream);
                                  server_.stream->start(server_);
                                }));
  }

  ProxyServer& proxy_;
  End client_{*this};
  End server_{*this};
  std::string received_;
  int step_ = 0;
  env::Scope scope_;
};

ProxyServer::ProxyServer(const env::Env& env, ProxyServerOptions options)
    : env_(env), options_(std::move(options)) {
  std::vector<env::Seat> seats;
  seats.push_back({&env_.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                     guests_.push_back(std::make_unique<Guest>(*this, std::move(stream)));
                   })});
  auto listener =
      env_.network.listen({.address = options_.listen, .tls = options_.tls}, std::move(seats));
  CHECK(listener.ok());
  listener_ = *std::move(listener);
}

ProxyServer::~ProxyServer() = default;

}  // namespace berth::client::testing
