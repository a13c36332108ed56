// Signs approved CertificateSigningRequests, and clears away those that are done with.

#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "base/time.h"
#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::upkeep {

// The certificate as PEM. Invalid, BadRequest and Forbidden mean that the request will never be
// signed; every other error, that it may be later.
using SignCertificate = std::function<Result<std::string>(const json::Value& request, Time now)>;

class CertificatesController {
 public:
  // All that is borrowed outlives the controller.
  CertificatesController(const env::Env& env, client::Api& api, client::Informers& informers,
                         const control::MayWrite& may_write, SignCertificate sign);

  bool has_synced() const { return followed_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind { Requests };

  void work(const std::string& name);
  void sign(const std::string& name, const json::Value& request);
  void submit(const std::string& name, control::Change change);

  env::Env env_;
  SignCertificate sign_;
  control::Committer committer_;
  control::Reconciler<std::string> reconciler_;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::upkeep
