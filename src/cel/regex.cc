#include "cel/regex.h"

namespace berth::cel {
namespace {

re2::RE2::Options options() {
  re2::RE2::Options options;
  options.set_log_errors(false);
  return options;
}

// RE2 and Go's regexp share their syntax but not their words.
std::string_view words_of(re2::RE2::ErrorCode code) {
  switch (code) {
    case re2::RE2::ErrorBadEscape:
      return "invalid escape sequence";
    case re2::RE2::ErrorBadCharClass:
      return "invalid character class";
    case re2::RE2::ErrorBadCharRange:
      return "invalid character class range";
    case re2::RE2::ErrorMissingBracket:
      return "missing closing ]";
    case re2::RE2::ErrorMissingParen:
      return "missing closing )";
    case re2::RE2::ErrorUnexpectedParen:
      return "unexpected )";
    case re2::RE2::ErrorTrailingBackslash:
      return "trailing backslash at end of expression";
    case re2::RE2::ErrorRepeatArgument:
      return "missing argument to repetition operator";
    case re2::RE2::ErrorRepeatSize:
      return "invalid repeat count";
    case re2::RE2::ErrorRepeatOp:
      return "invalid nested repetition operator";
    case re2::RE2::ErrorBadPerlOp:
      return "invalid or unsupported Perl syntax";
    case re2::RE2::ErrorBadUTF8:
      return "invalid UTF-8";
    case re2::RE2::ErrorBadNamedCapture:
      return "invalid named capture";
    default:
      return "expression nests too deeply";
  }
}

}  // namespace

PreparedRegex::PreparedRegex(std::string_view pattern)
    : pattern_(re2::StringPiece(pattern.data(), pattern.size()), options()) {}

std::string PreparedRegex::complaint() const {
  std::string message = "error parsing regexp: ";
  message += words_of(pattern_.error_code());
  if (pattern_.error_code() == re2::RE2::ErrorTrailingBackslash) return message + ": ``";
  return message + ": `" + pattern_.error_arg() + "`";
}

Result<std::unique_ptr<const Prepared>> prepare_regex(std::span<const Value* const> literals) {
  const Value* pattern = literals[1];
  if (!pattern || !pattern->is(ValueKind::String)) return nullptr;
  return std::make_unique<const PreparedRegex>(pattern->text());
}

Result<std::unique_ptr<const Prepared>> prepare_valid_regex(
    std::span<const Value* const> literals) {
  ASSIGN_OR_RETURN(auto prepared, prepare_regex(literals));
  const auto* regex = static_cast<const PreparedRegex*>(prepared.get());
  if (regex && !regex->is_valid()) return failure(Code::BadRequest, regex->complaint());
  return prepared;
}

}  // namespace berth::cel
