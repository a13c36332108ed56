#include <string>
#include <utility>

#include <re2/re2.h>

#include "cel/cost.h"
#include "cel/regex.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

using enum TypeKind;

bool are_strings(const Call& call) {
  return call[0].is(ValueKind::String) && call[1].is(ValueKind::String);
}

Value contains(Call& call) {
  if (!are_strings(call)) return Context::no_such_overload();
  if (!call.context.charge(call[0].text().size())) return call.context.cancelled();
  return Value::boolean(call[0].text().find(call[1].text()) != std::string_view::npos);
}

Value starts_with(Call& call) {
  if (!are_strings(call)) return Context::no_such_overload();
  return Value::boolean(call[0].text().starts_with(call[1].text()));
}

Value ends_with(Call& call) {
  if (!are_strings(call)) return Context::no_such_overload();
  return Value::boolean(call[0].text().ends_with(call[1].text()));
}

Value matches(Call& call) {
  if (!call[0].is(ValueKind::String)) return call.context.error("no such overload: matches");
  if (!call[1].is(ValueKind::String)) return Context::no_such_overload();
  const std::string_view text = call[0].text();
  if (!call.context.charge(text.size())) return call.context.cancelled();
  return with_regex(call, [&](const re2::RE2& pattern) {
    return Value::boolean(
        re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern));
  });
}

Overload member(std::string id, CostFunction cost) {
  return {.id = std::move(id),
          .style = CallStyle::Member,
          .parameters = {String, String},
          .result = Bool,
          .cost = cost};
}

}  // namespace

void add_string_functions(Environment& environment) {
  environment.add_function({.name = "contains",
                            .overloads = {member("contains_string", cost_of_search)},
                            .implementation = contains});
  environment.add_function({.name = "startsWith",
                            .overloads = {member("starts_with_string", cost_of_second)},
                            .implementation = starts_with});
  environment.add_function({.name = "endsWith",
                            .overloads = {member("ends_with_string", cost_of_second)},
                            .implementation = ends_with});

  Overload as_member = member("matches_string", cost_of_regex);
  as_member.prepare = prepare_regex;
  Overload as_global = as_member;
  as_global.id = "matches";
  as_global.style = CallStyle::Global;
  environment.add_function(
      {.name = "matches", .overloads = {as_global, as_member}, .implementation = matches});
}

}  // namespace berth::cel
