#include "sim/sim_network.h"

#include <utility>

#include <fmt/core.h>

#include "base/check.h"
#include "sim/dialling.h"
#include "sim/inband_tls.h"
#include "sim/sim_tls.h"

namespace berth::sim {

SimNetwork::SimNetwork(Fabric& fabric, std::string host, SimLoop& loop)
    : fabric_(fabric), host_(std::move(host)), loop_(loop) {}

void SimNetwork::resolve(env::Address address, env::Resolved done) {
  if (loop_.is_dead()) return;
  const bool is_known = address.host == "localhost" || address.host == "127.0.0.1" ||
                        address.host == "::1" || fabric_.has_host(address.host);
  Result<std::vector<env::Address>> result = std::vector<env::Address>{address};
  if (!is_known) {
    result =
        failure(Code::ServiceUnavailable, fmt::format("resolve {}: no such host", address.host));
  } else if (address.host == "localhost") {
    result->front().host = "127.0.0.1";
  }
  fabric_.schedule().add(
      fabric_.schedule().now() + fabric_.draw_latency(),
      [loop = loop(), result = std::move(result), done = std::move(done)]() mutable {
        loop->post([result = std::move(result), done = std::move(done)]() mutable {
          done(std::move(result));
        });
      });
}

void SimNetwork::connect(env::ConnectOptions options, env::Connected done) {
  if (loop_.is_dead()) return;
  std::make_shared<Dialling>(fabric_, Dialling::Caller{.host = host_, .loop = loop()},
                             std::move(options), std::move(done))
      ->begin();
}

Status SimNetwork::check(const env::TlsClient& tls) { return check_identity(tls.identity); }

void SimNetwork::secure(std::unique_ptr<env::Stream> stream, env::SecureOptions options,
                        env::Connected done) {
  CHECK(!options.tls.server_name.empty());
  if (loop_.is_dead()) return;
  // All streams of this process are of this class: a process lives in one world only.
  std::unique_ptr<SimStream> taken(static_cast<SimStream*>(stream.release()));
  std::make_shared<InbandClient>(fabric_, std::move(taken), std::move(options), std::move(done))
      ->begin();
}

Result<std::unique_ptr<env::Listener>> SimNetwork::listen(env::ListenOptions options,
                                                          std::vector<env::Seat> seats) {
  CHECK(!seats.empty());
  if (loop_.is_dead()) return failure(Code::ServiceUnavailable, "the process is gone");
  auto listener =
      std::make_unique<SimListener>(fabric_, host_, std::move(options), std::move(seats));
  RETURN_IF_ERROR(listener->bind());
  return listener;
}

SimListener::SimListener(Fabric& fabric, std::string host, env::ListenOptions options,
                         std::vector<env::Seat> seats)
    : fabric_(fabric), host_(std::move(host)), options_(std::move(options)) {
  for (env::Seat& seat : seats) {
    // All networks of this process are of this class: a process lives in one world only.
    const auto& network = static_cast<const SimNetwork&>(*seat.network);
    places_.push_back(std::make_shared<Place>(network.loop(), std::move(seat.accepted)));
  }
}

SimListener::~SimListener() {
  if (port_ != 0) fabric_.unbind(host_, port_);
}

Status SimListener::bind() {
  ASSIGN_OR_RETURN(port_, fabric_.bind(host_, options_.address.port, *this));
  return {};
}

Status SimListener::replace_tls(env::TlsServer tls) {
  CHECK(options_.tls.has_value());
  options_.tls = std::move(tls);
  return {};
}

std::shared_ptr<SimListener::Place> SimListener::next_place() {
  const auto place = places_[next_place_++ % places_.size()];
  const bool refused = place->loop->is_dead() || *open_ >= options_.streams_max;
  return refused ? nullptr : place;
}

std::shared_ptr<void> SimListener::take_ticket() {
  ++*open_;
  return {open_.get(), [open = open_](void* /*counter*/) { --*open; }};
}

}  // namespace berth::sim
