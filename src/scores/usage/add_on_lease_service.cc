// Tested by usage_agent_service_test.cc.
#include "scores/usage/add_on_lease_service.h"

#include <utility>

#include "base/rfc3339.h"
#include "client/errors.h"

namespace berth::scores {
namespace {

const std::string kFieldManager = "berth-agent";
constexpr Duration kLookAgain = std::chrono::seconds(1);  // While it is not to be renewed.

client::Gvr leases() { return {"coordination.k8s.io", "v1", "leases"}; }

}  // namespace

AddOnLease::AddOnLease(const env::Env& env, client::Api& cluster, AddOnLeaseOptions options,
                       std::function<bool()> is_well)
    : env_(env), cluster_(cluster), options_(std::move(options)), is_well_(std::move(is_well)) {
  tick_after(Duration::zero());
}

void AddOnLease::tick_after(Duration delay) {
  timer_ = env::after(env_.loop, env_.clock, delay, scope_.guard([this] { tick(); }));
}

void AddOnLease::tick() { is_well_() ? renew() : tick_after(kLookAgain); }

void AddOnLease::renew() {
  cluster_.patch({.resource = leases(), .ns = options_.ns, .name = options_.name},
                 json::Value::object({{"spec", spec()}}),
                 {.write = {.field_manager = kFieldManager}},
                 scope_.guard([this](const Result<json::Value>& answer) {
                   const bool missing = !answer.ok() && client::is_not_found(answer.error());
                   if (missing) return create();
                   on_answer(answer.ok() ? Status() : failure(answer.error()));
                 }));
}

void AddOnLease::create() {
  json::Value lease =
      json::Value::object({{"apiVersion", "coordination.k8s.io/v1"}, {"kind", "Lease"}});
  lease["metadata"]["name"] = options_.name;
  lease["metadata"]["namespace"] = options_.ns;
  lease["spec"] = spec();
  cluster_.create({.resource = leases(), .ns = options_.ns}, lease,
                  {.field_manager = kFieldManager},
                  scope_.guard([this](const Result<json::Value>& answer) {
                    on_answer(answer.ok() ? Status() : failure(answer.error()));
                  }));
}

void AddOnLease::on_answer(const Status& status) {
  const std::string trouble = status.ok() ? "" : status.error().message;
  if (!trouble.empty() && trouble != trouble_) {
    env_.log.warn("agent.lease_not_renewed",
                  {{"lease", options_.ns + "/" + options_.name}, {"error", trouble}});
  }
  trouble_ = trouble;
  tick_after(options_.renew_every);
}

json::Value AddOnLease::spec() const {
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(options_.renew_every);
  return json::Value::object({{"holderIdentity", options_.holder},
                              {"leaseDurationSeconds", seconds.count()},
                              {"renewTime", format_micros(env_.clock.now())}});
}

}  // namespace berth::scores
