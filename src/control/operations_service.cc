#include "control/operations_service.h"

#include <algorithm>
#include <utility>

#include "http/gzip.h"
#include "http/proxy.h"
#include "http/url.h"

namespace berth::control {
namespace {

// Probes and scrapers are few; who asks for more than this at once does not mean well.
constexpr http::ServerSettings kSettings = {.connections_max = 256, .requests_max = 64};

void send_text(http::Answer answer, int status, std::string text) {
  http::ResponseHead head{.status = status};
  head.headers.add("content-type", "text/plain; charset=utf-8");
  head.headers.add("x-content-type-options", "nosniff");
  head.headers.add("cache-control", "no-cache, private");
  answer.send(std::move(head), std::move(text));
}

void refuse_method(http::Answer answer) {
  http::ResponseHead head{.status = 405};
  head.headers.add("allow", "GET, HEAD");
  head.headers.add("content-type", "text/plain; charset=utf-8");
  answer.send(std::move(head), "method not allowed\n");
}

bool is_read(const http::ServerRequest& request) {
  return request.head.method == http::Method::Get || request.head.method == http::Method::Head;
}

// No proxy is ever between this machine and itself.
bool is_this_machine(const env::Address& address) {
  return http::goes_direct("", address.host, address.port);
}

}  // namespace

std::map<env::Address, Topics> topics_by_address(const OperationsAddresses& addresses) {
  std::map<env::Address, Topics> topics;
  if (addresses.health) topics[*addresses.health] = {Topic::Health};
  if (!addresses.metrics) return topics;
  Topics& at_metrics = topics[*addresses.metrics];
  if (at_metrics.empty() || is_this_machine(*addresses.metrics)) at_metrics.insert(Topic::Added);
  at_metrics.insert(Topic::Metrics);
  return topics;
}

// One address with those who came through it.
class Operations::Door final : public http::Handler {
 public:
  Door(Operations& operations, Topics topics)
      : operations_(operations),
        topics_(std::move(topics)),
        server_({operations.world_.clock, operations.world_.loop}, *this, kSettings) {}

  Status open(env::ListenOptions options) {
    env::Network& network = operations_.world_.network;
    std::vector<env::Seat> seats;
    seats.push_back(server_.seat(network));
    ASSIGN_OR_RETURN(listener_, network.listen(std::move(options), std::move(seats)));
    return {};
  }

  env::Address address() const { return listener_->address(); }

  void drain(env::Task done) {
    listener_.reset();
    server_.drain(std::move(done));
  }

  void on_request(http::ServerRequest request, http::Answer answer) override {
    const std::string_view path = http::split_target(request.head.target).path;
    const Route* route = operations_.find_route(path, topics_);
    if (!route) return send_text(std::move(answer), 404, "404 page not found\n");
    (*route)(std::move(request), std::move(answer));
  }

 private:
  Operations& operations_;
  Topics topics_;
  http::Server server_;
  std::unique_ptr<env::Listener> listener_;
};

Operations::Operations(World world) : world_(world) {
  for (const char* name : {"healthz", "livez", "readyz"}) add_endpoint(name);
  endpoints_.at("readyz").checks.push_back({"shutdown", [this]() -> Status {
                                              if (!is_shutting_down_) return {};
                                              return failure(Code::ServiceUnavailable,
                                                             "process is shutting down");
                                            }});
  add_route(Topic::Metrics, "/metrics", metrics_route());
}

Operations::~Operations() = default;

// Every endpoint has a check, so that a program without any of its own answers, too.
void Operations::add_endpoint(std::string name) {
  Endpoint& endpoint = endpoints_[name];
  endpoint = {.name = name, .checks = {{"ping", [] { return Status(); }}}};
  const Route route = [&endpoint](const http::ServerRequest& request, http::Answer answer) {
    probe(endpoint, request, std::move(answer));
  };
  add_route(Topic::Health, "/" + name, route);
  add_route(Topic::Health, "/" + name + "/", route);
}

void Operations::add_check(Probe probe, http::HealthCheck check) {
  if (probe == Probe::Live) {
    endpoints_.at("healthz").checks.push_back(check);
    endpoints_.at("livez").checks.push_back(check);
  }
  endpoints_.at("readyz").checks.push_back(std::move(check));
}

void Operations::add_route(std::string path, Route route) {
  add_route(Topic::Added, std::move(path), std::move(route));
}

void Operations::add_route(Topic topic, std::string path, Route route) {
  routes_.insert_or_assign(std::move(path), TopicRoute{topic, std::move(route)});
}

bool Operations::has_added_routes() const {
  return std::ranges::any_of(routes_,
                             [](const auto& entry) { return entry.second.topic == Topic::Added; });
}

Result<env::Address> Operations::listen(env::ListenOptions options, Topics topics) {
  if (options.tls && options.tls->protocols.empty()) {
    options.tls->protocols = http::server_protocols();
  }
  auto door = std::make_unique<Door>(*this, std::move(topics));
  RETURN_IF_ERROR(door->open(std::move(options)));
  doors_.push_back(std::move(door));
  return doors_.back()->address();
}

void Operations::drain(env::Task done) {
  begin_shutdown();
  if (doors_.empty()) return world_.loop.post(std::move(done));
  drained_ = std::move(done);
  doors_open_ = doors_.size();
  for (const auto& door : doors_) {
    door->drain(scope_.guard([this] {
      if (--doors_open_ == 0) world_.loop.post(std::exchange(drained_, nullptr));
    }));
  }
}

const Route* Operations::find_route(std::string_view path, const Topics& topics) const {
  const auto find = [&](std::string_view prefix) -> const Route* {
    const auto found = routes_.find(prefix);
    const bool served = found != routes_.end() && topics.contains(found->second.topic);
    return served ? &found->second.route : nullptr;
  };
  const Route* route = find(path);
  while (!route && !path.empty()) {
    path = path.substr(0, path.substr(0, path.size() - 1).rfind('/') + 1);
    route = find(path);
  }
  return route;
}

void Operations::probe(const Endpoint& endpoint, const http::ServerRequest& request,
                       http::Answer answer) {
  if (!is_read(request)) return refuse_method(std::move(answer));
  const http::Target target = http::split_target(request.head.target);
  const std::string_view name =
      target.path.substr(std::min(target.path.size(), endpoint.name.size() + 2));
  if (name.empty()) {
    http::HealthAnswer all = http::check_health(endpoint.name, endpoint.checks, target.query);
    return send_text(std::move(answer), all.status, std::move(all.text));
  }
  const auto check = std::ranges::find(endpoint.checks, name, &http::HealthCheck::name);
  if (check == endpoint.checks.end()) {
    return send_text(std::move(answer), 404, "404 page not found\n");
  }
  http::HealthAnswer one = http::check_health_of(*check);
  send_text(std::move(answer), one.status, std::move(one.text));
}

// Scrapers list the formats they prefer; all of them take the text format, so it is the only one.
Route Operations::metrics_route() {
  return [this](const http::ServerRequest& request, http::Answer answer) {
    if (!is_read(request)) return refuse_method(std::move(answer));
    http::ResponseHead head;
    head.headers.add("content-type", "text/plain; version=0.0.4; charset=utf-8");
    head.headers.add("vary", "Accept-Encoding");
    std::string text = world_.metrics.exposition();
    if (http::accepts_gzip(request.head.headers.find("accept-encoding"))) {
      head.headers.add("content-encoding", "gzip");
      text = http::gzip(text);
    }
    answer.send(std::move(head), std::move(text));
  };
}

}  // namespace berth::control
