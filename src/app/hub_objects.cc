#include "app/hub_objects.h"

#include <future>
#include <memory>
#include <utility>

#include "client/api_service.h"
#include "client/errors.h"
#include "placement/fleet/watched_kinds.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using placement::Watched;

// Lives on the loop until everything is read or something failed.
class Reader {
 public:
  Reader(env::Env& env, const client::ClientConfig& config, api::ObjectKey key)
      : key_(std::move(key)), api_(env, config, options_for(config)) {}

  std::future<Result<HubObjects>> begin() {
    api_.get(
        {.resource = placement::resource_of(Watched::Placements), .ns = key_.ns, .name = key_.name},
        [this](Result<json::Value> object) {
          if (!object.ok()) return finish(failure(missing_kind(object.error())));
          objects_[Watched::Placements].push_back(*std::move(object));
          list_all();
        });
    return promise_.get_future();
  }

 private:
  static client::ApiOptions options_for(const client::ClientConfig& config) {
    // Somebody is waiting in front of a screen: a failure is told at once, not tried again.
    client::ApiOptions options{.user_agent = "berth/" BERTH_VERSION,
                               .call = {.retry = {.attempts_max = 1}}};
    if (config.request_timeout > Duration::zero()) options.call.timeout = config.request_timeout;
    return options;
  }

  // A hub that does not know the kind says so in other words than one without the object.
  Error missing_kind(Error error) const {
    const bool known = error.message.contains(key_.name) || !client::is_not_found(error);
    if (known) return error;
    return {.message =
                "the server doesn't have a resource type \"placements\"\n"
                "Install it with: berth crds | kubectl apply --server-side -f -"};
  }

  void list_all() {
    for (const Watched kind : placement::kWatched) {
      if (kind == Watched::Placements) continue;
      ++open_;
      const std::string ns = kind == Watched::Bindings ? key_.ns : "";
      api_.list_all({.resource = placement::resource_of(kind), .ns = ns}, {},
                    [this, kind](Result<client::WholeList> list) {
                      if (!list.ok()) return finish(failure(list.error()));
                      objects_[kind] = std::move(list->items);
                      if (--open_ == 0) finish(std::move(objects_));
                    });
    }
  }

  void finish(Result<HubObjects> result) {
    if (std::exchange(finished_, true)) return;
    promise_.set_value(std::move(result));
  }

  api::ObjectKey key_;
  HubObjects objects_;
  std::size_t open_ = 0;
  bool finished_ = false;
  std::promise<Result<HubObjects>> promise_;
  client::Api api_;
};

}  // namespace

Result<HubObjects> read_hub(env::Env& env, const client::ClientConfig& config,
                            const api::ObjectKey& key) {
  std::unique_ptr<Reader> reader;
  std::future<Result<HubObjects>> result;
  runtime::run_on(env.loop, [&] {
    reader = std::make_unique<Reader>(env, config, key);
    result = reader->begin();
  });
  Result<HubObjects> objects = result.get();
  runtime::run_on(env.loop, [&] { reader.reset(); });
  return objects;
}

placement::Situation situation_of(const HubObjects& objects, const placement::Options& options) {
  placement::Situation situation(options);
  // The Placement first: it says whether whole clusters are needed.
  for (const json::Value& object : objects.at(Watched::Placements)) {
    situation.put(Watched::Placements, object);
  }
  for (const auto& [kind, list] : objects) {
    if (kind == Watched::Placements) continue;
    for (const json::Value& object : list) situation.put(kind, object);
  }
  return situation;
}

}  // namespace berth::app
