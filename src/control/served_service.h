// Holds something back until the server knows the resources that it is about: custom resources
// whose definitions are applied later, or never.

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::control {

struct ServedOptions {
  std::string name = {};  // Of what waits; for the log.
  std::vector<client::ResourcePath> collections = {};
  std::string remedy = {};  // What an operator can do when one is missing; logged once.
  Duration look_every = std::chrono::seconds(10);
};

class ServedService {
 public:
  // `served` runs once, later, on the loop, when the server knows every collection. One that may
  // not be read counts: whoever reads it says so. The Api outlives the service, which `served` must
  // not destroy.
  ServedService(const env::Env& env, client::Api& api, ServedOptions options, env::Task served);

  // The server has been asked, and does not know one of them: nothing is wrong, nothing can be
  // done.
  bool is_missing() const { return missing_; }
  bool is_served() const { return found_ == options_.collections.size(); }

 private:
  void ask();
  void on_answer(const Result<json::Value>& answer);
  void look_later();

  env::Env env_;
  client::Api& api_;
  ServedOptions options_;
  env::Task served_;
  std::size_t found_ = 0;  // How many of the collections, from the first on.
  bool missing_ = false;
  bool told_ = false;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::control
