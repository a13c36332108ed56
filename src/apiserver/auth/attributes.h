// Attributes: one question to authorization, and the refusal in kube-apiserver's words.

#pragma once

#include <string>
#include <string_view>

#include "apiserver/refusal.h"
#include "apiserver/requests/request_info.h"
#include "apiserver/user.h"

namespace berth::apiserver {

struct Attributes {
  std::string verb;
  std::string group = {};  // Empty: the core group.
  std::string version = {};
  std::string resource = {};
  std::string subresource = {};
  std::string ns = {};  // Empty: a resource of the cluster, or all namespaces.
  std::string name = {};
  bool is_resource = true;
  std::string path = {};  // Of what is no resource.

  bool operator==(const Attributes&) const = default;
};

Attributes attributes_of(const RequestInfo& request);

// `User "u" cannot list resource "pods" in API group "" in the namespace "n"`, or "at the cluster
// scope", or `User "u" cannot get path "/metrics"`. Like the reference it writes &, < and > as HTML
// entities, so that no browser takes the answer for a page.
std::string forbidden_message(const User& user, const Attributes& attributes);

// The whole refusal. `reason` is what the authorizer has to say about it; mostly nothing.
Refusal forbidden(const User& user, const Attributes& attributes, std::string_view reason = {});

}  // namespace berth::apiserver
