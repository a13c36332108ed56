#include <string>
#include <vector>

#include <re2/re2.h>

#include "api/expressions/libraries.h"
#include "api/expressions/library_table.h"
#include "cel/regex.h"
#include "cel/source.h"

namespace berth::api {
namespace {

using cel::Call;
using cel::Type;
using cel::TypeKind;
using cel::Value;

Value with_pattern(Call& call, Value (*use)(Call&, const re2::RE2&)) {
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  const Value result =
      cel::with_regex(call, [&](const re2::RE2& pattern) { return use(call, pattern); });
  if (!result.is_error() || call.context.is_cancelled()) return result;
  return call.context.error({"Illegal regex: ", result.text()});
}

Value find_first(Call& call, const re2::RE2& pattern) {
  const std::string_view text = call[0].text();
  re2::StringPiece match;
  const bool found = pattern.Match(re2::StringPiece(text.data(), text.size()), 0, text.size(),
                                   re2::RE2::UNANCHORED, &match, 1);
  return Value::string(found ? std::string_view(match.data(), match.size()) : "");
}

// Matches do not overlap, and an empty one right after another match does not count.
Value find_every(Call& call, const re2::RE2& pattern) {
  const std::string_view text = call[0].text();
  const std::int64_t wanted = call.arguments.size() == 3 ? call[2].as_int() : -1;
  std::vector<Value> found;
  std::size_t position = 0;
  std::size_t previous_end = std::string_view::npos;
  while (position <= text.size() &&
         (wanted < 0 || static_cast<std::int64_t>(found.size()) < wanted)) {
    // The search looks at all that is left in the worst case.
    if (!call.context.charge(text.size() - position + 1)) return call.context.cancelled();
    re2::StringPiece match;
    if (!pattern.Match(re2::StringPiece(text.data(), text.size()), position, text.size(),
                       re2::RE2::UNANCHORED, &match, 1)) {
      break;
    }
    const auto start = static_cast<std::size_t>(match.data() - text.data());
    const std::size_t end = start + match.size();
    const bool counts = !match.empty() || start != previous_end;
    if (counts) found.push_back(Value::string({match.data(), match.size()}));
    previous_end = end;
    position = end;
    if (match.empty()) {
      position += end < text.size() ? cel::code_point_length(text.substr(end)) : 1;
    }
  }
  return call.context.list(found);
}

Value find(Call& call) { return with_pattern(call, find_first); }
Value find_all(Call& call) { return with_pattern(call, find_every); }

}  // namespace

void add_regex_library(cel::Environment& environment) {
  constexpr auto kMember = cel::CallStyle::Member;
  constexpr auto kString = TypeKind::String;
  const Type strings = Type::list(kString);
  add_entries(environment, {{"find",
                             "string_find_string",
                             kMember,
                             {kString, kString},
                             kString,
                             find,
                             cel::prepare_valid_regex},
                            {"findAll",
                             "string_find_all_string",
                             kMember,
                             {kString, kString},
                             strings,
                             find_all,
                             cel::prepare_valid_regex},
                            {"findAll",
                             "string_find_all_string_int",
                             kMember,
                             {kString, kString, TypeKind::Int},
                             strings,
                             find_all,
                             cel::prepare_valid_regex}});
}

}  // namespace berth::api
