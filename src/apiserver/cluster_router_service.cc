#include "apiserver/cluster_router_service.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/status_text.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

struct Target {
  std::string_view cluster;
  std::string_view rest;  // From the slash or the question mark on.
};

Target split(std::string_view target) {
  target.remove_prefix(kClustersPath.size());
  const std::size_t end = std::min(target.find_first_of("/?"), target.size());
  return {.cluster = target.substr(0, end), .rest = target.substr(end)};
}

}  // namespace

void ClusterRouter::on_request(http::ServerRequest request, http::Answer answer) {
  if (!request.head.target.starts_with(kClustersPath)) {
    return hub_.on_request(std::move(request), std::move(answer));
  }
  const auto [name, rest] = split(request.head.target);
  const auto cluster = clusters_.find(name);
  if (cluster == clusters_.end()) {
    const Error error{.code = Code::NotFound,
                      .message = fmt::format("this hub carries no cluster \"{}\"", name)};
    http::ResponseHead head{.status = 404};
    head.headers.add("content-type", "application/json");
    return answer.send(std::move(head), http::Body(json::print(failure_status(error))));
  }
  std::string target = rest.starts_with('/') ? std::string(rest) : "/" + std::string(rest);
  request.head.target = std::move(target);
  cluster->second->on_request(std::move(request), std::move(answer));
}

void ClusterRouter::on_refused(const http::ServerRequest& request, const Error& error,
                               http::Answer answer) {
  hub_.on_refused(request, error, std::move(answer));
}

}  // namespace berth::apiserver
