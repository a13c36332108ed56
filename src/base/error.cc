#include "base/error.h"

#include <array>
#include <utility>

namespace berth {
namespace {

struct CodeFacts {
  Code code;
  std::string_view reason;
  int http_status;
};

// In the order of the enumeration, so that a code is an index.
constexpr std::array kCodes = {
    CodeFacts{Code::Unknown, "", 500},
    CodeFacts{Code::BadRequest, "BadRequest", 400},
    CodeFacts{Code::Unauthorized, "Unauthorized", 401},
    CodeFacts{Code::Forbidden, "Forbidden", 403},
    CodeFacts{Code::NotFound, "NotFound", 404},
    CodeFacts{Code::AlreadyExists, "AlreadyExists", 409},
    CodeFacts{Code::Conflict, "Conflict", 409},
    CodeFacts{Code::Gone, "Gone", 410},
    CodeFacts{Code::Expired, "Expired", 410},
    CodeFacts{Code::Invalid, "Invalid", 422},
    CodeFacts{Code::Timeout, "Timeout", 504},
    CodeFacts{Code::ServerTimeout, "ServerTimeout", 500},
    CodeFacts{Code::TooManyRequests, "TooManyRequests", 429},
    CodeFacts{Code::InternalError, "InternalError", 500},
    CodeFacts{Code::ServiceUnavailable, "ServiceUnavailable", 503},
    CodeFacts{Code::MethodNotAllowed, "MethodNotAllowed", 405},
    CodeFacts{Code::NotAcceptable, "NotAcceptable", 406},
    CodeFacts{Code::RequestEntityTooLarge, "RequestEntityTooLarge", 413},
    CodeFacts{Code::UnsupportedMediaType, "UnsupportedMediaType", 415},
    CodeFacts{Code::StoreReadError, "StorageReadError", 500},
};

constexpr bool in_order() {
  for (std::size_t i = 0; i < kCodes.size(); ++i) {
    if (std::to_underlying(kCodes[i].code) != static_cast<int>(i)) return false;
  }
  return true;
}
static_assert(in_order());

const CodeFacts& facts(Code code) {
  return kCodes[static_cast<std::size_t>(std::to_underlying(code))];
}

}  // namespace

std::string_view reason(Code code) { return facts(code).reason; }

int http_status(Code code) { return facts(code).http_status; }

std::optional<Code> code_of_reason(std::string_view reason) {
  for (const CodeFacts& entry : kCodes) {
    if (entry.reason == reason) return entry.code;
  }
  return std::nullopt;
}

Error Error::in_context(std::string_view context) && {
  message.insert(0, ": ").insert(0, context);
  return std::move(*this);
}

}  // namespace berth
