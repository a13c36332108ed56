// Tested by upkeep_service_test.cc.
#include "upkeep/roles_controller.h"

#include <array>
#include <optional>
#include <utility>
#include <vector>

#include "client/errors.h"
#include "upkeep/aggregated_roles.h"
#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 4;

}  // namespace

RolesController::RolesController(const env::Env& env, client::Api& api,
                                 client::Informers& informers, const control::MayWrite& may_write)
    : env_(env),
      committer_(env.loop, api, may_write, {.field_manager = "berth-roles"}),
      reconciler_(env, "roles", kInWorkMax, [this](const std::string& name) { work(name); }),
      followed_(
          informers, std::array{std::pair(Kind::Roles, cluster_roles())},
          [this](Kind, const client::ObjectKey&) { enqueue_aggregated(); },
          [this] { reconciler_.start(); }) {}

// Any role may be part of any aggregated one. Once for all that this turn of the loop brings.
void RolesController::enqueue_aggregated() {
  if (std::exchange(scheduled_, true)) return;
  env_.loop.post(scope_.guard([this] {
    scheduled_ = false;
    for (const client::ObjectPtr& role : followed_.store(Kind::Roles).objects()) {
      if (is_aggregated(role->body())) reconciler_.add(std::string(role->name()));
    }
  }));
}

void RolesController::work(const std::string& name) {
  const client::Store& store = followed_.store(Kind::Roles);
  const client::ObjectPtr role = store.find({.ns = "", .name = name});
  if (!role) return reconciler_.finish(name);
  std::vector<const json::Value*> roles;
  for (const client::ObjectPtr& one : store.objects()) roles.push_back(&one->body());
  std::optional<json::Value> after = aggregate(role->body(), roles);
  if (!after || *after == role->body()) return reconciler_.finish(name);
  control::Change change{
      .resource = cluster_roles(), .before = role->body(), .after = *std::move(after)};
  committer_.submit(std::move(change), scope_.guard([this, name](const Status& status) {
    const bool gone = !status.ok() && client::is_not_found(status.error());
    if (!status.ok() && !gone && !client::is_stale_write(status.error())) {
      env_.log.warn("roles.write_failed", {{"role", name}, {"error", status.error().message}});
    }
    reconciler_.finish(name, gone ? Status() : status);
  }));
}

}  // namespace berth::upkeep
