// Tested by clusters_controller_test.cc.
#include "fleet/registration/renewals_controller.h"

#include <array>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "fleet/registration/renewal_approval.h"
#include "fleet/registration/resources.h"

namespace berth::fleet {
namespace {

constexpr std::size_t kInWorkMax = 16;

}  // namespace

RenewalsController::RenewalsController(const env::Env& env, client::Api& api,
                                       client::Informers& informers, control::MayWrite may_write)
    : env_(env),
      api_(api),
      may_write_(std::move(may_write)),
      reconciler_(env, "renewals", kInWorkMax, [this](const std::string& name) { work(name); }),
      followed_(
          informers, std::array{std::pair(Kind::Requests, certificate_requests())},
          [this](Kind, const client::ObjectKey& key) { reconciler_.add(key.name); },
          [this] { reconciler_.start(); }) {}

void RenewalsController::work(const std::string& name) {
  const client::ObjectPtr request = followed_.store(Kind::Requests).find({.ns = "", .name = name});
  if (!request || !is_undecided(request->body()) || !is_renewal(request->body())) {
    return reconciler_.finish(name);
  }
  if (!may_write_()) return finish(name, failure(Code::Conflict, "this process does not lead"));
  api_.create({.resource = access_reviews()}, renewal_review(request->body()), {},
              scope_.guard([this, name, request](const Result<json::Value>& review) {
                if (!review.ok()) return finish(name, failure(review.error()));
                if (is_allowed(*review)) return approve(name, request->body());
                env_.log.warn("renewals.not_allowed", {{"request", name}});
                reconciler_.finish(name);
              }));
}

// With the version that was judged: whoever changed the request meanwhile is judged anew.
void RenewalsController::approve(const std::string& name, const json::Value& request) {
  if (!may_write_()) return finish(name, failure(Code::Conflict, "this process does not lead"));
  api_.update({.resource = certificate_requests(), .name = name, .subresource = "approval"},
              approved(request, kRenewalReason, kRenewalMessage, env_.clock.now()),
              {.field_manager = "berth-registration"},
              scope_.guard([this, name](const Result<json::Value>& answer) {
                if (!answer.ok()) return finish(name, failure(answer.error()));
                env_.log.info("renewals.approved",
                              {{"request", name},
                               {"user", api::text_field(api::field(*answer, "spec"), "username")}});
                reconciler_.finish(name);
              }));
}

void RenewalsController::finish(const std::string& name, const Status& status) {
  if (!status.ok() && client::is_not_found(status.error())) return reconciler_.finish(name);
  if (!status.ok() && !client::is_stale_write(status.error())) {
    env_.log.warn("renewals.failed", {{"request", name}, {"error", status.error().message}});
  }
  reconciler_.finish(name, status);
}

}  // namespace berth::fleet
