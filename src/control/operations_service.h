// The endpoint for those who operate a program: health, metrics, and whatever is added.
//
//   /livez, /healthz         checks added with Probe::Live
//   /readyz                  those, the checks added with Probe::Ready, and "shutdown"
//   /readyz/NAME and so on   one check alone, with the reason of its failure
//   /metrics                 all numbers, in Prometheus' text format
//
// Each address serves only what it was opened for: probes come from outside, and have no business
// with the rest.

#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "env/clock.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/network.h"
#include "env/scope.h"
#include "http/handler_service.h"
#include "http/health.h"
#include "http/server_service.h"

namespace berth::control {

enum class Probe : std::uint8_t {
  Live,   // A restart would help.
  Ready,  // Traffic should wait.
};

using Route = std::function<void(http::ServerRequest, http::Answer)>;

enum class Topic : std::uint8_t { Health, Metrics, Added };  // The last: what add_route() adds.
using Topics = std::set<Topic>;

// Where a program can be looked at. Absent: not served.
struct OperationsAddresses {
  std::optional<env::Address> health = std::nullopt;
  std::optional<env::Address> metrics = std::nullopt;
};

// What each of the addresses serves. Added routes go with the metrics. Where health has the same
// address, they are for this machine only: there nobody keeps strangers from asking.
std::map<env::Address, Topics> topics_by_address(const OperationsAddresses& addresses);

// Lives on one loop. Checks and routes are called there.
class Operations {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Network& network;
    env::Metrics& metrics;
  };

  explicit Operations(World world);
  ~Operations();

  void add_check(Probe probe, http::HealthCheck check);

  // A path that ends with '/' stands for everything below it; the longest that fits is taken. The
  // paths above may be taken over.
  void add_route(std::string path, Route route);
  bool has_added_routes() const;

  // Any number of times: each address serves its own.
  Result<env::Address> listen(env::ListenOptions options, Topics topics);

  // From now on /readyz fails, so that no new traffic comes; everything is served on.
  void begin_shutdown() { is_shutting_down_ = true; }

  // Stops listening and ends what is open; `done` runs later, when nothing is left.
  void drain(env::Task done);

 private:
  class Door;
  struct TopicRoute {
    Topic topic;
    Route route;
  };
  struct Endpoint {
    std::string name;
    std::vector<http::HealthCheck> checks;
  };

  void add_endpoint(std::string name);
  void add_route(Topic topic, std::string path, Route route);
  Route metrics_route();
  static void probe(const Endpoint& endpoint, const http::ServerRequest& request,
                    http::Answer answer);
  const Route* find_route(std::string_view path, const Topics& topics) const;

  World world_;
  bool is_shutting_down_ = false;
  std::map<std::string, Endpoint, std::less<>> endpoints_;
  std::map<std::string, TopicRoute, std::less<>> routes_;
  std::vector<std::unique_ptr<Door>> doors_;
  std::size_t doors_open_ = 0;  // While draining.
  env::Task drained_ = {};
  env::Scope scope_;
};

}  // namespace berth::control
