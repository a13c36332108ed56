#include "client/errors.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "json/text_of.h"

namespace berth::client {
namespace {

constexpr std::string_view kNotSent = "BerthNetworkNotSent";
constexpr std::string_view kLost = "BerthNetworkLost";
constexpr std::size_t kQuotedMax = 256;

bool has_cause(const Error& error, std::string_view reason) {
  return std::ranges::any_of(error.causes, [&](const Cause& c) { return c.reason == reason; });
}

Code code_of_http(int http_code, http::Method method) {
  switch (http_code) {
    case 400:
      return Code::BadRequest;
    case 401:
      return Code::Unauthorized;
    case 403:
      return Code::Forbidden;
    case 404:
      return Code::NotFound;
    case 405:
      return Code::MethodNotAllowed;
    case 406:
      return Code::NotAcceptable;
    case 409:
      return method == http::Method::Post ? Code::AlreadyExists : Code::Conflict;
    case 410:
      return Code::Expired;
    case 413:
      return Code::RequestEntityTooLarge;
    case 415:
      return Code::UnsupportedMediaType;
    case 422:
      return Code::Invalid;
    case 429:
      return Code::TooManyRequests;
    case 503:
      return Code::ServiceUnavailable;
    case 504:
      return Code::Timeout;
    default:
      return http_code >= 500 ? Code::InternalError : Code::Unknown;
  }
}

Code code_of(const json::Value& status) {
  const std::string_view reason = text_of(status, "reason");
  if (!reason.empty()) {
    if (const auto code = code_of_reason(reason)) return *code;
  }
  const json::Value* number = status.find("code");
  const std::int64_t http_code = number ? number->as_int().value_or(0) : 0;
  return code_of_http(static_cast<int>(std::clamp<std::int64_t>(http_code, 0, 999)),
                      http::Method::Get);
}

}  // namespace

bool is_status(const json::Value& document) {
  return text_of(document, "kind") == "Status" && text_of(document, "apiVersion") == "v1";
}

Error error_of_status(const json::Value& status) {
  Error error{.code = code_of(status), .message = std::string(text_of(status, "message"))};
  if (error.message.empty()) error.message = "the server gave no message";
  const json::Value* details = status.find("details");
  if (!details) return error;
  if (const json::Value* causes = details->find("causes")) {
    for (const json::Value& cause : causes->elements()) {
      error.causes.push_back({.reason = std::string(text_of(cause, "reason")),
                              .message = std::string(text_of(cause, "message")),
                              .field = std::string(text_of(cause, "field"))});
    }
  }
  const json::Value* seconds = details->find("retryAfterSeconds");
  if (const auto count = seconds ? seconds->as_int() : std::nullopt; count && *count > 0) {
    error.retry_after = std::chrono::seconds(std::min<std::int64_t>(*count, 86'400));
  }
  return error;
}

Error error_of_code(int http_code, http::Method method, std::string_view body) {
  std::string message =
      fmt::format("the server answered {} {}", http_code, http::status_text(http_code));
  const std::string_view said = cut_utf8(trim(body), kQuotedMax);
  if (!said.empty() && is_valid_utf8(said)) message += fmt::format(": {}", quote(said));
  return Error{.code = code_of_http(http_code, method), .message = std::move(message)};
}

std::optional<Duration> parse_retry_after(std::string_view header) {
  const auto seconds = parse_uint64(trim(header));
  if (!seconds) return std::nullopt;
  return std::chrono::seconds(std::min<std::uint64_t>(*seconds, 86'400));
}

Error network_error(NetworkFailure failure, std::string message) {
  const std::string_view mark = failure == NetworkFailure::NotSent ? kNotSent : kLost;
  return Error{.code = Code::ServiceUnavailable,
               .message = std::move(message),
               .causes = {{.reason = std::string(mark)}}};
}

std::optional<NetworkFailure> network_failure(const Error& error) {
  if (has_cause(error, kNotSent)) return NetworkFailure::NotSent;
  if (has_cause(error, kLost)) return NetworkFailure::Lost;
  return std::nullopt;
}

bool is_not_found(const Error& error) { return error.code == Code::NotFound; }
bool is_already_exists(const Error& error) { return error.code == Code::AlreadyExists; }
bool is_conflict(const Error& error) { return error.code == Code::Conflict; }
bool is_too_many_requests(const Error& error) { return error.code == Code::TooManyRequests; }
bool is_invalid(const Error& error) { return error.code == Code::Invalid; }
bool is_forbidden(const Error& error) { return error.code == Code::Forbidden; }
bool is_unauthorized(const Error& error) { return error.code == Code::Unauthorized; }

bool is_expired(const Error& error) {
  return error.code == Code::Expired || error.code == Code::Gone;
}

bool is_namespace_terminating(const Error& error) {
  return is_forbidden(error) && has_cause(error, "NamespaceTerminating");
}

bool is_resource_version_too_large(const Error& error) {
  if (error.code != Code::Timeout) return false;
  // Servers before 1.17 gave no cause, only this message.
  return has_cause(error, "ResourceVersionTooLarge") ||
         error.message.contains("Too large resource version");
}

bool is_stale_write(const Error& error) {
  if (is_conflict(error)) return true;
  return is_invalid(error) && std::ranges::any_of(error.causes, [](const Cause& cause) {
           return cause.field == "metadata.uid";
         });
}

}  // namespace berth::client
