// The endpoint for those who operate a program: health, metrics, and whatever is added.
//
//   /livez, /healthz         checks added with Probe::Live
//   /readyz                  those, the checks added with Probe::Ready, and "shutdown"
//   /readyz/NAME and so on   one check alone, with the reason of its failure
//   /metrics                 all numbers, in Prometheus' text format

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "env/clock.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/network.h"
#include "http/handler_service.h"
#include "http/health.h"
#include "http/server_service.h"

namespace berth::control {

enum class Probe : std::uint8_t {
  Live,   // A restart would help.
  Ready,  // Traffic should wait.
};

using Route = std::function<void(http::ServerRequest, http::Answer)>;

// Lives on one loop. Checks and routes are called there.
class Operations final : public http::Handler {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Network& network;
    env::Metrics& metrics;
  };

  explicit Operations(World world);

  void add_check(Probe probe, http::HealthCheck check);

  // A path that ends with '/' stands for everything below it; the longest that fits is taken. The
  // paths above may be taken over.
  void add_route(std::string path, Route route);

  // Any number of times: health and metrics may have addresses of their own.
  Result<env::Address> listen(env::ListenOptions options);

  // From now on /readyz fails, so that no new traffic comes; everything is served on.
  void begin_shutdown() { is_shutting_down_ = true; }

  // Stops listening and ends what is open; `done` runs later, when nothing is left.
  void drain(env::Task done);

  void on_request(http::ServerRequest request, http::Answer answer) override;

 private:
  struct Endpoint {
    std::string name;
    std::vector<http::HealthCheck> checks;
  };

  void add_endpoint(std::string name);
  Route metrics_route();
  static void probe(const Endpoint& endpoint, const http::ServerRequest& request,
                    http::Answer answer);
  const Route* find_route(std::string_view path) const;

  World world_;
  bool is_shutting_down_ = false;
  std::map<std::string, Endpoint, std::less<>> endpoints_;
  std::map<std::string, Route, std::less<>> routes_;
  http::Server server_;
  std::vector<std::unique_ptr<env::Listener>> listeners_;
};

}  // namespace berth::control
