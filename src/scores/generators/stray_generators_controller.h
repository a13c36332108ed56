// Tells the author of a generator in a namespace that belongs to no cluster that nobody will carry
// it out: agents only look into their own namespaces.

#pragma once

#include <cstdint>
#include <optional>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"

namespace berth::scores {

class StrayGeneratorsController {
 public:
  // All that is borrowed outlives the controller.
  StrayGeneratorsController(const env::Env& env, client::Api& api, client::Informers& informers,
                            control::MayWrite may_write);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind : std::uint8_t { Generators, Clusters };

  void on_changed(Kind kind, const client::ObjectKey& key);
  void work(const client::ObjectKey& key);
  std::optional<json::Value> wanted_status(const client::Object& generator) const;

  env::Env env_;
  control::Committer committer_;
  control::Reconciler<client::ObjectKey> reconciler_;  // Of generators.
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::scores
