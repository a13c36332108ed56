// The Secrets and ConfigMaps that score sources may read: only those with the label, so that no
// others are ever in this process's memory.

#pragma once

#include <functional>
#include <map>
#include <string>

#include "client/informer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/sources/endpoint_access.h"

namespace berth::scores {

class SourceMaterials {
 public:
  // Something in that namespace changed.
  using Changed = std::function<void(const std::string& ns)>;

  // Starts at once; both are called on the loop. The Api outlives this.
  SourceMaterials(const env::Env& env, client::Api& api, Changed changed, env::Task synced);

  bool has_synced() const;

  // In that namespace.
  const json::Value* find(const std::string& ns, MaterialRef::Kind kind,
                          const std::string& name) const;

 private:
  void follow(client::InformerService& informer);

  Changed changed_;
  env::Task synced_;
  client::InformerService secrets_;
  client::InformerService config_maps_;
  bool told_ = false;
  env::Scope scope_;
};

}  // namespace berth::scores
