// What values a place may hold beyond their form: the value validations of a schema, compiled.

#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <re2/re2.h>

#include "apiserver/schema/formats.h"
#include "apiserver/schema/schema.h"
#include "json/value.h"

namespace berth::apiserver {

struct Pattern {
  explicit Pattern(std::string_view pattern)
      : text(pattern),
        compiled(re2::StringPiece(pattern.data(), pattern.size()), re2::RE2::Quiet) {}

  std::string text;
  re2::RE2 compiled;
};

// One end of the range of a number.
struct Bound {
  double value = 0;
  bool is_exclusive = false;
};

// One of x-kubernetes-validations, as it was written.
struct RuleText {
  std::string rule;
  std::string message = {};
  std::string message_expression = {};
  std::string reason = {};  // Empty: FieldValueInvalid.
  std::string field_path = {};
  std::optional<bool> optional_old_self = std::nullopt;
};

struct CompiledRules;  // rules.h

struct Constraints {
  std::vector<json::Value> allowed = {};  // enum; empty: all.
  std::shared_ptr<const Pattern> pattern = nullptr;
  Format format = Format::None;
  std::optional<Bound> minimum = std::nullopt;
  std::optional<Bound> maximum = std::nullopt;
  std::optional<double> multiple_of = std::nullopt;
  std::optional<std::int64_t> length_min = std::nullopt;  // In code points.
  std::optional<std::int64_t> length_max = std::nullopt;
  std::optional<std::int64_t> items_min = std::nullopt;
  std::optional<std::int64_t> items_max = std::nullopt;
  std::optional<std::int64_t> properties_min = std::nullopt;
  std::optional<std::int64_t> properties_max = std::nullopt;
  bool is_closed = false;                  // additionalProperties: false
  std::vector<std::string> required = {};  // As in Schema, in the order of the definition.

  // Schemas that say something about values only: they neither keep nor default anything.
  std::vector<const Schema*> all_of = {};
  std::vector<const Schema*> any_of = {};
  std::vector<const Schema*> one_of = {};
  const Schema* none_of = nullptr;  // not

  std::shared_ptr<const CompiledRules> rules = nullptr;
  bool has_rules_below = false;  // Here or in any part: without, nobody needs to look.
};

}  // namespace berth::apiserver
