// Text to Value, for everything that arrives as JSON.
//
// simdjson finds where the tokens start and checks the UTF-8, with the widest vector instructions
// the machine has; the grammar is checked here, token by token, so that nothing is skipped
// unseen. The text is neither copied nor read beyond its end.

#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "json/value.h"

namespace berth::json {

struct ParseOptions {
  std::size_t depth_max = kDepthMax;            // Must not exceed kDepthMax.
  std::size_t size_max = std::size_t{1} << 30;  // In bytes; 4 GiB is the most there can be.
};

// A document and what a strict reader complains about.
struct ParsedDocument {
  Value value;

  // Names met twice in one object, spelled as Kubernetes does (spec.containers[0].name), in the
  // order of their second occurrence, each once. At most kDuplicatesMax: a bad document must not
  // cause an answer larger than itself.
  std::vector<std::string> duplicate_fields = {};
};

inline constexpr std::size_t kDuplicatesMax = 100;

// Keeps its working memory from one text to the next, up to some megabytes. Not to be shared
// between threads.
class Parser {
 public:
  Parser();
  Parser(Parser&&) noexcept;
  Parser& operator=(Parser&&) noexcept;
  ~Parser();

  // Exactly one JSON document, with nothing but white space around it. Of members with the same
  // name the last one's value stays, as in Go's decoder, at the place of the first. Numbers keep
  // their text whatever their size. Refused besides what the grammar forbids: bytes that are not
  // UTF-8, escapes of lone surrogates, a byte order mark.
  //
  // A message names the place ("line 2, column 7: ..."); columns count bytes from 1. The code is
  // BadRequest, or RequestEntityTooLarge beyond size_max.
  Result<Value> parse(std::string_view text, const ParseOptions& options = {});

  // The same, and tells which names occurred twice.
  Result<ParsedDocument> parse_document(std::string_view text, const ParseOptions& options = {});

 private:
  struct Memory;
  std::unique_ptr<Memory> memory_;
};

// With a Parser of its own, for a text now and then.
Result<Value> parse(std::string_view text, const ParseOptions& options = {});
Result<ParsedDocument> parse_document(std::string_view text, const ParseOptions& options = {});

}  // namespace berth::json
