#include <string>

#include <re2/re2.h>

#include "cel/cost.h"
#include "cel/regex.h"
#include "cel/standard.h"

namespace berth::cel {
namespace {

using enum TypeKind;

Value contains(Call& call) {
  const std::string_view text = call[0].text();
  if (!call.context.charge(text.size())) return call.context.cancelled();
  return Value::boolean(text.find(call[1].text()) != std::string_view::npos);
}

Value starts_with(Call& call) { return Value::boolean(call[0].text().starts_with(call[1].text())); }

Value ends_with(Call& call) { return Value::boolean(call[0].text().ends_with(call[1].text())); }

Value matches(Call& call) {
  const std::string_view text = call[0].text();
  if (!call.context.charge(text.size())) return call.context.cancelled();
  return with_regex(call, [&](const re2::RE2& pattern) {
    return Value::boolean(
        re2::RE2::PartialMatch(re2::StringPiece(text.data(), text.size()), pattern));
  });
}

Overload member(std::string id, Implementation implementation, CostFunction cost) {
  return {.id = std::move(id),
          .style = CallStyle::Member,
          .parameters = {String, String},
          .result = Bool,
          .implementation = implementation,
          .cost = cost};
}

}  // namespace

void add_string_functions(Environment& environment) {
  environment.add_function(
      {.name = "contains", .overloads = {member("contains_string", contains, cost_of_search)}});
  environment.add_function(
      {.name = "startsWith",
       .overloads = {member("starts_with_string", starts_with, cost_of_second)}});
  environment.add_function(
      {.name = "endsWith", .overloads = {member("ends_with_string", ends_with, cost_of_second)}});

  Overload as_member = member("matches_string", matches, cost_of_regex);
  as_member.prepare = prepare_regex;
  Overload as_global = as_member;
  as_global.id = "matches";
  as_global.style = CallStyle::Global;
  environment.add_function({.name = "matches", .overloads = {as_global, as_member}});
}

}  // namespace berth::cel
