// A small API server over a ModelStore: list, watch, initial events, bookmarks, errors on demand.
// It speaks real HTTP on whatever network it is given, and can be told to be wrong in known ways.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "client/client_config.h"
#include "client/testing/model_store.h"
#include "env/env.h"
#include "env/scope.h"
#include "http/session.h"

namespace berth::client::testing {

// Deliberate mistakes that a checker has to notice.
enum class ServerBug : std::uint8_t {
  None,
  EarlyBookmark,   // Bookmarks run ahead of events that are still to come.
  SkippedEvent,    // Now and then a change is never sent.
  ListFromFuture,  // A list is older than the version it claims.
};

// What a test answers itself: requests that are not about the collection, and all writes.
struct ModelRequest {
  http::Method method = http::Method::Get;
  std::string path = {};
  std::string query = {};
  std::string body = {};
};
struct ModelAnswer {
  int status = 200;
  json::Value document = {};
};

struct ModelServerOptions {
  struct Page {
    std::string content_type;
    std::string body;
  };

  std::uint16_t port = 6443;
  http::ServerOptions http = {};
  std::optional<env::TlsServer> tls = std::nullopt;
  bool initial_events = true;  // False: refused with 422, as older servers do.
  std::string token = {};      // Required as bearer token; empty: everybody is welcome.
  Duration bookmark_interval = std::chrono::seconds(5);
  // Asked first; nullopt: the server answers as it always does.
  std::function<std::optional<ModelAnswer>(const ModelRequest&)> answer = nullptr;
  ServerBug bug = ServerBug::None;
  // Other paths, such as those of discovery; nullopt: 404.
  std::function<std::optional<Page>(const std::string&)> page = {};
  // Further collections by their paths, and the stores behind them, which outlive the server.
  std::function<ModelStore*(const std::string&)> collection = [](const std::string&) {
    return nullptr;
  };
  std::function<int()> trouble = [] { return 0; };  // The status of the next answer; 0: a good one.
};

// Of the server on the machine "server" in a simulated world, as a client sees it and as it shows
// itself. `scheme` is "http", or "https" with HTTP/2.
ClientConfig model_config(std::string_view scheme);
std::optional<env::TlsServer> model_tls(std::string_view scheme);

class ModelServer {
 public:
  // The store outlives the server, like a disk.
  ModelServer(const env::Env& env, ModelStore& store, ModelServerOptions options);
  ~ModelServer();

  std::uint64_t requests() const { return requests_; }
  void replace_tls(env::TlsServer tls);

 private:
  class Peer;
  class WatchSource;
  friend class Peer;

  void tick();

  env::Env env_;
  ModelStore& store_;
  ModelServerOptions options_;
  std::unique_ptr<env::Listener> listener_;
  std::map<std::uint64_t, std::unique_ptr<Peer>> peers_;
  std::uint64_t ids_ = 0;
  std::uint64_t requests_ = 0;
  env::Timer timer_;
  env::Scope scope_;
};

}  // namespace berth::client::testing
