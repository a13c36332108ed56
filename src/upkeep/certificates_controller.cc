// Tested by upkeep_service_test.cc.
#include "upkeep/certificates_controller.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

#include "client/errors.h"
#include "upkeep/certificate_requests.h"
#include "upkeep/resources.h"

namespace berth::upkeep {
namespace {

constexpr std::size_t kInWorkMax = 16;

// The calendar may be set meanwhile: nobody sleeps longer than that.
constexpr Duration kNapMax = std::chrono::minutes(10);

bool is_final(const Error& error) {
  return error.code == Code::Invalid || error.code == Code::BadRequest ||
         error.code == Code::Forbidden;
}

}  // namespace

CertificatesController::CertificatesController(const env::Env& env, client::Api& api,
                                               client::Informers& informers,
                                               const control::MayWrite& may_write,
                                               SignCertificate sign)
    : env_(env),
      sign_(std::move(sign)),
      committer_(env.loop, api, may_write, {.field_manager = "berth-certificates"}),
      reconciler_(env, "certificates", kInWorkMax, [this](const std::string& name) { work(name); }),
      followed_(
          informers, std::array{std::pair(Kind::Requests, certificate_signing_requests())},
          [this](Kind, const client::ObjectKey& key) { reconciler_.add(key.name); },
          [this] { reconciler_.start(); }) {}

void CertificatesController::work(const std::string& name) {
  const client::ObjectPtr request = followed_.store(Kind::Requests).find({.ns = "", .name = name});
  if (!request) return reconciler_.finish(name);
  if (awaits_signature(request->body())) return sign(name, request->body());
  const std::optional<Time> due = cleanup_time(request->body());
  if (!due) return reconciler_.finish(name);
  const Duration left = *due - env_.clock.now();
  if (left <= Duration::zero()) {
    return submit(name, {.resource = certificate_signing_requests(), .before = request->body()});
  }
  reconciler_.add_after(name, std::min(left, kNapMax));
  reconciler_.finish(name);
}

void CertificatesController::sign(const std::string& name, const json::Value& request) {
  const Time now = env_.clock.now();
  const Result<std::string> certificate = sign_(request, now);
  if (!certificate.ok() && !is_final(certificate.error())) {
    env_.log.warn("certificates.sign_failed",
                  {{"request", name}, {"error", certificate.error().message}});
    return reconciler_.finish(name, failure(certificate.error()));
  }
  submit(name,
         {.resource = certificate_signing_requests(),
          .before = request,
          .after = certificate.ok() ? with_certificate(request, *certificate)
                                    : with_failure(request, certificate.error().message, now)});
}

void CertificatesController::submit(const std::string& name, control::Change change) {
  committer_.submit(std::move(change), scope_.guard([this, name](const Status& status) {
    const bool gone = !status.ok() && client::is_not_found(status.error());
    if (!status.ok() && !gone && !client::is_stale_write(status.error())) {
      env_.log.warn("certificates.write_failed",
                    {{"request", name}, {"error", status.error().message}});
    }
    reconciler_.finish(name, gone ? Status() : status);
  }));
}

}  // namespace berth::upkeep
