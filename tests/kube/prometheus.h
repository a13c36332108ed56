// A real Prometheus on a free loopback port that scrapes what a test exposes, and a door in front
// of it that asks for a token.

#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "base/result.h"
#include "client/api_service.h"
#include "http/handler_service.h"
#include "http/server_service.h"
#include "kube/child.h"
#include "runtime/system.h"

namespace berth::kube {

// Serves a text at /metrics.
class Exposition {
 public:
  Exposition();
  ~Exposition();

  void set(std::string text);  // From any thread, like the rest.
  int port() const { return port_; }

 private:
  struct Page;

  runtime::System system_;
  std::unique_ptr<Page> page_;
  int port_ = 0;
};

struct PrometheusOptions {
  std::filesystem::path folder;    // For its data, its configuration and its log.
  int target = 0;                  // The port of what it scrapes, every second.
  std::filesystem::path pki = {};  // Absent: plain HTTP. Else TLS for those with a certificate.
};

class Prometheus {
 public:
  // Ready when it returns.
  static Result<std::unique_ptr<Prometheus>> start(const PrometheusOptions& options);

  std::string url() const;
  int port() const { return port_; }

  // The number of series that it answers to a query; -1: it does not. Plain HTTP only.
  int series(const std::string& promql) const;

 private:
  Prometheus() = default;

  PrometheusOptions options_;
  int port_ = 0;
  Child child_;
};

// Forwards queries that come with the bearer token over TLS; all others get 401.
class TokenDoor {
 public:
  TokenDoor(const std::filesystem::path& pki, int prometheus, std::string token);
  ~TokenDoor();

  std::string url() const;

 private:
  struct Hall;

  runtime::System system_;
  std::unique_ptr<Hall> hall_;
  int port_ = 0;
};

}  // namespace berth::kube
