#include "apiserver/strategies/pod_errors.h"

#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/check.h"
#include "base/strings.h"
#include "json/print.h"

namespace berth::apiserver {

Cause forbidden_field(std::string field, std::string_view why) {
  return {.reason = "FieldValueForbidden",
          .message = fmt::format("Forbidden: {}", why),
          .field = std::move(field)};
}

Cause required_field(std::string field) {
  return {.reason = "FieldValueRequired", .message = "Required value", .field = std::move(field)};
}

Cause invalid_field(std::string field, const json::Value& value, std::string_view why) {
  return {.reason = "FieldValueInvalid",
          .message = fmt::format("Invalid value: {}: {}", json::print(value), why),
          .field = std::move(field)};
}

Error invalid_pod(const json::Value& pod, std::vector<Cause> causes) {
  CHECK(!causes.empty());
  std::vector<std::string> texts;
  for (const Cause& cause : causes) {
    texts.push_back(fmt::format("{}: {}", cause.field, cause.message));
  }
  const std::string all = texts.size() == 1 ? texts[0] : "[" + join(texts, ", ") + "]";
  return {.code = Code::Invalid,
          .message = fmt::format(R"(Pod "{}" is invalid: {})", pod_name(pod), all),
          .causes = std::move(causes)};
}

Error pod_conflict(std::string_view resource, const json::Value& pod, std::string_view why) {
  return {.code = Code::Conflict,
          .message = fmt::format(R"(Operation cannot be fulfilled on {} "{}": {})", resource,
                                 pod_name(pod), why)};
}

std::string pod_name(const json::Value& pod) {
  return api::text_field(api::field(pod, "metadata"), "name");
}

}  // namespace berth::apiserver
