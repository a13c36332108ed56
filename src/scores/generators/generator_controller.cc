#include "scores/generators/generator_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "scores/generators/generator_resources_service.h"

namespace berth::scores {

GeneratorController::GeneratorController(const env::Env& env, client::Api& hub,
                                         GeneratorOptions options)
    : env_(env),
      hub_(hub),
      options_(std::move(options)),
      plugins_(env_.processes, env_.disk, options_.plugins),
      around_{.env = env_,
              .hub = hub_,
              .plugins = plugins_,
              .options = options_,
              .take_slot =
                  [this] {
                    if (runs_ >= options_.runs_max) return false;
                    ++runs_;
                    return true;
                  },
              .give_back = [this] { on_slot_free(); }},
      generators_(env_, hub_,
                  {.collection = {.resource = generator_resource(), .ns = options_.cluster},
                   .resync = std::chrono::minutes(1)}) {
  handler_ = generators_.add_handler(
      scope_.guard([this](const client::Delta& delta) { on_changed(delta.object().key()); }));
  generators_.start();
}

GeneratorController::~GeneratorController() {
  generators_.remove_handler(handler_);
  scope_.renew();  // Slots that runners give back now are nobody's.
  runners_.clear();
}

// Looks at what is, not at what happened: a repeated or a lost event is harmless.
void GeneratorController::on_changed(const client::ObjectKey& key) {
  const client::ObjectPtr object = generators_.store().find(key);
  const auto running = runners_.find(key);
  const bool is_wanted =
      object && is_ours(object->body()) && !api::read_facts(object->body()).is_deleting;
  if (running != runners_.end()) {
    const bool is_same = object && running->second->uid() == object->uid();
    if (is_wanted && is_same) return running->second->update(object);
    const client::ObjectPtr ended = running->second->object();
    runners_.erase(running);
    remove_score(*ended);
  }
  if (is_wanted) runners_[key] = std::make_unique<GeneratorRunner>(around_, object);
}

bool GeneratorController::is_ours(const json::Value& generator) const {
  const std::string provider = provider_of(generator);
  return provider == kLatencyProvider || plugins_.has(provider);
}

// Garbage collection does the same, where it runs; a score without its generator should not have to
// wait until it lapses. Only what belongs to that very generator goes.
void GeneratorController::remove_score(const client::Object& generator) {
  const client::ResourcePath path{.resource = score_resource(),
                                  .ns = std::string(generator.ns()),
                                  .name = std::string(generator.name())};
  hub_.get(path, scope_.guard([this, path, owner = std::string(generator.uid())](
                                  const Result<json::Value>& score) {
    if (!score.ok()) return;
    const api::Metadata metadata(*score);
    const auto owners = metadata.owner_references();
    const bool is_owned = std::ranges::any_of(
        owners, [&owner](const api::OwnerReference& reference) { return reference.uid == owner; });
    if (!is_owned) return;
    hub_.remove(path, {.uid = std::string(metadata.uid())},
                scope_.guard([this, path](const Result<json::Value>& removed) {
                  if (removed.ok() || client::is_not_found(removed.error())) return;
                  env_.log.warn(
                      "generator.score_not_removed",
                      {{"score", path.ns + "/" + path.name}, {"error", removed.error().message}});
                }));
  }));
}

// The generators take turns: each time another one is asked first.
void GeneratorController::on_slot_free() {
  --runs_;
  if (std::exchange(waking_, true)) return;
  env_.loop.post(scope_.guard([this] {
    waking_ = false;
    auto next = runners_.upper_bound(last_served_);
    for (std::size_t i = 0; i < runners_.size() && runs_ < options_.runs_max; ++i) {
      if (next == runners_.end()) next = runners_.begin();
      last_served_ = next->first;
      next->second->pump();
      ++next;
    }
  }));
}

}  // namespace berth::scores
