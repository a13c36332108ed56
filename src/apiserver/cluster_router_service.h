// ClusterRouter: a hub and the logical clusters that it carries, behind one door. What begins with
// "/clusters/NAME" is that cluster's, everything else the hub's.

#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "http/handler_service.h"

namespace berth::apiserver {

inline constexpr std::string_view kClustersPath = "/clusters/";

class ClusterRouter final : public http::Handler {
 public:
  // All handlers outlive it.
  explicit ClusterRouter(http::Handler& hub) : hub_(hub) {}

  void add(std::string cluster, http::Handler& handler) {
    clusters_[std::move(cluster)] = &handler;
  }

  void on_request(http::ServerRequest request, http::Answer answer) override;
  void on_refused(const http::ServerRequest& request, const Error& error,
                  http::Answer answer) override;

 private:
  http::Handler& hub_;
  std::map<std::string, http::Handler*, std::less<>> clusters_;
};

}  // namespace berth::apiserver
