// The shell that serves HTTP: connections of one loop, their requests to one handler.
//
// A program that serves with several I/O loops has one Server (and one Handler) on each, and one
// listener that deals the connections to their seats.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "env/clock.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "http/handler_service.h"
#include "http/server_connection_service.h"

namespace berth::http {

// For TlsServer::protocols: HTTP/2 for those who can, HTTP/1.1 for everybody else. Without TLS, and
// for clients that do not say, the first bytes tell.
std::vector<std::string> server_protocols();

// Lives on one loop. Its death cuts all connections, and handlers hear nothing more.
class Server {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
  };

  // The handler outlives the server.
  Server(World world, Handler& handler, ServerSettings settings);
  ~Server();

  // Where a listener puts streams for this server; `network` is that of the server's loop.
  env::Seat seat(env::Network& network);

  // Stop in good order: no new connections or requests, the requests that are open may end within
  // Timeouts::drain, then the rest is cut. `done` runs once, later, when nothing is left. Whoever
  // serves endless streams ends them; whoever owns the listener closes it.
  void drain(env::Task done);

  std::size_t connections() const { return connections_.size(); }
  std::size_t requests() const { return share_.requests; }  // That wait for their answer.

 private:
  void accept(std::unique_ptr<env::Stream> stream);
  void bury(std::uint64_t id);
  void drop_all();

  ServerShare share_;
  std::map<std::uint64_t, std::shared_ptr<ServerConnection>> connections_;
  std::uint64_t ids_ = 0;
  env::Task drained_;  // Set while draining.
  bool draining_ = false;
  env::Timer drain_timer_;
  env::Scope scope_;
};

}  // namespace berth::http
