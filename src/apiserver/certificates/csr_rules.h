// What may become of a CertificateSigningRequest, and by whom: creating it, approving or denying
// it, and writing its certificate.

#pragma once

#include "apiserver/auth/rbac.h"
#include "apiserver/certificates/csr_validation.h"
#include "apiserver/refusal.h"
#include "apiserver/user.h"
#include "base/time.h"
#include "json/value.h"

namespace berth::apiserver {

// The object to store: it says who asked, has no status yet, and is valid. Nobody may ask for a
// certificate in the group system:masters.
Attempt<json::Value> new_csr(json::Value object, const User& user);

struct CsrWrite {
  CsrEndpoint endpoint;
  const json::Value& before;
  const User& user;
  const Authorizer& authorizer;
  Time now;
};

// The object to store. The spec never changes. The approval endpoint changes conditions only, and
// needs the verb `approve` on `signers` with the signer's name; the status endpoint changes the
// rest of the status, and needs `sign`. Either may be given for all signers of a domain
// ("example.com/*").
Attempt<json::Value> updated_csr(const CsrWrite& write, json::Value after);

}  // namespace berth::apiserver
