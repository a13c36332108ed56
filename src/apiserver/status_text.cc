#include "apiserver/status_text.h"

#include <chrono>

#include <fmt/format.h>

namespace berth::apiserver {
namespace {

json::Value causes_of(const Error& error) {
  json::Value causes = json::Value::array();
  for (const Cause& cause : error.causes) {
    json::Value& entry = causes.push_back(json::Value::object());
    if (!cause.reason.empty()) entry["reason"] = cause.reason;
    if (!cause.message.empty()) entry["message"] = cause.message;
    if (!cause.field.empty()) entry["field"] = cause.field;
  }
  return causes;
}

json::Value details_of(const StatusDetails& details) {
  json::Value value = json::Value::object();
  if (!details.name.empty()) value["name"] = details.name;
  if (!details.group.empty()) value["group"] = details.group;
  if (!details.kind.empty()) value["kind"] = details.kind;
  if (!details.uid.empty()) value["uid"] = details.uid;
  return value;
}

json::Value status_head(std::string_view outcome) {
  return json::Value::object({{"kind", "Status"},
                              {"apiVersion", "v1"},
                              {"metadata", json::Value::object()},
                              {"status", outcome}});
}

}  // namespace

json::Value failure_status(const Error& error, const StatusDetails& details) {
  json::Value status = status_head("Failure");
  status["message"] = error.message;
  if (error.code != Code::Unknown) status["reason"] = reason(error.code);

  json::Value about = details_of(details);
  if (!error.causes.empty()) about["causes"] = causes_of(error);
  if (error.retry_after) {
    about["retryAfterSeconds"] =
        std::chrono::ceil<std::chrono::seconds>(*error.retry_after).count();
  }
  if (about.size() > 0) status["details"] = std::move(about);
  status["code"] = http_status(error.code);
  return status;
}

json::Value success_status(const StatusDetails& details) {
  json::Value status = status_head("Success");
  status["details"] = details_of(details);
  return status;
}

Error not_found(std::string_view resource, std::string_view name) {
  return {.code = Code::NotFound, .message = fmt::format("{} \"{}\" not found", resource, name)};
}

Error already_exists(std::string_view resource, std::string_view name) {
  return {.code = Code::AlreadyExists,
          .message = fmt::format("{} \"{}\" already exists", resource, name)};
}

Error conflict(std::string_view resource, std::string_view name, std::string_view why) {
  return {.code = Code::Conflict,
          .message =
              fmt::format("Operation cannot be fulfilled on {} \"{}\": {}", resource, name, why)};
}

Error modified_meanwhile(std::string_view resource, std::string_view name) {
  return conflict(resource, name,
                  "the object has been modified; please apply your changes to the latest version "
                  "and try again");
}

}  // namespace berth::apiserver
