#include "client/resource.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "http/percent.h"

namespace berth::client {
namespace {

Result<std::string> segment(std::string_view what, std::string_view name) {
  if (name.empty() || name == "." || name == "..") {
    return failure(Code::BadRequest, fmt::format("{} may not be {}", what, quote(name)));
  }
  return "/" + http::percent_encode(name);
}

}  // namespace

Result<std::string> path_of(const ResourcePath& path) {
  std::string text = "/api";
  if (!path.resource.group.empty()) {
    ASSIGN_OR_RETURN(const std::string group, segment("a group", path.resource.group));
    text = "/apis" + group;
  }
  ASSIGN_OR_RETURN(const std::string version, segment("a version", path.resource.version));
  text += version;
  if (!path.ns.empty()) {
    ASSIGN_OR_RETURN(const std::string ns, segment("a namespace", path.ns));
    text += "/namespaces" + ns;
  }
  ASSIGN_OR_RETURN(const std::string resource, segment("a resource", path.resource.resource));
  text += resource;
  if (!path.name.empty() || !path.subresource.empty()) {
    ASSIGN_OR_RETURN(const std::string name, segment("the name of an object", path.name));
    text += name;
  }
  if (!path.subresource.empty()) {
    ASSIGN_OR_RETURN(const std::string subresource, segment("a subresource", path.subresource));
    text += subresource;
  }
  return text;
}

}  // namespace berth::client
