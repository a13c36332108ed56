#include "apiserver/auth/attributes.h"

#include <fmt/format.h>

#include "api/group_version.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

std::string without_markup(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  for (const char letter : text) {
    if (letter == '&') {
      safe.append("&amp;");
    } else if (letter == '<') {
      safe.append("&lt;");
    } else if (letter == '>') {
      safe.append("&gt;");
    } else {
      safe.push_back(letter);
    }
  }
  return safe;
}

std::string plain_message(const User& user, const Attributes& a) {
  if (!a.is_resource) {
    return fmt::format("User {} cannot {} path {}", quote(user.name), a.verb, quote(a.path));
  }
  const std::string resource =
      a.subresource.empty() ? a.resource : a.resource + "/" + a.subresource;
  const std::string what = fmt::format("User {} cannot {} resource {} in API group {}",
                                       quote(user.name), a.verb, quote(resource), quote(a.group));
  if (a.ns.empty()) return what + " at the cluster scope";
  return fmt::format("{} in the namespace {}", what, quote(a.ns));
}

}  // namespace

Attributes attributes_of(const RequestInfo& request) {
  return {.verb = request.verb,
          .group = request.group,
          .version = request.version,
          .resource = request.resource,
          .subresource = request.subresource,
          .ns = request.ns,
          .name = request.name,
          .is_resource = request.is_resource,
          .path = request.is_resource ? "" : request.path};
}

std::string forbidden_message(const User& user, const Attributes& attributes) {
  return without_markup(plain_message(user, attributes));
}

Refusal forbidden(const User& user, const Attributes& attributes, std::string_view reason) {
  std::string why = forbidden_message(user, attributes);
  if (!reason.empty()) why.append(": ").append(reason);
  std::string message;
  if (attributes.resource.empty()) {
    message = "forbidden: " + why;
  } else {
    const std::string resource = attributes.group.empty()
                                     ? attributes.resource
                                     : attributes.resource + "." + attributes.group;
    message = attributes.name.empty()
                  ? fmt::format("{} is forbidden: {}", resource, why)
                  : fmt::format("{} {} is forbidden: {}", resource, quote(attributes.name), why);
  }
  return {{.code = Code::Forbidden, .message = std::move(message)},
          {.name = attributes.name, .group = attributes.group, .kind = attributes.resource}};
}

}  // namespace berth::apiserver
