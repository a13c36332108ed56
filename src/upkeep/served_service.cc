// Tested by namespaces_controller_test.cc.
#include "upkeep/served_service.h"

#include <set>
#include <utility>

#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

// A definition is served a moment after it was made, and changes often while it is being made.
constexpr Duration kSoon = std::chrono::milliseconds(200);

}  // namespace

Served::Served(const env::Env& env, client::Api& api, client::Informers& informers, Duration period)
    : env_(env),
      period_(period),
      discovery_(api, env.clock),
      definitions_(informers.of(definitions())) {
  handler_ =
      definitions_.add_handler(scope_.guard([this](const client::Delta&) { look_soon(kSoon); }));
  look_soon(Duration::zero());
}

Served::~Served() { definitions_.remove_handler(handler_); }

void Served::look(std::move_only_function<void(const Status&)> looked) {
  discovery_.invalidate();
  discovery_.table(
      scope_.guard([this, looked = std::move(looked)](
                       const Result<client::DiscoveryService::DiscoveryPtr>& table) mutable {
        if (!table.ok()) {
          env_.log.warn("upkeep.discovery_failed", {{"error", table.error().message}});
          return looked(failure(table.error()));
        }
        take(**table);
        looked({});
      }));
}

void Served::look_soon(Duration delay) {
  soon_ = env::after(env_.loop, env_.clock, delay, [this] { look([](const Status&) {}); });
  again_ = env::after(env_.loop, env_.clock, period_, [this] { look_soon(Duration::zero()); });
}

void Served::take(const client::Discovery& table) {
  resources_.clear();
  std::set<std::pair<std::string, std::string>> seen;
  for (const client::ResourceInfo& info : table.resources()) {
    if (seen.emplace(info.gvr.group, info.gvr.resource).second) resources_.push_back(info);
  }
  has_looked_ = true;
  for (const auto& told : told_) env_.loop.post(scope_.guard(told));
}

}  // namespace berth::upkeep
