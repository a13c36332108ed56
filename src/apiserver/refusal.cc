#include "apiserver/refusal.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::apiserver {

StatusDetails details_of(const Resource& resource, std::string_view name) {
  return {.name = std::string(name), .group = resource.gvr.group, .kind = resource.gvr.resource};
}

Refusal no_such_object(const Resource& resource, std::string_view name) {
  return {not_found(resource.gvr.text(), name), details_of(resource, name)};
}

Refusal exists_already(const Resource& resource, std::string_view name) {
  return {already_exists(resource.gvr.text(), name), details_of(resource, name)};
}

Refusal changed_meanwhile(const Resource& resource, std::string_view name) {
  return {modified_meanwhile(resource.gvr.text(), name), details_of(resource, name)};
}

Refusal conflicting(const Resource& resource, std::string_view name, std::string_view why) {
  return {conflict(resource.gvr.text(), name, why), details_of(resource, name)};
}

Refusal forbidden(const Resource& resource, std::string_view name, std::string_view why) {
  return {{.code = Code::Forbidden,
           .message = name.empty() ? fmt::format("{} is forbidden: {}", resource.gvr.text(), why)
                                   : fmt::format("{} \"{}\" is forbidden: {}", resource.gvr.text(),
                                                 name, why)},
          details_of(resource, name)};
}

Refusal invalid(std::string_view group, std::string_view kind, std::string_view name,
                std::vector<Cause> causes) {
  std::vector<std::string> texts;
  for (const Cause& cause : causes) {
    texts.push_back(cause.field.empty() ? cause.message
                                        : fmt::format("{}: {}", cause.field, cause.message));
  }
  const std::string all =
      texts.size() == 1 ? texts.front() : fmt::format("[{}]", join(texts, ", "));
  return {{.code = Code::Invalid,
           .message = fmt::format("{}{}{} \"{}\" is invalid: {}", kind, group.empty() ? "" : ".",
                                  group, name, all),
           .causes = std::move(causes)},
          {.name = std::string(name), .group = std::string(group), .kind = std::string(kind)}};
}

Refusal invalid_object(const Resource& resource, std::string_view name, std::vector<Cause> causes) {
  return invalid(resource.gvr.group, resource.kind, name, std::move(causes));
}

}  // namespace berth::apiserver
