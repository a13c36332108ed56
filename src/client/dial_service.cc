#include "client/dial_service.h"

#include <utility>

namespace berth::client {
namespace {

// As client-go does, the proxy has to be right by the authorities of the cluster, or by those of
// the system if the cluster names none. But who we are is the server's to know, not the proxy's.
std::optional<env::TlsClient> tls_to_proxy(const Route& route) {
  if (route.proxy->scheme != http::ProxyScheme::Https) return std::nullopt;
  env::TlsClient tls{.server_name = route.proxy->host};
  if (route.tls) {
    tls.authorities_pem = route.tls->authorities_pem;
    tls.trust = route.tls->trust;
  }
  return tls;
}

}  // namespace

Dial::Dial(World world, Route route, env::Connected done)
    : world_(world), route_(std::move(route)), done_(std::move(done)) {
  route_.proxy ? connect_to_proxy() : connect_to_server();
}

void Dial::connect_to_server() {
  world_.network.connect({.address = route_.server,
                          .tls = route_.tls,
                          .connect_timeout = route_.connect_timeout,
                          .handshake_timeout = route_.handshake_timeout},
                         scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
                           finish(std::move(stream));
                         }));
}

void Dial::connect_to_proxy() {
  const http::Proxy& proxy = *route_.proxy;
  world_.network.connect({.address = {.host = proxy.host, .port = proxy.port},
                          .tls = tls_to_proxy(route_),
                          .connect_timeout = route_.connect_timeout,
                          .handshake_timeout = route_.handshake_timeout},
                         scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
                           if (!stream.ok()) return fail_at_proxy(std::move(stream).error());
                           talk(*std::move(stream));
                         }));
}

void Dial::talk(std::unique_ptr<env::Stream> stream) {
  auto tunnel =
      http::make_tunnel(*route_.proxy, {.host = route_.server.host, .port = route_.server.port});
  if (!tunnel.ok()) return fail_at_proxy(std::move(tunnel).error());
  tunnel_ = *std::move(tunnel);
  stream_ = std::move(stream);
  deadline_ = env::after(world_.loop, world_.clock, route_.connect_timeout, [this] {
    fail_at_proxy({.code = Code::Timeout, .message = "it does not answer"});
  });
  stream_->start(*this);
  send_output();
}

void Dial::send_output() {
  if (const std::string bytes = tunnel_->output(); !bytes.empty()) stream_->write(bytes);
}

void Dial::on_received(std::string_view bytes) {
  const auto state = tunnel_->receive(bytes);
  if (!state.ok()) return fail_at_proxy(state.error());
  if (*state == http::TunnelState::Open) return on_open();
  send_output();
}

void Dial::on_ended() {
  fail_at_proxy({.code = Code::ServiceUnavailable,
                 .message = "it closed the connection instead of an answer"});
}

void Dial::on_closed(const Status& why) {
  if (!why.ok()) return fail_at_proxy(why.error());
  on_ended();
}

void Dial::on_open() {
  deadline_.cancel();
  if (!route_.tls) return finish(std::move(stream_));
  env::TlsClient tls = *route_.tls;
  if (tls.server_name.empty()) tls.server_name = route_.server.host;
  world_.network.secure(
      std::move(stream_), {.tls = std::move(tls), .handshake_timeout = route_.handshake_timeout},
      scope_.guard([this](Result<std::unique_ptr<env::Stream>> stream) {
        if (stream.ok()) return finish(std::move(stream));
        finish(
            failure(std::move(stream).error().in_context("through proxy " + route_.proxy->name())));
      }));
}

void Dial::fail_at_proxy(Error error) {
  finish(failure(std::move(error).in_context("proxy " + route_.proxy->name())));
}

void Dial::finish(Result<std::unique_ptr<env::Stream>> result) {
  deadline_.cancel();
  scope_.renew();
  stream_.reset();                         // What was not handed on has failed.
  env::Connected done = std::move(done_);  // It may destroy us.
  done(std::move(result));
}

}  // namespace berth::client
