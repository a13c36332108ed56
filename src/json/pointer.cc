#include "json/pointer.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::json {
namespace {

std::string unescape_token(std::string_view token) {
  std::string text;
  for (std::size_t i = 0; i < token.size(); ++i) {
    const bool escape = token[i] == '~' && i + 1 < token.size();
    if (escape && (token[i + 1] == '0' || token[i + 1] == '1')) {
      text += token[++i] == '0' ? '~' : '/';
    } else {
      text += token[i];
    }
  }
  return text;
}

void append_escaped(std::string& text, std::string_view token) {
  for (const char letter : token) {
    if (letter == '~') {
      text += "~0";
    } else if (letter == '/') {
      text += "~1";
    } else {
      text += letter;
    }
  }
}

std::unexpected<Error> bad_index(std::string_view token) {
  return failure(Code::Invalid, fmt::format("Unable to access invalid index: {}: {}", token,
                                            "invalid index referenced"));
}

// The index a token stands for among `count` places; negative ones count from the end.
Result<std::size_t> resolve_index(std::string_view token, std::size_t count) {
  const auto index = parse_int64(token);
  if (!index) {
    return failure(Code::Invalid, fmt::format("value was not a proper array index: '{}'", token));
  }
  const auto places = static_cast<std::int64_t>(count);
  if (*index >= places || *index < -places) return bad_index(token);
  return static_cast<std::size_t>(*index < 0 ? *index + places : *index);
}

std::unexpected<Error> no_container(const Value& parent) {
  return failure(Code::Invalid,
                 fmt::format("expected an object or array, found a {}", kind_name(parent.kind())));
}

}  // namespace

Result<Pointer> Pointer::parse(std::string_view text) {
  if (text.empty()) return Pointer();
  if (!text.starts_with('/')) {
    return failure(Code::BadRequest,
                   fmt::format("{} is not a JSON pointer: it does not start with '/'",
                               quote(cut_utf8(text, 100))));
  }
  std::vector<std::string> tokens;
  for (const std::string_view token : split(text.substr(1), '/')) {
    tokens.push_back(unescape_token(token));
  }
  return Pointer(std::move(tokens));
}

std::string Pointer::text() const {
  std::string text;
  for (const std::string& token : tokens_) {
    text += '/';
    append_escaped(text, token);
  }
  return text;
}

Pointer Pointer::parent() const {
  return Pointer(std::vector<std::string>(tokens_.begin(), tokens_.end() - 1));
}

const Value* find(const Value& document, const Pointer& pointer) {
  const Value* here = &document;
  for (const std::string& token : pointer.tokens()) {
    if (here->is_array()) {
      const auto index = element_index(*here, token);
      if (!index.ok()) return nullptr;
      here = &here->elements()[*index];
    } else {
      here = here->find(token);
      if (!here) return nullptr;
    }
  }
  return here;
}

Value* find(Value& document, const Pointer& pointer) {
  return const_cast<Value*>(find(std::as_const(document), pointer));
}

Result<std::size_t> element_index(const Value& array, std::string_view token) {
  return resolve_index(token, array.size());
}

Status add_child(Value& parent, std::string_view token, Value value) {
  if (parent.is_object()) {
    parent[token] = std::move(value);
    return {};
  }
  if (!parent.is_array()) return no_container(parent);
  if (token == "-") {
    parent.push_back(std::move(value));
    return {};
  }
  ASSIGN_OR_RETURN(const std::size_t index, resolve_index(token, parent.size() + 1));
  parent.insert_at(index, std::move(value));
  return {};
}

Result<Value> remove_child(Value& parent, std::string_view token) {
  if (parent.is_object()) {
    Value* const child = parent.find(token);
    if (!child) {
      return failure(Code::Invalid,
                     fmt::format("Unable to remove nonexistent key: {}: missing value", token));
    }
    Value removed = std::move(*child);
    parent.erase(token);
    return removed;
  }
  if (!parent.is_array()) return no_container(parent);
  ASSIGN_OR_RETURN(const std::size_t index, element_index(parent, token));
  Value removed = std::move(parent.elements()[index]);
  parent.erase_at(index);
  return removed;
}

}  // namespace berth::json
