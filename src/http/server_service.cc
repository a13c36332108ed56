#include "http/server_service.h"

#include <utility>

namespace berth::http {

std::vector<std::string> server_protocols() {
  return {std::string(alpn_name(Protocol::Http2)), std::string(alpn_name(Protocol::Http1))};
}

Server::Server(World world, Handler& handler, ServerSettings settings)
    : share_{.clock = world.clock,
             .loop = world.loop,
             .handler = handler,
             .settings = std::move(settings)} {}

Server::~Server() = default;

env::Seat Server::seat(env::Network& network) {
  return {&network,
          scope_.guard([this](std::unique_ptr<env::Stream> stream) { accept(std::move(stream)); })};
}

void Server::accept(std::unique_ptr<env::Stream> stream) {
  if (draining_ || connections_.size() >= share_.settings.connections_max) return;  // Closes it.
  const std::uint64_t id = ++ids_;
  auto connection = std::make_shared<ServerConnection>(share_, std::move(stream),
                                                       scope_.guard([this, id] { bury(id); }));
  connections_.emplace(id, connection);
  connection->start();
}

void Server::bury(std::uint64_t id) {
  connections_.erase(id);
  if (drained_ && connections_.empty()) share_.loop.post(std::exchange(drained_, nullptr));
}

void Server::drain(env::Task done) {
  if (std::exchange(draining_, true)) return;
  drained_ = std::move(done);
  if (connections_.empty()) return share_.loop.post(std::exchange(drained_, nullptr));
  const Timeouts& timeouts = share_.settings.session.timeouts;
  drain_timer_ = env::after(share_.loop, share_.clock, timeouts.drain + timeouts.linger,
                            [this] { drop_all(); });
  for (const auto& [id, connection] : connections_) connection->shutdown();
}

void Server::drop_all() {
  for (const auto& [id, connection] : connections_) connection->drop();
}

}  // namespace berth::http
