#include "scores/usage/usage_agent_service.h"

#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"

namespace berth::scores {
namespace {

// The add-on may be installed, removed and installed again while the agent runs.
constexpr Duration kLookForOwner = std::chrono::minutes(5);
constexpr Duration kRetryOwner = std::chrono::seconds(30);

constexpr std::string_view kAddOnApiVersion = "addon.open-cluster-management.io/v1alpha1";

client::Gvr add_ons() {
  return {"addon.open-cluster-management.io", "v1alpha1", "managedclusteraddons"};
}

}  // namespace

UsageAgent::UsageAgent(const env::Env& env, client::Api& cluster, client::Api& hub,
                       UsageAgentOptions options)
    : env_(env),
      hub_(hub),
      options_(std::move(options)),
      usage_(env, cluster, options_.usage,
             {.validity = options_.times.validity, .silence_max = options_.silence_max},
             [this] {
               if (publisher_) publisher_->on_changed();
             }),
      lease_(env, cluster,
             {.ns = options_.add_on_namespace, .name = options_.add_on, .holder = options_.holder},
             [this] { return publisher_->is_live() || waits_for_demand(); }) {
  publisher_ = std::make_unique<Publisher>(
      env, hub,
      PublisherOptions{.object = {.cluster = options_.cluster, .name = options_.score_object},
                       .times = options_.times,
                       .field_manager = "berth-agent"},
      [this](Time now) { return usage_.report(now); });
  if (options_.creation == Creation::OnDemand) {
    publisher_->set_demand(Publisher::Demand::Unwanted);
    demand_ = std::make_unique<Demand>(env, hub, options_.score_object, [this](bool exists) {
      publisher_->set_demand(exists ? Publisher::Demand::Wanted : Publisher::Demand::Unwanted);
    });
  }
  find_owner();
}

Status UsageAgent::readiness() const {
  if (publisher_->is_live() || waits_for_demand()) return {};
  if (!publisher_->trouble().empty()) {
    return failure(Code::ServiceUnavailable, publisher_->trouble());
  }
  const Report report = usage_.report(env_.clock.now());
  if (report.trouble) return failure(Code::ServiceUnavailable, report.trouble->message);
  return failure(Code::ServiceUnavailable, "reading the cluster");
}

void UsageAgent::find_owner() {
  hub_.get({.resource = add_ons(), .ns = options_.cluster, .name = options_.add_on},
           scope_.guard([this](const Result<json::Value>& add_on) { on_owner(add_on); }));
}

// Without an add-on the agent runs by itself, and whoever removes it removes the scores, too.
void UsageAgent::on_owner(const Result<json::Value>& add_on) {
  if (add_on.ok()) {
    const api::ObjectFacts facts = api::read_facts(*add_on);
    publisher_->set_owner(api::OwnerReference{.api_version = std::string(kAddOnApiVersion),
                                              .kind = "ManagedClusterAddOn",
                                              .name = facts.name,
                                              .uid = facts.uid});
  }
  const bool is_missing = !add_on.ok() && client::is_not_found(add_on.error());
  if (is_missing) publisher_->set_owner(std::nullopt);
  const bool answered = add_on.ok() || is_missing || client::is_forbidden(add_on.error());
  owner_timer_ = env::after(env_.loop, env_.clock, answered ? kLookForOwner : kRetryOwner,
                            scope_.guard([this] { find_owner(); }));
}

}  // namespace berth::scores
