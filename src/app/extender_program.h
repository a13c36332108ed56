// What `berth extender` runs on its loop.

#pragma once

#include <functional>
#include <memory>
#include <optional>

#include "app/operations_flags.h"
#include "client/api_service.h"
#include "control/operations_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "nodes/extender_service.h"

namespace berth::app {

struct ExtenderSettings {
  client::ClientConfig cluster;
  RateLimit rate = {};
  env::ListenOptions questions;  // Where kube-scheduler asks.
  OperationsAddresses operations = {};
};

class ExtenderProgram {
 public:
  // Ended because of that; ok after stop().
  using Ended = std::function<void(const Status&)>;

  // `ended` runs once, later, on the loop.
  ExtenderProgram(const env::Env& env, ExtenderSettings settings, Ended ended);

  void start();

  // Not ready any more, ends what is open; then `ended`.
  void stop();

 private:
  void end(const Status& status);

  env::Env env_;
  ExtenderSettings settings_;
  Ended ended_;
  client::Api api_;
  control::Operations operations_;
  nodes::ExtenderService extender_;
  control::Operations questions_;  // Dies before whom it asks.
  bool stopping_ = false;
  env::Scope scope_;
};

}  // namespace berth::app
