// Tested by addon_agent_controller_test.cc.
#include "fleet/addons/addon_identity_controller.h"

#include <algorithm>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

constexpr Duration kNapMax = std::chrono::minutes(5);  // Calendars are set, requests vanish.
constexpr int kOnlyKey = 0;

bool is_about(const json::Value& request, const AddOnKey& key) {
  return api::read_facts(request).label(kAddonNameLabel) == key.name;
}

}  // namespace

AddOnIdentityController::AddOnIdentityController(const env::Env& env, client::Api& hub,
                                                 client::Api& cluster,
                                                 client::InformerService& requests,
                                                 AddOnCredentials wanted,
                                                 std::string agent_namespace)
    : env_(env),
      hub_(hub),
      requests_(requests),
      wanted_(std::move(wanted)),
      store_(cluster, {.ns = std::move(agent_namespace), .name = wanted_.name()}),
      reconciler_(env, "addon-identity", 1, [this](int) { work(); }) {
  handler_ = requests_.add_handler(scope_.guard([this](const client::Delta& delta) {
    if (is_about(delta.object().body(), wanted_.key)) reconciler_.add(kOnlyKey);
  }));
  requests_.when_synced(scope_.guard([this] {
    reconciler_.add(kOnlyKey);
    reconciler_.start();
  }));
}

AddOnIdentityController::~AddOnIdentityController() { requests_.remove_handler(handler_); }

void AddOnIdentityController::work() {
  store_.load(scope_.guard([this](const Result<HubSecret>& secret) {
    if (!secret.ok()) return fail(secret.error());
    follow(*secret);
  }));
}

void AddOnIdentityController::follow(const HubSecret& secret) {
  AddOnCertificateView view{.wanted = wanted_,
                            .secret = secret,
                            .pending = pending_ ? &*pending_ : nullptr,
                            .now = env_.clock.now()};
  for (const client::ObjectPtr& request : requests_.store().objects()) {
    if (is_about(request->body(), wanted_.key)) view.requests.push_back(&request->body());
  }
  const Result<AddOnCertificateStep> step = next_add_on_certificate_step(view);
  if (!step.ok()) return fail(step.error());
  waits_for_ = step->why;
  using Kind = AddOnCertificateStep::Kind;
  switch (step->kind) {
    case Kind::Rest:
      return rest(*step->until - view.now);
    case Kind::MakeKey:
      env_.log.info("addon.certificate_needed",
                    {{"addon", wanted_.key.text()}, {"why", step->why}});
      pending_ = pki::PrivateKey::generate();
      return rest(Duration::zero());
    case Kind::Ask:
      return ask(step->request);
    case Kind::Wait:
      return rest(kNapMax);
    case Kind::Save:
      return store_.save(step->secret, scope_.guard([this](const Status& saved) {
        if (!saved.ok()) return fail(saved.error());
        pending_.reset();
        env_.log.info("addon.credentials_saved",
                      {{"addon", wanted_.key.text()}, {"secret", wanted_.name()}});
        rest(Duration::zero());
      }));
  }
}

void AddOnIdentityController::ask(const json::Value& request) {
  hub_.create({.resource = certificate_requests()}, request, {.field_manager = "berth-agent"},
              scope_.guard([this](const Result<json::Value>& created) {
                // Its name is its key's: what is there already is what was asked for.
                if (!created.ok() && !client::is_already_exists(created.error())) {
                  return fail(created.error());
                }
                rest(kNapMax);
              }));
}

void AddOnIdentityController::rest(Duration length) {
  reconciler_.add_after(kOnlyKey, std::clamp<Duration>(length, Duration::zero(), kNapMax));
  reconciler_.finish(kOnlyKey);
}

void AddOnIdentityController::fail(const Error& error) {
  waits_for_ = error.message;
  env_.log.warn("addon.identity_failed", {{"addon", wanted_.key.text()}, {"error", error.message}});
  reconciler_.finish(kOnlyKey, failure(error));
}

}  // namespace berth::fleet
