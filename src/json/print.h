// Value to text, byte for byte as Go's encoding/json would print the same tokens.

#pragma once

#include <string>
#include <string_view>

#include "json/value.h"

namespace berth::json {

// Whether <, > and & are written as \u003c and so on. kube-apiserver does (it encodes with Go's
// default), kubectl's -o json does too; values read back the same either way.
enum class HtmlEscape { No, Yes };

struct PrintOptions {
  HtmlEscape html = HtmlEscape::No;
  int indent = 0;  // Spaces for each level; 0 prints everything on one line without spaces.
};

inline constexpr int kKubectlIndent = 4;

// Members in their order, numbers with the text they came with. U+2028 and U+2029 are always
// escaped; bytes that are not UTF-8 come out as \ufffd. No newline at the end.
std::string print(const Value& value, const PrintOptions& options = {});

// The same at the end of `text`: long lists are written piece by piece into one buffer.
void append(std::string& text, const Value& value, const PrintOptions& options = {});

// One string in quotes, for writers that put a document together from parts.
void append_quoted(std::string& text, std::string_view string, HtmlEscape html = HtmlEscape::No);

}  // namespace berth::json
