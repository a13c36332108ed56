// Keeps the example workload of one cluster at the size of the moment.

#pragma once

#include "client/api_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "local/example_cluster.h"

namespace berth::local {

class ExampleLoadController {
 public:
  // The Api outlives it. Whoever deletes the workload has ended the game: it is not made again.
  ExampleLoadController(const env::Env& env, client::Api& api, ExampleLoad load);

 private:
  void look();
  void wait();

  env::Env env_;
  client::Api& api_;
  ExampleLoad load_;
  std::int64_t told_ = -1;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::local
