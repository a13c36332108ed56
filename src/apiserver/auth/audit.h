// The audit line of a request: who did what, when, and what became of it. An Event of
// audit.k8s.io/v1 at the level Metadata, so no object and no secret is in it.

#pragma once

#include <optional>
#include <string>

#include "apiserver/auth/attributes.h"
#include "apiserver/user.h"
#include "base/time.h"

namespace berth::apiserver {

struct AuditFacts {
  std::string id;  // As in the header Audit-Id.
  std::string uri;
  User user;
  std::optional<User> impersonated = std::nullopt;
  Attributes attributes;
  std::string source_address = {};
  std::string user_agent = {};
  int status = 0;           // Of the answer; 0: none was sent.
  std::string reason = {};  // Of a failure's Status.
  bool allowed = true;
  std::string decision_reason = {};
  Time received;
  Time finished;
};

// One line of JSON without the newline. Values in the query whose names speak of tokens, secrets,
// passwords or codes are left out of the URI.
std::string audit_line(const AuditFacts& facts);

}  // namespace berth::apiserver
