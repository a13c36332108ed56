// Tested by usage_agent_service_test.cc.
#include "scores/usage/demand_service.h"

#include <utility>

#include "scores/usage/references.h"

namespace berth::scores {

Demand::Demand(const env::Env& env, client::Api& hub, std::string score_object,
               std::function<void(bool)> told)
    : score_object_(std::move(score_object)),
      told_(std::move(told)),
      follower_(
          env, hub,
          {.collection = {.resource = {"cluster.open-cluster-management.io", "v1beta1",
                                       "placements"}},
           .projection = client::Projection::only({"spec.prioritizerPolicy", "spec.predicates"})},
          {.on_state =
               [this](const std::vector<client::ObjectPtr>& all) {
                 placements_.clear();
                 for (const client::ObjectPtr& placement : all) look_at(*placement);
                 tell();
               },
           .on_put =
               [this](const client::Object& placement) {
                 look_at(placement);
                 tell();
               },
           .on_removed =
               [this](const client::Object& placement) {
                 placements_.erase(placement.key());
                 tell();
               }}) {}

void Demand::look_at(const client::Object& placement) {
  if (refers_to_scores(placement.body(), score_object_)) {
    placements_.insert(placement.key());
  } else {
    placements_.erase(placement.key());
  }
}

void Demand::tell() {
  if (std::exchange(has_told_, true) && last_told_ == exists()) return;
  last_told_ = exists();
  told_(last_told_);
}

}  // namespace berth::scores
