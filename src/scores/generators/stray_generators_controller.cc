// Tested by generator_template_controller_test.cc.

#include "scores/generators/stray_generators_controller.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "base/strings.h"
#include "client/errors.h"
#include "scores/generators/generator.h"
#include "scores/generators/generator_resources_service.h"
#include "scores/generators/generator_status.h"

namespace berth::scores {
namespace {

constexpr std::size_t kInWorkMax = 4;
constexpr std::string_view kReason = "NotAClusterNamespace";

client::Gvr cluster_resource() {
  return {"cluster.open-cluster-management.io", "v1", "managedclusters"};
}

// Whether it is this controller that has spoken last.
bool is_told(const json::Value& status) {
  const json::Value* accepted =
      api::find_condition(api::field(status, "conditions"), kAcceptedCondition);
  return accepted && api::text_field(*accepted, "reason") == kReason;
}

}  // namespace

StrayGeneratorsController::StrayGeneratorsController(const env::Env& env, client::Api& api,
                                                     client::Informers& informers,
                                                     control::MayWrite may_write)
    : env_(env),
      committer_(env.loop, api, std::move(may_write), {.field_manager = "berth-scores"}),
      reconciler_(env, "straygenerators", kInWorkMax,
                  [this](const client::ObjectKey& key) { work(key); }),
      followed_(
          informers,
          std::array{std::pair(Kind::Generators, generator_resource()),
                     std::pair(Kind::Clusters, cluster_resource())},
          [this](Kind kind, const client::ObjectKey& key) { on_changed(kind, key); },
          [this] { reconciler_.start(); }) {}

void StrayGeneratorsController::on_changed(Kind kind, const client::ObjectKey& key) {
  if (kind == Kind::Generators) return reconciler_.add(key);
  for (const client::ObjectPtr& generator : followed_.store(Kind::Generators).objects()) {
    if (generator->ns() == key.name) reconciler_.add(generator->key());
  }
}

// Nothing: its agent speaks, or another provider's.
std::optional<json::Value> StrayGeneratorsController::wanted_status(
    const client::Object& generator) const {
  if (provider_of(generator.body()) != kLatencyProvider) return std::nullopt;
  const json::Value& before = api::field(generator.body(), "status");
  const std::int64_t generation = api::read_facts(generator.body()).generation;
  const std::string home(generator.ns());
  if (!followed_.store(Kind::Clusters).find({.ns = "", .name = home})) {
    const Problem problem{
        .reason = std::string(kReason),
        .message = fmt::format("there is no ManagedCluster {}, so nobody measures from there; "
                               "create the generator in the namespace of a cluster",
                               quote(home))};
    return refused_status(before, std::vector{problem}, generation, env_.clock.now());
  }
  if (!is_told(before)) return std::nullopt;
  return waiting_status(before, generation, env_.clock.now());
}

void StrayGeneratorsController::work(const client::ObjectKey& key) {
  const client::ObjectPtr generator = followed_.store(Kind::Generators).find(key);
  auto status = generator ? wanted_status(*generator) : std::nullopt;
  if (!status) return reconciler_.finish(key);
  json::Value after = generator->body();
  after["status"] = *std::move(status);
  if (after == generator->body()) return reconciler_.finish(key);
  committer_.submit(
      {.resource = generator_resource(), .before = generator->body(), .after = std::move(after)},
      scope_.guard([this, key](const Status& written) {
        if (!written.ok() && !client::is_stale_write(written.error())) {
          env_.log.warn("straygenerators.write_failed",
                        {{"generator", key.text()}, {"error", written.error().message}});
        }
        reconciler_.finish(key, written);
      }));
}

}  // namespace berth::scores
