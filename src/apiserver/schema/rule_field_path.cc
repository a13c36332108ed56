#include "apiserver/schema/rule_field_path.h"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "apiserver/schema/field_errors.h"

namespace berth::apiserver {
namespace {

std::unexpected<Error> refused(std::string message) {
  return failure(Code::Invalid, std::move(message));
}

std::unexpected<Error> no_such_field() { return refused("does not refer to a valid field"); }

// Delimiters, quoted texts, and what is between them. Empty at the end.
std::string_view next_token(std::string_view& text) {
  if (text.empty()) return {};
  std::size_t length = 1;
  if (text[0] == '\'') {
    while (length < text.size() && !(text[length] == '\'' && text[length - 1] != '\\')) ++length;
    length = std::min(length + 1, text.size());
  } else if (text[0] != '.' && text[0] != '[' && text[0] != ']') {
    length = std::min(text.find_first_of(".[]"), text.size());
  }
  const std::string_view token = text.substr(0, length);
  text.remove_prefix(length);
  return token;
}

Result<std::string> unquote(std::string_view token) {
  if (token.size() < 2 || token.front() != '\'' || token.back() != '\'') {
    return refused("expected single quoted string but got " + std::string(token));
  }
  constexpr std::string_view kEscapes = "abfnrtv'\\";
  constexpr std::string_view kMeanings = "\a\b\f\n\r\t\v'\\";
  std::string text;
  const std::string_view inner = token.substr(1, token.size() - 2);
  for (std::size_t i = 0; i < inner.size(); ++i) {
    if (inner[i] != '\\' || i + 1 == inner.size()) {
      text += inner[i];
      continue;
    }
    const std::size_t escape = kEscapes.find(inner[++i]);
    if (escape == std::string_view::npos) {
      return refused("invalid string literal: invalid escape char \\" + std::string(1, inner[i]));
    }
    text += kMeanings[escape];
  }
  return text;
}

// One step down; the path grows by it.
Status descend(SchemaFieldPath& at, std::string_view name) {
  if (!at.schema->fields.empty()) {
    const Field* field = at.schema->find(name);
    if (!field) return no_such_field();
    at.schema = field->schema;
    at.text = child(at.text, name);
  } else if (at.schema->additional) {
    at.schema = at.schema->additional;
    at.text = keyed(at.text, name);
  } else {
    return no_such_field();
  }
  if (at.first.empty()) at.first = name;
  return {};
}

}  // namespace

Result<SchemaFieldPath> read_field_path(const Schema& schema, std::string_view path,
                                        Brackets brackets) {
  SchemaFieldPath at{.text = {}, .schema = &schema};
  while (!path.empty()) {
    const std::string_view token = next_token(path);
    if (token == ".") {
      if (path.empty()) return refused("unexpected end of JSON path");
      RETURN_IF_ERROR(descend(at, next_token(path)));
    } else if (token == "[") {
      if (brackets == Brackets::Refused) return refused("array notation is not allowed");
      if (path.empty()) return refused("unexpected end of JSON path");
      ASSIGN_OR_RETURN(const std::string name, unquote(next_token(path)));
      RETURN_IF_ERROR(descend(at, name));
      if (path.empty()) return refused("unexpected end of JSON path");
      const std::string_view close = next_token(path);
      if (close != "]") return refused("expected ] but got " + std::string(close));
    } else {
      return refused("expected [ or . but got: " + std::string(token));
    }
  }
  return at;
}

}  // namespace berth::apiserver
