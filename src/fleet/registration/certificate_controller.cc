// Tested by registration_agent_controller_test.cc.
#include "fleet/registration/certificate_controller.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/random.h"
#include "base/rfc3339.h"
#include "client/errors.h"
#include "env/random.h"
#include "fleet/registration/endpoint_service.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

using json::Value;

// The calendar may be set meanwhile, and requests may vanish: nobody sleeps longer than that.
constexpr Duration kNapMax = std::chrono::minutes(5);
constexpr Duration kPatience = std::chrono::minutes(1);
constexpr int kOnlyKey = 0;

client::InformerSpec requests_of(const std::string& cluster) {
  return {.collection = {.resource = certificate_requests()},
          .selection = {.labels =
                            fmt::format("{}={},!{}", kClusterNameLabel, cluster, kAddonNameLabel)}};
}

// "2026-11-16 08:00:00 +0000 UTC", as Go prints a time.
std::string go_time(Time time) {
  std::string text = format_seconds(time);
  text[text.find('T')] = ' ';
  text.pop_back();
  return text + " +0000 UTC";
}

api::Condition failed_condition(std::string message) {
  return {.type = std::string(kCertificateRotated),
          .status = api::ConditionStatus::False,
          .reason = "ClientCertificateUpdateFailed",
          .message = std::move(message)};
}

}  // namespace

api::Condition rotated_condition(const pki::Certificate& certificate) {
  return {.type = std::string(kCertificateRotated),
          .status = api::ConditionStatus::True,
          .reason = "ClientCertificateUpdated",
          .message = fmt::format("client certificate rotated starting from {} to {}",
                                 go_time(certificate.not_before), go_time(certificate.not_after))};
}

CertificateController::CertificateController(const env::Env& env, client::Api& hub,
                                             SecretStore& store, CertificateWish wish,
                                             std::function<void()> renewed)
    : env_(env),
      hub_(hub),
      store_(store),
      wish_(std::move(wish)),
      renewed_(std::move(renewed)),
      renewal_share_(renewal_share(Random(env::new_seed(env.entropy)).unit())),
      requests_(env, hub, requests_of(wish_.name.cluster)),
      reconciler_(env, "certificate", 1, [this](int) { work(); }) {
  requests_.add_handler(scope_.guard([this](const client::Delta&) { reconciler_.add(kOnlyKey); }));
  requests_.when_synced(scope_.guard([this] {
    reconciler_.add(kOnlyKey);
    reconciler_.start();
  }));
  requests_.start();
}

void CertificateController::work() {
  store_.load(scope_.guard([this](Result<HubSecret> secret) {
    if (!secret.ok()) return fail(secret.error());
    follow(*std::move(secret));
  }));
}

void CertificateController::follow(HubSecret secret) {
  CertificateSituation situation{
      .name = wish_.name, .now = env_.clock.now(), .renewal_share = renewal_share_};
  // A certificate of another hub is none.
  const auto endpoint = endpoint_of(secret);
  const auto identity = read_identity(secret, wish_.name, situation.now);
  const bool is_known = identity.ok() && endpoint.ok() && *endpoint == wish_.endpoint;
  if (is_known && identity->certificate.der != wish_.in_use) return hand_over();
  if (is_known) situation.identity = &*identity;
  const auto stored = secret.find(kPendingKey);
  const auto pending = pki::PrivateKey::from_pem(stored == secret.end() ? "" : stored->second);
  if (pending.ok()) situation.pending = &*pending;
  for (const client::ObjectPtr& request : requests_.store().objects()) {
    situation.requests.push_back(&request->body());
  }

  CertificateStep step = next_certificate_step(situation);
  is_waiting_ = step.kind == CertificateStep::Kind::Wait;
  using Kind = CertificateStep::Kind;
  switch (step.kind) {
    case Kind::Rest:
      wait_for("");
      return rest(*step.until - situation.now);
    case Kind::MakeKey:
      env_.log.info("certificate.needed", {{"why", step.why}});
      return make_key(std::move(secret));
    case Kind::Ask:
      return ask(*pending);
    case Kind::Wait:
      wait_for(step.why);
      return rest(kNapMax);
    case Kind::Take:
      return take(std::move(secret), std::move(step.certificate_pem));
    case Kind::Halt:
      condition_ = failed_condition(step.why);
      wait_for(step.why);
      return rest(kNapMax);
  }
}

// Stored before anybody hears of it: a certificate for a key that is lost is of no use.
void CertificateController::make_key(HubSecret secret) {
  secret[kPendingKey] = pki::PrivateKey::generate().pem();
  secret[kClusterNameKey] = wish_.name.cluster;
  secret[kAgentNameKey] = wish_.name.agent;
  store_.save(std::move(secret), scope_.guard([this](const Status& saved) {
    if (!saved.ok()) return fail(saved.error());
    rest(Duration::zero());
  }));
}

void CertificateController::ask(const pki::PrivateKey& key) {
  const auto request = certificate_request(wish_.name, key, wish_.life);
  if (!request.ok()) return fail(request.error());
  hub_.create({.resource = certificate_requests()}, *request, {.field_manager = "berth-agent"},
              scope_.guard([this](const Result<Value>& created) {
                if (!created.ok()) {
                  condition_ = failed_condition("Failed to create CSR " + created.error().message);
                  return fail(created.error());
                }
                const api::ObjectFacts facts = api::read_facts(*created);
                env_.log.info("certificate.requested", {{"request", facts.name}});
                // Not before it is seen: it would look as if nobody had asked. But a hub that lost
                // it will never show it.
                is_asking_ = true;
                requests_.when_reached(facts.resource_version,
                                       scope_.guard([this] { end_asking(); }));
                patience_ = env::after(env_.loop, env_.clock, kPatience, [this] { end_asking(); });
              }));
}

void CertificateController::end_asking() {
  if (!std::exchange(is_asking_, false)) return;
  patience_.cancel();
  rest(Duration::zero());
}

void CertificateController::take(HubSecret secret, std::string certificate_pem) {
  store_.save(
      with_certificate(std::move(secret), wish_.endpoint, wish_.name, std::move(certificate_pem)),
      scope_.guard([this](const Status& saved) {
        if (!saved.ok()) return fail(saved.error());
        env_.log.info("certificate.stored", {{"cluster", wish_.name.cluster}});
        hand_over();
      }));
}

// Also what another process has stored, or this one without hearing that it had.
void CertificateController::hand_over() {
  wait_for("");
  rest(kNapMax);
  renewed_();
}

void CertificateController::rest(Duration length) {
  reconciler_.add_after(kOnlyKey, std::clamp(length, Duration::zero(), kNapMax));
  reconciler_.finish(kOnlyKey);
}

void CertificateController::fail(const Error& error) {
  if (!client::is_conflict(error)) {
    env_.log.warn("certificate.failed", {{"error", error.message}});
    waits_for_ = error.message;
  }
  reconciler_.finish(kOnlyKey, failure(error));
}

void CertificateController::wait_for(std::string what) {
  if (what != waits_for_ && !what.empty()) env_.log.info("certificate.waits", {{"for", what}});
  waits_for_ = std::move(what);
}

}  // namespace berth::fleet
