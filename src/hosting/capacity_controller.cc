// Tested by hosting_controller_test.cc.
#include "hosting/capacity_controller.h"

#include <utility>

#include "hosting/capacity.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

constexpr std::size_t kInWorkMax = 16;
constexpr Duration kMoment = std::chrono::seconds(1);

}  // namespace

CapacityController::CapacityController(const env::Env& env, control::Committer& committer,
                                       const HostingFollowed& followed, const Situation& situation)
    : env_(env),
      committer_(committer),
      followed_(followed),
      situation_(situation),
      reconciler_(env, "hosting-capacity", kInWorkMax,
                  [this](const std::string& host) { work(host); }) {}

void CapacityController::add(const std::string& host) { reconciler_.add_after(host, kMoment); }

void CapacityController::work(const std::string& host) {
  const Host* known = situation_.find_host(host);
  if (!known || !known->is_hosting) return reconciler_.finish(host);
  const client::ObjectPtr score = followed_.store(HostingResource::Scores)
                                      .find({.ns = host, .name = std::string(kCapacityScore)});
  control::Change change{.resource = resource_of(HostingResource::Scores)};
  if (score) change.before = score->body();
  change.after = with_capacity(score ? score->body() : json::Value(), *known, env_.clock.now());
  if (score && *change.after == score->body()) return reconciler_.finish(host);
  committer_.submit(std::move(change), scope_.guard([this, host](const Status& status) {
    reconciler_.finish(host, status);
  }));
}

}  // namespace berth::hosting
