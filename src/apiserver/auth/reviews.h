// Reviews: questions about rights and identities, posted as objects and answered in their status.
// Nothing is stored.

#pragma once

#include "apiserver/auth/authenticator.h"
#include "apiserver/auth/rbac.h"
#include "apiserver/refusal.h"
#include "json/value.h"

namespace berth::apiserver {

// May this user do that? Each takes the posted object and answers it with its status.
Attempt<json::Value> review_subject_access(const Rbac& rbac, const json::Value& review);
Attempt<json::Value> review_local_access(const Rbac& rbac, const json::Value& review,
                                         std::string_view ns);
Attempt<json::Value> review_own_access(const Rbac& rbac, const json::Value& review,
                                       const User& user);

// All that the user may do in spec.namespace.
Attempt<json::Value> review_own_rules(const Rbac& rbac, const json::Value& review,
                                      const User& user);

// Who am I? Whose token is this?
json::Value review_self(const json::Value& review, const User& user, Time now);
Attempt<json::Value> review_token(const Authenticator& authenticator, const json::Value& review,
                                  const TokenObjects& objects, Time now);

// {username, uid, groups, extra}: authentication.k8s.io/v1 UserInfo. Empty ones are left out.
json::Value user_info(const User& user);

}  // namespace berth::apiserver
