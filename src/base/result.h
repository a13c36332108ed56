// Result<T>: a value or the Error why there is none. The only way failures travel in Berth.

#pragma once

#include <expected>
#include <string>
#include <utility>

#include "base/error.h"

namespace berth {

template <typename T>
class [[nodiscard]] Result : public std::expected<T, Error> {
 public:
  using std::expected<T, Error>::expected;

  bool ok() const { return this->has_value(); }
};

// The outcome of something that yields no value.
using Status = Result<void>;

inline std::unexpected<Error> failure(Error error) { return std::unexpected(std::move(error)); }

inline std::unexpected<Error> failure(Code code, std::string message) {
  return failure(Error{.code = code, .message = std::move(message)});
}

}  // namespace berth

#define BERTH_JOIN_INNER(a, b) a##b
#define BERTH_JOIN(a, b) BERTH_JOIN_INNER(a, b)

// Leaves the function with the error of `expression`, if it has one.
#define RETURN_IF_ERROR(expression)                                  \
  do {                                                               \
    if (auto berth_status = (expression); !berth_status.has_value()) \
      return std::unexpected(std::move(berth_status).error());       \
  } while (false)

// ASSIGN_OR_RETURN(auto x, f()) declares x as the value of f(), or leaves with its error.
#define ASSIGN_OR_RETURN(declaration, expression) \
  BERTH_ASSIGN_OR_RETURN(BERTH_JOIN(berth_result_, __LINE__), declaration, expression)
#define BERTH_ASSIGN_OR_RETURN(result, declaration, expression)               \
  auto result = (expression);                                                 \
  if (!result.has_value()) return std::unexpected(std::move(result).error()); \
  declaration = std::move(result).value()
