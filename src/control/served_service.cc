#include "control/served_service.h"

#include <utility>

#include "client/errors.h"

namespace berth::control {
namespace {

// Nothing was said about the resource: ask again.
bool says_nothing(const Error& error) {
  return client::network_failure(error) || client::is_too_many_requests(error) ||
         error.code == Code::ServiceUnavailable || error.code == Code::Timeout ||
         error.code == Code::ServerTimeout;
}

}  // namespace

ServedService::ServedService(const env::Env& env, client::Api& api, ServedOptions options,
                             env::Task served)
    : env_(env), api_(api), options_(std::move(options)), served_(std::move(served)) {
  ask();
}

void ServedService::ask() {
  api_.list(options_.collections[found_], {.limit = 1},
            scope_.guard([this](const Result<json::Value>& answer) { on_answer(answer); }));
}

void ServedService::on_answer(const Result<json::Value>& answer) {
  if (!answer.ok() && says_nothing(answer.error())) return look_later();
  missing_ = !answer.ok() && client::is_not_found(answer.error());
  if (missing_) {
    if (!std::exchange(told_, true)) {
      env_.log.info("served.waits", {{"for", options_.collections[found_].resource.text()},
                                     {"name", options_.name},
                                     {"remedy", options_.remedy}});
    }
    return look_later();
  }
  if (++found_ < options_.collections.size()) return ask();
  if (told_) env_.log.info("served.found", {{"name", options_.name}});
  std::exchange(served_, nullptr)();
}

void ServedService::look_later() {
  timer_ = env::after(env_.loop, env_.clock, options_.look_every, [this] { ask(); });
}

}  // namespace berth::control
