#include "upkeep/namespaces_controller.h"

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include "client/errors.h"
#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 8;

// Whoever holds content back may take hours; asking costs a list per resource.
constexpr control::RetryDelayOptions kDelays = {.first = std::chrono::milliseconds(50),
                                                .most = std::chrono::seconds(15)};

// Pods first: what they use must not go away under them.
std::vector<client::ResourceInfo> contents(const Served::Resources& served) {
  std::vector<client::ResourceInfo> resources;
  for (const client::ResourceInfo& info : served) {
    if (!info.namespaced || !info.allows("list") || !info.allows("delete")) continue;
    resources.insert(info.gvr == pods() ? resources.begin() : resources.end(), info);
  }
  return resources;
}

}  // namespace

NamespacesController::NamespacesController(const env::Env& env, client::Api& api,
                                           client::Informers& informers, Served& served,
                                           const control::MayWrite& may_write)
    : env_(env),
      api_(api),
      served_(served),
      may_write_(may_write),
      sweeper_(api, may_write),
      committer_(env.loop, api, may_write, {.field_manager = "berth-namespaces"}),
      delays_(kDelays),
      reconciler_(env, "namespace", kInWorkMax, [this](const std::string& name) { work(name); }),
      followed_(
          informers, std::array{std::pair(Kind::Namespaces, namespaces())},
          [this](Kind, const client::ObjectKey& key) { reconciler_.add(key.name); },
          [this] { reconciler_.start(); }) {}

void NamespacesController::work(const std::string& name) {
  const client::ObjectPtr object = followed_.store(Kind::Namespaces).find({.ns = "", .name = name});
  if (!object || !needs_teardown(object->body())) {
    delays_.reset(name);
    return reconciler_.finish(name);
  }
  // What deletes everything is decided on what is, not on what was.
  api_.get({.resource = namespaces(), .name = name},
           scope_.guard([this, name](Result<json::Value> live) { begin(name, std::move(live)); }));
}

void NamespacesController::begin(const std::string& name, Result<json::Value> live) {
  if (!live.ok()) {
    if (client::is_not_found(live.error())) return reconciler_.finish(name);
    return reconciler_.finish(name, failure(live.error()));
  }
  if (!needs_teardown(*live)) return reconciler_.finish(name);
  auto pass = std::make_shared<Pass>(Pass{.object = *std::move(live)});
  served_.look(
      scope_.guard([this, name, pass](const Status& status) { on_looked(name, pass, status); }));
}

void NamespacesController::on_looked(const std::string& name, const PassPtr& pass,
                                     const Status& status) {
  if (!status.ok()) pass->found.discovery_failure = status.error().message;
  pass->resources = contents(served_.resources());
  sweep_next(name, pass);
}

void NamespacesController::sweep_next(const std::string& name, const PassPtr& pass) {
  const bool pods_remain = !pass->found.left.empty() && pass->found.left.front().count > 0 &&
                           pass->found.left.front().resource == pods();
  if (pods_remain || pass->next == pass->resources.size()) return conclude(name, pass);
  const client::ResourceInfo& resource = pass->resources[pass->next++];
  sweeper_.sweep({.resource = resource, .ns = name},
                 scope_.guard([this, name, pass](Result<Content> left) {
                   if (left.ok()) {
                     pass->found.left.push_back(*std::move(left));
                   } else {
                     pass->found.content_failures.push_back(left.error().message);
                   }
                   sweep_next(name, pass);
                 }));
}

void NamespacesController::conclude(const std::string& name, const PassPtr& pass) {
  pass->found.is_complete() ? finalize(name, pass) : write_status(name, pass);
}

void NamespacesController::write_status(const std::string& name, const PassPtr& pass) {
  control::Change change{
      .resource = namespaces(),
      .before = pass->object,
      .after = with_teardown_conditions(pass->object, pass->found, env_.clock.now())};
  committer_.submit(std::move(change), scope_.guard([this, name, pass](const Status& status) {
    if (!status.ok() && !client::is_stale_write(status.error())) {
      env_.log.warn("namespaces.write_failed",
                    {{"namespace", name}, {"error", status.error().message}});
    }
    come_again(name, pass->found.grace() / 2);
  }));
}

void NamespacesController::finalize(const std::string& name, const PassPtr& pass) {
  if (!may_write_()) {
    return reconciler_.finish(name, failure(Code::Forbidden, "no longer the leader"));
  }
  // The object carries the uid and version that it was decided on.
  api_.update({.resource = namespaces(), .name = name, .subresource = "finalize"},
              finalized(pass->object), {.field_manager = "berth-namespaces"},
              scope_.guard([this, name](const Result<json::Value>& answer) {
                const bool gone = !answer.ok() && client::is_not_found(answer.error());
                if (answer.ok() || gone) {
                  env_.log.info("namespaces.finalized", {{"namespace", name}});
                  delays_.reset(name);
                  return reconciler_.finish(name);
                }
                if (!client::is_conflict(answer.error())) {
                  env_.log.warn("namespaces.finalize_failed",
                                {{"namespace", name}, {"error", answer.error().message}});
                }
                come_again(name, Duration::zero());
              }));
}

void NamespacesController::come_again(const std::string& name, Duration at_least) {
  reconciler_.add_after(name, std::max(delays_.next(name), at_least));
  reconciler_.finish(name);
}

}  // namespace berth::upkeep
