#include "json/parse.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "base/strings.h"
#include "json/equal_names.h"
#include "json/number.h"
#include "json/syntax_error.h"
#include "json/token_index.h"
#include "json/unescape.h"

namespace berth::json {
namespace {

// Objects up to this size are searched for equal names pair by pair, larger ones by sorting.
constexpr std::size_t kPairwiseMax = 24;

// As many pending items as an idle parser keeps room for.
constexpr std::size_t kPendingKept = std::size_t{1} << 14;

// An array or object whose end was not reached yet.
struct Frame {
  Kind kind;
  std::size_t start;  // Its first item among the pending elements or members.
};

// Items wait here, those of all open arrays and objects one after the other, until their array or
// object ends and they move into a block of just the right size.
struct Pending {
  std::vector<Frame> frames = {};
  std::vector<Value> elements = {};
  std::vector<Member> members = {};
  std::vector<std::uint64_t> fingerprints = {};  // Of the members' names.
  std::vector<std::uint32_t> offsets = {};       // Of the members' names.

  void clear() {
    const bool grown = std::max(elements.capacity(), members.capacity()) > kPendingKept;
    frames.clear();
    elements.clear();
    members.clear();
    fingerprints.clear();
    offsets.clear();
    if (grown) *this = {};
  }
};

struct Duplicate {
  std::uint32_t offset;  // Of the second occurrence.
  std::string path;
};

// Equal for equal names, and cheap to compare.
std::uint64_t fingerprint(std::string_view name) {
  std::uint64_t head = 0;
  std::uint64_t tail = 0;
  const std::size_t part = std::min<std::size_t>(name.size(), 8);
  std::memcpy(&head, name.data(), part);
  std::memcpy(&tail, name.data() + (name.size() - part), part);
  return (head ^ (tail << 7 | tail >> 57)) + name.size();
}

bool has_equal_pair(std::span<const std::uint64_t> numbers) {
  for (std::size_t i = 1; i < numbers.size(); ++i) {
    const auto before = numbers.first(i);
    if (std::ranges::find(before, numbers[i]) != before.end()) return true;
  }
  return false;
}

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\t' || byte == '\r'; }

// One pass over the tokens of a text. Methods that return bool say whether to go on; when they do
// not, error_ is set. There is no recursion: what is open is in pending_.frames.
class Walk {
 public:
  Walk(std::string_view text, std::span<const std::uint32_t> tokens, std::size_t depth_max,
       Pending& pending)
      : text_(text), tokens_(tokens), depth_max_(depth_max), pending_(pending) {}

  Result<ParsedDocument> run();

 private:
  bool walk();
  bool step_in_array();
  bool step_in_object();
  bool read_name();
  bool read_value(std::string_view wanted);
  bool read_literal(std::string_view literal, Value value);
  bool read_number();
  std::optional<std::string_view> read_string();
  bool open(Kind kind);
  void close_array();
  void close_object();
  void place(Value value);

  void merge_duplicates(std::size_t start);
  std::string path_to(std::string_view name) const;
  std::vector<std::string> duplicate_fields();

  std::size_t offset() const { return next_ < tokens_.size() ? tokens_[next_] : text_.size(); }
  char peek() const { return next_ < tokens_.size() ? text_[tokens_[next_]] : '\0'; }
  std::string_view token() const;
  bool fail(Error error);
  bool fail_unknown_token();
  bool fail_expected(std::string_view what) { return fail(expected(what, text_, offset())); }

  std::string_view text_;
  std::span<const std::uint32_t> tokens_;
  std::size_t depth_max_;
  Pending& pending_;
  std::size_t next_ = 0;  // Among tokens_.
  std::string unescaped_ = {};
  Value root_ = {};
  std::vector<Duplicate> duplicates_ = {};
  std::optional<Error> error_ = std::nullopt;
};

Result<ParsedDocument> Walk::run() {
  const bool done = walk();
  pending_.clear();
  if (!done) return failure(std::move(*error_));
  return ParsedDocument{.value = std::move(root_), .duplicate_fields = duplicate_fields()};
}

bool Walk::walk() {
  if (!read_value("a value")) return false;
  while (!pending_.frames.empty()) {
    const bool going =
        pending_.frames.back().kind == Kind::Array ? step_in_array() : step_in_object();
    if (!going) return false;
  }
  return next_ == tokens_.size() || fail_expected("nothing after the document");
}

bool Walk::step_in_array() {
  const bool first = pending_.elements.size() == pending_.frames.back().start;
  if (peek() == ']') {
    close_array();
    return true;
  }
  if (first) return read_value("a value or ']'");
  if (peek() != ',') return fail_expected("',' or ']'");
  ++next_;
  return read_value("a value");
}

bool Walk::step_in_object() {
  const bool first = pending_.members.size() == pending_.frames.back().start;
  if (peek() == '}') {
    close_object();
    return true;
  }
  if (first) {
    if (peek() != '"') return fail_expected("a name in double quotes or '}'");
  } else {
    if (peek() != ',') return fail_expected("',' or '}'");
    ++next_;
    if (peek() != '"') return fail_expected("a name in double quotes");
  }
  return read_name() && read_value("a value");
}

bool Walk::read_name() {
  const auto at = static_cast<std::uint32_t>(offset());
  const auto name = read_string();
  if (!name) return false;
  pending_.members.push_back({.key = Value(*name), .value = {}});
  pending_.fingerprints.push_back(fingerprint(*name));
  pending_.offsets.push_back(at);
  if (peek() != ':') return fail_expected("':' after the name");
  ++next_;
  return true;
}

bool Walk::read_value(std::string_view wanted) {
  switch (peek()) {
    case '{':
      return open(Kind::Object);
    case '[':
      return open(Kind::Array);
    case '"': {
      const auto text = read_string();
      if (text) place(Value(*text));
      return text.has_value();
    }
    case 't':
      return read_literal("true", true);
    case 'f':
      return read_literal("false", false);
    case 'n':
      return read_literal("null", nullptr);
    case '-':
    case '0':
    case '1':
    case '2':
    case '3':
    case '4':
    case '5':
    case '6':
    case '7':
    case '8':
    case '9':
      return read_number();
    default:
      return fail_expected(wanted);
  }
}

bool Walk::read_literal(std::string_view literal, Value value) {
  if (token() != literal) return fail_unknown_token();
  ++next_;
  place(std::move(value));
  return true;
}

bool Walk::read_number() {
  const std::string_view number = token();
  if (!is_number(number)) return fail_unknown_token();
  ++next_;
  place(Value::number_from_text(number));
  return true;
}

// The view is valid until the next call.
std::optional<std::string_view> Walk::read_string() {
  const std::string_view quoted = token();
  CHECK(quoted.size() >= 2 && quoted.back() == '"');  // So says the index of tokens.
  const std::string_view inner = quoted.substr(1, quoted.size() - 2);
  if (!std::memchr(inner.data(), '\\', inner.size())) {
    ++next_;
    return inner;
  }
  Unescaped unescaped = unescape(inner);
  if (unescaped.bad_escape) {
    fail(syntax_error("bad escape in a string", text_, offset() + 1 + *unescaped.bad_escape));
    return std::nullopt;
  }
  ++next_;
  unescaped_ = std::move(unescaped.text);
  return unescaped_;
}

bool Walk::open(Kind kind) {
  if (pending_.frames.size() >= depth_max_) {
    return fail(
        syntax_error(fmt::format("nested deeper than {} levels", depth_max_), text_, offset()));
  }
  const bool array = kind == Kind::Array;
  pending_.frames.push_back(
      {.kind = kind, .start = array ? pending_.elements.size() : pending_.members.size()});
  ++next_;
  return true;
}

void Walk::close_array() {
  const std::size_t start = pending_.frames.back().start;
  Value array = Value::take_array(std::span(pending_.elements).subspan(start));
  pending_.elements.resize(start);
  pending_.frames.pop_back();
  ++next_;
  place(std::move(array));
}

void Walk::close_object() {
  const std::size_t start = pending_.frames.back().start;
  const auto fingerprints = std::span(pending_.fingerprints).subspan(start);
  if (fingerprints.size() > kPairwiseMax || has_equal_pair(fingerprints)) merge_duplicates(start);
  Value object = Value::take_object(std::span(pending_.members).subspan(start));
  pending_.members.resize(start);
  pending_.fingerprints.resize(start);
  pending_.offsets.resize(start);
  pending_.frames.pop_back();
  ++next_;
  place(std::move(object));
}

void Walk::place(Value value) {
  if (pending_.frames.empty()) {
    root_ = std::move(value);
  } else if (pending_.frames.back().kind == Kind::Array) {
    pending_.elements.push_back(std::move(value));
  } else {
    pending_.members.back().value = std::move(value);
  }
}

void Walk::merge_duplicates(std::size_t start) {
  const MergedNames merged = merge_equal_names(std::span(pending_.members).subspan(start));
  for (const RepeatedName& repeated : merged.repeated) {
    if (duplicates_.size() == kDuplicatesMax) break;
    duplicates_.push_back({pending_.offsets[start + repeated.second], path_to(repeated.name)});
  }
  pending_.members.resize(start + merged.count);
}

// The path of a member of the innermost object.
std::string Walk::path_to(std::string_view name) const {
  std::string path;
  for (auto frame = pending_.frames.begin(); frame != pending_.frames.end() - 1; ++frame) {
    // What is pending between this frame and the next of its kind belongs to this one.
    const bool array = frame->kind == Kind::Array;
    const auto next = std::find_if(frame + 1, pending_.frames.end(),
                                   [&](const Frame& inner) { return inner.kind == frame->kind; });
    if (array) {
      const std::size_t end =
          next == pending_.frames.end() ? pending_.elements.size() : next->start;
      path += fmt::format("[{}]", end - frame->start);
    } else {
      path += path.empty() ? "" : ".";
      path += pending_.members[next->start - 1].name();
    }
  }
  if (!path.empty()) path += '.';
  path += name;
  return path;
}

std::vector<std::string> Walk::duplicate_fields() {
  std::ranges::sort(duplicates_, {}, &Duplicate::offset);
  std::vector<std::string> fields;
  for (Duplicate& duplicate : duplicates_) {
    const bool known = std::ranges::find(fields, duplicate.path) != fields.end();
    if (!known) fields.push_back(std::move(duplicate.path));
  }
  return fields;
}

// The text of the token at hand, up to the white space before the next one.
std::string_view Walk::token() const {
  const std::size_t start = tokens_[next_];
  std::size_t end = next_ + 1 < tokens_.size() ? tokens_[next_ + 1] : text_.size();
  while (is_space(text_[end - 1])) --end;
  return text_.substr(start, end - start);
}

bool Walk::fail(Error error) {
  error_ = std::move(error);
  return false;
}

bool Walk::fail_unknown_token() {
  const std::string shown = quote(cut_utf8(token(), 40));
  return fail(syntax_error(shown + " is not a JSON value", text_, offset()));
}

Error too_large(std::size_t size, std::size_t size_max) {
  return {.code = Code::RequestEntityTooLarge,
          .message = fmt::format("the text has {} bytes, the limit is {}", size, size_max)};
}

}  // namespace

struct Parser::Memory {
  TokenIndex index = {};
  Pending pending = {};
};

Parser::Parser() : memory_(std::make_unique<Memory>()) {}
Parser::Parser(Parser&&) noexcept = default;
Parser& Parser::operator=(Parser&&) noexcept = default;
Parser::~Parser() = default;

Result<ParsedDocument> Parser::parse_document(std::string_view text, const ParseOptions& options) {
  CHECK(options.depth_max <= kDepthMax);
  const std::size_t size_max = std::min(options.size_max, TokenIndex::kTextMax);
  if (text.size() > size_max) return failure(too_large(text.size(), size_max));
  const auto tokens = memory_->index.scan(text);
  if (tokens.empty()) return failure(lexical_error(text));
  auto document = Walk(text, tokens, options.depth_max, memory_->pending).run();
  memory_->index.shrink();
  return document;
}

Result<Value> Parser::parse(std::string_view text, const ParseOptions& options) {
  ASSIGN_OR_RETURN(ParsedDocument document, parse_document(text, options));
  return std::move(document.value);
}

Result<Value> parse(std::string_view text, const ParseOptions& options) {
  return Parser().parse(text, options);
}

Result<ParsedDocument> parse_document(std::string_view text, const ParseOptions& options) {
  return Parser().parse_document(text, options);
}

}  // namespace berth::json
