// Knows whether any Placement on the hub asks for the scores of an object: for providers that make
// it on demand only.

#pragma once

#include <functional>
#include <set>
#include <string>

#include "client/api_service.h"
#include "client/follower_service.h"
#include "env/env.h"

namespace berth::scores {

class Demand {
 public:
  // `told` hears at every change whether there is demand; the first time when all Placements are
  // known. It is called on the loop. The Api outlives this.
  Demand(const env::Env& env, client::Api& hub, std::string score_object,
         std::function<void(bool)> told);

  bool exists() const { return !placements_.empty(); }

 private:
  void look_at(const client::Object& placement);
  void tell();

  std::string score_object_;
  std::function<void(bool)> told_;
  std::set<client::ObjectKey> placements_;  // That ask.
  bool last_told_ = false;
  bool has_told_ = false;
  client::Follower follower_;
};

}  // namespace berth::scores
