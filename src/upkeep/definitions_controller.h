// Ends CustomResourceDefinitions: all their instances are deleted first. For hubs whose API server
// does not do so itself.

#pragma once

#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "control/retry_delays.h"
#include "env/env.h"
#include "env/scope.h"
#include "upkeep/sweeper_service.h"

namespace berth::upkeep {

class DefinitionsController {
 public:
  // All that is borrowed outlives the controller.
  DefinitionsController(const env::Env& env, client::Api& api, client::Informers& informers,
                        const control::MayWrite& may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Definitions };

  void work(const std::string& name);
  void begin(const std::string& name, Result<json::Value> live);
  void sweep(const std::string& name, const json::Value& definition);
  void on_swept(const std::string& name, const json::Value& definition, Result<Content> left);
  void write(const std::string& name, const json::Value& before, json::Value after);
  void come_again(const std::string& name);

  env::Env env_;
  client::Api& api_;
  Sweeper sweeper_;
  control::Committer committer_;
  control::RetryDelays<std::string> delays_;
  control::Reconciler<std::string> reconciler_;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
