// Carries out the generators in a cluster's namespace on the hub, from inside the cluster: what
// they ask for is measured and published as an AddOnPlacementScore of the generator's name.

#pragma once

#include <cstddef>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "client/informer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/generators/generator_runner_service.h"
#include "scores/generators/plugins_service.h"

namespace berth::scores {

class GeneratorController {
 public:
  // Starts at once. The Api, of the hub, outlives the controller.
  GeneratorController(const env::Env& env, client::Api& hub, GeneratorOptions options);
  ~GeneratorController();

  bool has_synced() const { return generators_.has_synced(handler_); }
  std::size_t runs() const { return runs_; }  // Under way.

 private:
  void on_changed(const client::ObjectKey& key);
  bool is_ours(const json::Value& generator) const;
  void remove_score(const client::Object& generator);
  void on_slot_free();

  env::Env env_;
  client::Api& hub_;
  GeneratorOptions options_;
  Plugins plugins_;
  std::size_t runs_ = 0;
  bool waking_ = false;
  GeneratorSurroundings around_;
  std::map<client::ObjectKey, std::unique_ptr<GeneratorRunner>> runners_;
  client::ObjectKey last_served_ = {};
  client::InformerService generators_;
  client::HandlerId handler_ = 0;
  env::Scope scope_;
};

}  // namespace berth::scores
