#include "api/field_selector.h"

#include <cstddef>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::api {
namespace {

using Operator = FieldRequirement::Operator;

bool needs_escape(char c) { return c == '\\' || c == ',' || c == '='; }

// At the commas that are not escaped.
std::vector<std::string_view> split_terms(std::string_view text) {
  std::vector<std::string_view> terms;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == ',') {
      terms.push_back(text.substr(start, i - start));
      start = i + 1;
    }
  }
  terms.push_back(text.substr(start));
  return terms;
}

// The first character with all its bytes.
std::string_view first_character(std::string_view text) {
  std::size_t size = std::min<std::size_t>(1, text.size());
  while (size < text.size() && (static_cast<unsigned char>(text[size]) & 0xc0) == 0x80) ++size;
  return text.substr(0, size);
}

Result<std::string> unescape(std::string_view value) {
  std::string plain;
  for (std::size_t i = 0; i < value.size(); ++i) {
    if (value[i] == '\\') {
      ++i;
      if (i == value.size() || !needs_escape(value[i])) {
        return failure(Code::BadRequest,
                       fmt::format("invalid field selector: invalid escape sequence: \\{}",
                                   first_character(value.substr(i))));
      }
    } else if (needs_escape(value[i])) {
      // Kubernetes prints the character's number here.
      return failure(Code::BadRequest,
                     fmt::format("invalid field selector: unescaped character in value: {}",
                                 static_cast<int>(value[i])));
    }
    plain += value[i];
  }
  return plain;
}

// nullopt when there is no operator. The value is still escaped.
std::optional<FieldRequirement> split_term(std::string_view term) {
  const std::size_t equals = term.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  const bool negated = equals > 0 && term[equals - 1] == '!';
  const bool doubled = !negated && term.substr(equals).starts_with("==");
  return FieldRequirement{.field = std::string(term.substr(0, negated ? equals - 1 : equals)),
                          .op = negated ? Operator::NotEquals : Operator::Equals,
                          .value = std::string(term.substr(equals + (doubled ? 2 : 1)))};
}

}  // namespace

Result<FieldSelector> FieldSelector::parse(std::string_view text) {
  std::vector<std::string_view> terms = split_terms(text);
  std::ranges::sort(terms);
  FieldSelector selector;
  for (const std::string_view term : terms) {
    if (term.empty()) continue;
    auto requirement = split_term(term);
    if (!requirement) {
      return failure(Code::BadRequest,
                     fmt::format("invalid selector: '{}'; can't understand '{}'", text, term));
    }
    ASSIGN_OR_RETURN(requirement->value, unescape(requirement->value));
    // Kubernetes drops a term that says nothing at all.
    if (requirement->field.empty() && requirement->value.empty()) continue;
    selector.requirements_.push_back(*std::move(requirement));
  }
  return selector;
}

std::optional<std::string_view> FieldSelector::exact_value(std::string_view field) const {
  for (const FieldRequirement& requirement : requirements_) {
    if (requirement.op == Operator::Equals && requirement.field == field) return requirement.value;
  }
  return std::nullopt;
}

std::string FieldSelector::to_string() const {
  std::vector<std::string> terms;
  for (const FieldRequirement& requirement : requirements_) {
    terms.push_back(fmt::format(
        "{}{}{}", requirement.field,
        requirement.op == Operator::Equals ? "=" : "!=", escape_field_value(requirement.value)));
  }
  return join(terms, ",");
}

std::string escape_field_value(std::string_view value) {
  std::string escaped;
  for (const char c : value) {
    if (needs_escape(c)) escaped += '\\';
    escaped += c;
  }
  return escaped;
}

}  // namespace berth::api
