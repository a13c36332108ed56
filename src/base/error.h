// The error every fallible call returns: Kubernetes' Status reasons plus a message for a human.

#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/time.h"

namespace berth {

// One enumerator per reason of metav1.Status, spelled as Kubernetes spells it on the wire.
enum class Code {
  Unknown,
  BadRequest,
  Unauthorized,
  Forbidden,
  NotFound,
  AlreadyExists,
  Conflict,
  Gone,
  Expired,
  Invalid,
  Timeout,
  ServerTimeout,
  TooManyRequests,
  InternalError,
  ServiceUnavailable,
  MethodNotAllowed,
  NotAcceptable,
  RequestEntityTooLarge,
  UnsupportedMediaType,
  StoreReadError,
};

// "NotFound" and so on; Unknown is the empty string, as on the wire.
std::string_view reason(Code code);
std::optional<Code> code_of_reason(std::string_view reason);

// The HTTP status code that goes with the reason.
int http_status(Code code);

// One of details.causes in a metav1.Status: what exactly is wrong with which field.
struct Cause {
  std::string reason = {};  // For example FieldValueInvalid.
  std::string message = {};
  std::string field = {};  // For example spec.numberOfClusters.

  bool operator==(const Cause&) const = default;
};

struct Error {
  Code code = Code::Unknown;
  std::string message = {};
  std::vector<Cause> causes = {};
  std::optional<Duration> retry_after = std::nullopt;

  // The same error seen from further up: "CONTEXT: message".
  Error in_context(std::string_view context) &&;

  bool operator==(const Error&) const = default;
};

}  // namespace berth
