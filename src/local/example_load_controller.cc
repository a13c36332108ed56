#include "local/example_load_controller.h"

#include "client/errors.h"

namespace berth::local {
namespace {

using json::Value;

constexpr Duration kPeriod = std::chrono::seconds(5);

}  // namespace

ExampleLoadController::ExampleLoadController(const env::Env& env, client::Api& api,
                                             ExampleLoad load)
    : env_(env), api_(api), load_(load) {
  look();
}

void ExampleLoadController::look() {
  const std::int64_t wanted = example_replicas(load_, env_.clock.now());
  if (wanted == told_) return wait();
  api_.patch({.resource = {"apps", "v1", "deployments"},
              .ns = kExampleNamespace,
              .name = kExampleWorkload},
             Value::object({{"spec", Value::object({{"replicas", wanted}})}}), {},
             scope_.guard([this, wanted](const Result<Value>& answer) {
               if (answer.ok()) told_ = wanted;
               if (!answer.ok() && client::is_not_found(answer.error())) return;
               wait();
             }));
}

void ExampleLoadController::wait() {
  timer_ = env::after(env_.loop, env_.clock, kPeriod, scope_.guard([this] { look(); }));
}

}  // namespace berth::local
