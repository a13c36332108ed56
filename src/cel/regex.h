// Regular expressions for CEL functions: RE2 with Go's error messages, compiled once where the
// pattern is a literal.

#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include <re2/re2.h>

#include "base/result.h"
#include "cel/function.h"

namespace berth::cel {

class PreparedRegex final : public Prepared {
 public:
  explicit PreparedRegex(std::string_view pattern);

  const re2::RE2& pattern() const { return pattern_; }
  bool is_valid() const { return pattern_.ok(); }
  // What is wrong with a pattern that is not valid.
  std::string complaint() const;

 private:
  re2::RE2 pattern_;
};

// For overloads whose second argument is a pattern. The first leaves a malformed pattern to the
// evaluation, the second refuses the program.
Result<std::unique_ptr<const Prepared>> prepare_regex(std::span<const Value* const> literals);
Result<std::unique_ptr<const Prepared>> prepare_valid_regex(std::span<const Value* const> literals);

// Calls use(const re2::RE2&) with the pattern in the second argument; a malformed one is an error.
template <typename Use>
Value with_regex(Call& call, Use use) {
  const auto run = [&](const PreparedRegex& regex) -> Value {
    if (!regex.is_valid()) return call.context.error(regex.complaint());
    return use(regex.pattern());
  };
  if (call.prepared) return run(static_cast<const PreparedRegex&>(*call.prepared));
  // Compiling takes far longer than reading the pattern.
  if (!call.context.charge(1000 + call[1].text().size() * 100)) return call.context.cancelled();
  return run(PreparedRegex(call[1].text()));
}

}  // namespace berth::cel
