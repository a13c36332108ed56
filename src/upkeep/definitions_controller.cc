// Tested by upkeep_service_test.cc.
#include "upkeep/definitions_controller.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "client/errors.h"
#include "upkeep/definition_teardown.h"
#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 4;
constexpr control::RetryDelayOptions kDelays = {.first = std::chrono::milliseconds(50),
                                                .most = std::chrono::seconds(15)};

}  // namespace

DefinitionsController::DefinitionsController(const env::Env& env, client::Api& api,
                                             client::Informers& informers,
                                             const control::MayWrite& may_write)
    : env_(env),
      api_(api),
      sweeper_(api, may_write),
      committer_(env.loop, api, may_write, {.field_manager = "berth-definitions"}),
      delays_(kDelays),
      reconciler_(env, "definitions", kInWorkMax, [this](const std::string& name) { work(name); }),
      followed_(
          informers, std::array{std::pair(Kind::Definitions, definitions())},
          [this](Kind, const client::ObjectKey& key) { reconciler_.add(key.name); },
          [this] { reconciler_.start(); }) {}

void DefinitionsController::work(const std::string& name) {
  const client::ObjectPtr object =
      followed_.store(Kind::Definitions).find({.ns = "", .name = name});
  if (!object || !needs_cleanup(object->body())) {
    delays_.reset(name);
    return reconciler_.finish(name);
  }
  api_.get({.resource = definitions(), .name = name},
           scope_.guard([this, name](Result<json::Value> live) { begin(name, std::move(live)); }));
}

// The server refuses new instances once the condition is there; so it comes before the sweep.
void DefinitionsController::begin(const std::string& name, Result<json::Value> live) {
  if (!live.ok()) {
    if (client::is_not_found(live.error())) return reconciler_.finish(name);
    return reconciler_.finish(name, failure(live.error()));
  }
  if (!needs_cleanup(*live)) return reconciler_.finish(name);
  const Time now = env_.clock.now();
  if (!instances_of(*live)) return write(name, *live, with_cleanup_done(*live, now));
  json::Value begun = with_cleanup_begun(*live, now);
  if (begun != *live) return write(name, *live, std::move(begun));
  sweep(name, *live);
}

void DefinitionsController::sweep(const std::string& name, const json::Value& definition) {
  const auto instances = instances_of(definition);
  if (instances->resource.version.empty()) {
    env_.log.warn("definitions.no_served_version", {{"definition", name}});
    return come_again(name);
  }
  sweeper_.sweep({.resource = {.gvr = instances->resource,
                               .kind = "",
                               .namespaced = instances->namespaced,
                               .verbs = {"deletecollection"}},
                  .unserved = Sweeper::Unserved::IsAFailure},
                 scope_.guard([this, name, definition](Result<Content> left) {
                   on_swept(name, definition, std::move(left));
                 }));
}

void DefinitionsController::on_swept(const std::string& name, const json::Value& definition,
                                     Result<Content> left) {
  if (!left.ok()) {
    env_.log.warn("definitions.sweep_failed",
                  {{"definition", name}, {"error", left.error().message}});
    return come_again(name);
  }
  if (left->count > 0) return come_again(name);
  env_.log.info("definitions.emptied", {{"definition", name}});
  write(name, definition, with_cleanup_done(definition, env_.clock.now()));
}

// Whatever is written brings the definition back with the next event.
void DefinitionsController::write(const std::string& name, const json::Value& before,
                                  json::Value after) {
  control::Change change{.resource = definitions(), .before = before, .after = std::move(after)};
  committer_.submit(std::move(change), scope_.guard([this, name](const Status& status) {
    const bool gone = !status.ok() && client::is_not_found(status.error());
    if (!status.ok() && !gone && !client::is_stale_write(status.error())) {
      env_.log.warn("definitions.write_failed",
                    {{"definition", name}, {"error", status.error().message}});
    }
    reconciler_.finish(name, gone ? Status() : status);
  }));
}

void DefinitionsController::come_again(const std::string& name) {
  reconciler_.add_after(name, delays_.next(name));
  reconciler_.finish(name);
}

}  // namespace berth::upkeep
