// What a failed call to an API server means: Status bodies as Errors, and the questions asked of
// them.

#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/error.h"
#include "base/time.h"
#include "http/message.h"
#include "json/value.h"

namespace berth::client {

bool is_status(const json::Value& document);  // Of kind Status, group v1.

// A Status that says Failure, as an Error. A reason we do not know is told by its code.
Error error_of_status(const json::Value& status);

// An answer that is no Status, told by its HTTP code alone. `body` is quoted, shortened.
Error error_of_code(int http_code, http::Method method, std::string_view body);

// Retry-After in seconds. Its other form, a date, needs a clock that both sides trust: ignored.
std::optional<Duration> parse_retry_after(std::string_view header);

// A failure of the network instead of an answer, marked by a cause of its own.
enum class NetworkFailure {
  NotSent,  // The server cannot have seen the request.
  Lost,     // It may have acted on it.
};
Error network_error(NetworkFailure failure, std::string message);
std::optional<NetworkFailure> network_failure(const Error& error);

bool is_not_found(const Error& error);
bool is_already_exists(const Error& error);
bool is_conflict(const Error& error);
bool is_expired(const Error& error);  // Expired or Gone: the version is too old.
bool is_too_many_requests(const Error& error);
bool is_invalid(const Error& error);
bool is_forbidden(const Error& error);
bool is_unauthorized(const Error& error);
bool is_namespace_terminating(const Error& error);
bool is_resource_version_too_large(const Error& error);  // The version is in the server's future.

// A merge patch with preconditions was refused because the object has changed or was replaced:
// read it again.
bool is_stale_write(const Error& error);

}  // namespace berth::client
