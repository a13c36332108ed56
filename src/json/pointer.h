// JSON Pointer (RFC 6901): the place of a value in a document, and changes at such a place.

#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::json {

class Pointer {
 public:
  Pointer() = default;  // The whole document.
  explicit Pointer(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

  // "" is the whole document; everything else starts with '/'. A '~' that begins neither "~0" nor
  // "~1" stands for itself, as in Kubernetes.
  static Result<Pointer> parse(std::string_view text);

  bool is_root() const { return tokens_.empty(); }
  std::span<const std::string> tokens() const { return tokens_; }
  std::string text() const;

  // The place around this one, which must not be the root, and the last token.
  Pointer parent() const;
  const std::string& last() const { return tokens_.back(); }

 private:
  std::vector<std::string> tokens_;
};

// The value there; nullptr when there is none. Of an array, "0" is the first element and "-1" the
// last: Kubernetes accepts negative indices, RFC 6901 does not know them.
const Value* find(const Value& document, const Pointer& pointer);
Value* find(Value& document, const Pointer& pointer);

// The element of an array that a token names; fails with the reason why there is none.
Result<std::size_t> element_index(const Value& array, std::string_view token);

// Puts a value into the object or array `parent`. In an array it goes in front of the element that
// the token names, or to the end for "-"; an equally named member of an object is replaced.
// Fails if `parent` is neither, or has no such place.
Status add_child(Value& parent, std::string_view token, Value value);

// Takes the named child out; fails if there is none.
Result<Value> remove_child(Value& parent, std::string_view token);

}  // namespace berth::json
