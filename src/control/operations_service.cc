#include "control/operations_service.h"

#include <algorithm>
#include <utility>

#include "http/gzip.h"
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

}  // namespace

Operations::Operations(World world)
    : world_(world), server_({world.clock, world.loop}, *this, kSettings) {
  for (const char* name : {"healthz", "livez", "readyz"}) add_endpoint(name);
  endpoints_.at("readyz").checks.push_back({"shutdown", [this]() -> Status {
                                              if (!is_shutting_down_) return {};
                                              return failure(Code::ServiceUnavailable,
                                                             "process is shutting down");
                                            }});
  add_route("/metrics", metrics_route());
}

// Every endpoint has a check, so that a program without any of its own answers, too.
void Operations::add_endpoint(std::string name) {
  Endpoint& endpoint = endpoints_[name];
  endpoint = {.name = name, .checks = {{"ping", [] { return Status(); }}}};
  const Route route = [&endpoint](const http::ServerRequest& request, http::Answer answer) {
    probe(endpoint, request, std::move(answer));
  };
  add_route("/" + name, route);
  add_route("/" + name + "/", route);
}

void Operations::add_check(Probe probe, http::HealthCheck check) {
  if (probe == Probe::Live) {
    endpoints_.at("healthz").checks.push_back(check);
    endpoints_.at("livez").checks.push_back(check);
  }
  endpoints_.at("readyz").checks.push_back(std::move(check));
}

void Operations::add_route(std::string path, Route route) {
  routes_.insert_or_assign(std::move(path), std::move(route));
}

Result<env::Address> Operations::listen(env::ListenOptions options) {
  if (options.tls && options.tls->protocols.empty()) {
    options.tls->protocols = http::server_protocols();
  }
  std::vector<env::Seat> seats;
  seats.push_back(server_.seat(world_.network));
  ASSIGN_OR_RETURN(auto listener, world_.network.listen(std::move(options), std::move(seats)));
  listeners_.push_back(std::move(listener));
  return listeners_.back()->address();
}

void Operations::drain(env::Task done) {
  begin_shutdown();
  listeners_.clear();
  server_.drain(std::move(done));
}

void Operations::on_request(http::ServerRequest request, http::Answer answer) {
  const Route* route = find_route(http::split_target(request.head.target).path);
  if (!route) return send_text(std::move(answer), 404, "404 page not found\n");
  (*route)(std::move(request), std::move(answer));
}

const Route* Operations::find_route(std::string_view path) const {
  const auto exact = routes_.find(path);
  if (exact != routes_.end()) return &exact->second;
  while (!path.empty()) {
    path = path.substr(0, path.substr(0, path.size() - 1).rfind('/') + 1);
    const auto found = routes_.find(path);
    if (found != routes_.end()) return &found->second;
  }
  return nullptr;
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
