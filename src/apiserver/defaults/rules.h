// The language in which the defaults of built-in kinds are written down: groups of rules that
// include each other, as the types do that they are about.

#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "json/value.h"

namespace berth::apiserver {

// What a member gets that is missing.
struct Literal {
  enum class Kind : std::uint8_t { Text, Integer, Boolean, EmptyObject, OneText, Copy };

  Kind kind;
  std::string_view text = {};
  std::int64_t number = 0;

  constexpr Literal(const char* value) : kind(Kind::Text), text(value) {}
  constexpr Literal(int value) : kind(Kind::Integer), number(value) {}
  constexpr Literal(bool value) : kind(Kind::Boolean), number(value ? 1 : 0) {}
  constexpr Literal(Kind of, std::string_view value) : kind(of), text(value) {}
};

inline constexpr Literal kEmptyObject = {Literal::Kind::EmptyObject, ""};

// An array with one string.
constexpr Literal one_of(std::string_view text) { return {Literal::Kind::OneText, text}; }

// What the member of that name beside it holds, if there is one.
constexpr Literal copy_of(std::string_view member) { return {Literal::Kind::Copy, member}; }

// Looks at a member beside the one that is to be set.
struct Condition {
  enum class Kind : std::uint8_t { Always, Equals, Missing, Present };

  Kind kind = Kind::Always;
  std::string_view member = {};
  std::string_view text = {};
};

constexpr Condition if_equals(std::string_view member, std::string_view text) {
  return {.kind = Condition::Kind::Equals, .member = member, .text = text};
}
constexpr Condition if_missing(std::string_view member) {
  return {.kind = Condition::Kind::Missing, .member = member};
}
constexpr Condition if_present(std::string_view member) {
  return {.kind = Condition::Kind::Present, .member = member};
}

// Whether a 0 stands for itself, or for nothing because the type cannot tell them apart.
enum class Zero : std::uint8_t { IsAValue, IsMissing };

struct DefaultRule {
  std::string_view member;
  Literal value;
  Condition when = {};
  Zero zero = Zero::IsAValue;
};

struct RuleGroup;

// Where objects are that follow another group: "livenessProbe", "ports[]". Places that are not
// there stay away.
struct Inclusion {
  std::string_view place;
  const RuleGroup* group;
};

// Of one type. First its own rules in their order, then those of what it includes, then `adjust`
// for what no rule can say.
struct RuleGroup {
  std::span<const DefaultRule> rules = {};
  std::span<const Inclusion> includes = {};
  json::Value (*adjust)(json::Value object) = nullptr;
};

// Absent, null or "".
bool is_missing(const json::Value* value);

// The object under that name, made if nothing is there; nullptr when something else is, which
// validation will refuse.
json::Value* object_under(json::Value& parent, std::string_view name);

json::Value apply_rules(const RuleGroup& group, json::Value object);

}  // namespace berth::apiserver
