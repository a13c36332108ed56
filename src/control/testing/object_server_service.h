// A server in a simulated world that keeps objects as Kubernetes does: versions, conflicts, merge
// patches.

#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "client/testing/model_server_service.h"
#include "json/value.h"
#include "sim/world.h"

namespace berth::control::testing {

class ObjectServer {
 public:
  explicit ObjectServer(std::string_view scheme = "http");  // "https": with HTTP/2.

  sim::World& world() { return world_; }
  std::map<std::string, json::Value>& objects() { return objects_; }  // By path.
  const std::vector<std::string>& log() const { return log_; }  // "PATCH /path", as they came.

  // Starts a client on a machine of its own; what `make` returns lives there.
  void start_client(const std::string& name,
                    std::function<std::shared_ptr<void>(env::Env&, client::Api&)> make);

  void fail_with(int status) { trouble_ = status; }  // 0: all is well again.

 private:
  client::testing::ModelAnswer answer(const client::testing::ModelRequest& request);
  client::testing::ModelAnswer create(const client::testing::ModelRequest& request,
                                      json::Value object);
  client::testing::ModelAnswer change(const client::testing::ModelRequest& request,
                                      json::Value change);

  std::string scheme_;
  std::map<std::string, json::Value> objects_;
  std::vector<std::string> log_;
  client::testing::ModelStore unused_;
  int version_ = 0;
  int trouble_ = 0;
  sim::World world_;
};

}  // namespace berth::control::testing
