#include "cel/lexer.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace berth::cel {
namespace {

constexpr std::array<std::string_view, 36> kNames = {
    "'=='",      "'!='",    "'in'",     "'<'",    "'<='",   "'>='",       "'>'",
    "'&&'",      "'||'",    "'['",      "']'",    "'{'",    "'}'",        "'('",
    "')'",       "'.'",     "','",      "'-'",    "'!'",    "'?'",        "':'",
    "'+'",       "'*'",     "'/'",      "'%'",    "'true'", "'false'",    "'null'",
    "NUM_FLOAT", "NUM_INT", "NUM_UINT", "STRING", "BYTES",  "IDENTIFIER", "ESC_IDENTIFIER",
    "<EOF>"};

constexpr std::pair<std::string_view, TokenKind> kPunctuation[] = {
    {"==", TokenKind::Equals},
    {"!=", TokenKind::NotEquals},
    {"<=", TokenKind::LessEquals},
    {">=", TokenKind::GreaterEquals},
    {"&&", TokenKind::LogicalAnd},
    {"||", TokenKind::LogicalOr},
    {"<", TokenKind::Less},
    {">", TokenKind::Greater},
    {"[", TokenKind::LeftBracket},
    {"]", TokenKind::RightBracket},
    {"{", TokenKind::LeftBrace},
    {"}", TokenKind::RightBrace},
    {"(", TokenKind::LeftParenthesis},
    {")", TokenKind::RightParenthesis},
    {".", TokenKind::Dot},
    {",", TokenKind::Comma},
    {"-", TokenKind::Minus},
    {"!", TokenKind::Exclamation},
    {"?", TokenKind::QuestionMark},
    {":", TokenKind::Colon},
    {"+", TokenKind::Plus},
    {"*", TokenKind::Star},
    {"/", TokenKind::Slash},
    {"%", TokenKind::Percent},
};

constexpr std::pair<std::string_view, TokenKind> kKeywords[] = {
    {"in", TokenKind::In},
    {"true", TokenKind::True},
    {"false", TokenKind::False},
    {"null", TokenKind::Null},
};

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_hex(char c) { return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F'); }
bool is_octal(char c) { return c >= '0' && c <= '7'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'; }

// What became of an attempt to read one token: accepted up to `end`, or refused because of the
// character at `end`.
struct Attempt {
  bool accepted = false;
  TokenKind kind = TokenKind::End;
  std::size_t end = 0;
};

// An escape sequence: where it ends, or the character that spoils it.
struct Escape {
  bool valid = false;
  std::size_t end = 0;
};

class Lexer {
 public:
  Lexer(std::string_view text, Issues& issues) : text_(text), issues_(issues) {}

  std::vector<Token> run();

 private:
  void skip_hidden();
  Attempt read() const;
  Attempt read_number() const;
  Attempt read_string(std::size_t quote, TokenKind kind) const;
  Attempt read_triple(std::size_t quote, TokenKind kind) const;
  Attempt read_word() const;
  Attempt read_escaped_identifier() const;
  std::optional<Attempt> read_prefixed_string() const;
  Escape read_escape(std::size_t backslash) const;
  void report(std::size_t refused_at);

  char at(std::size_t offset) const { return offset < text_.size() ? text_[offset] : '\0'; }
  bool has(std::size_t offset) const { return offset < text_.size(); }
  std::size_t skip_digits(std::size_t offset) const {
    while (is_digit(at(offset))) ++offset;
    return offset;
  }

  std::string_view text_;
  Issues& issues_;
  std::size_t position_ = 0;
};

std::vector<Token> Lexer::run() {
  std::vector<Token> tokens;
  for (skip_hidden(); has(position_); skip_hidden()) {
    const Attempt attempt = read();
    if (!attempt.accepted) {
      report(attempt.end);
      continue;
    }
    tokens.push_back(
        {.kind = attempt.kind, .offset = position_, .length = attempt.end - position_});
    position_ = attempt.end;
  }
  tokens.push_back({.kind = TokenKind::End, .offset = text_.size(), .length = 0});
  return tokens;
}

void Lexer::skip_hidden() {
  while (has(position_)) {
    if (is_space(text_[position_])) {
      ++position_;
    } else if (text_.substr(position_).starts_with("//")) {
      position_ = std::min(text_.find('\n', position_), text_.size());
    } else {
      return;
    }
  }
}

// Reports the text up to and including the character nobody expected, and goes on after it.
void Lexer::report(std::size_t refused_at) {
  const std::size_t end =
      has(refused_at) ? refused_at + code_point_length(text_.substr(refused_at)) : text_.size();
  issues_.add(Position(position_), "Syntax error: token recognition error at: " +
                                       quote_for_message(text_.substr(position_, end - position_)));
  position_ = end;
}

Attempt Lexer::read() const {
  const char c = text_[position_];
  if (is_digit(c) || (c == '.' && is_digit(at(position_ + 1)))) return read_number();
  if (c == '"' || c == '\'') return read_string(position_, TokenKind::String);
  if (is_letter(c)) {
    if (const auto string = read_prefixed_string()) return *string;
    return read_word();
  }
  if (c == '`') return read_escaped_identifier();
  for (const auto& [spelling, kind] : kPunctuation) {
    if (text_.substr(position_).starts_with(spelling)) {
      return {.accepted = true, .kind = kind, .end = position_ + spelling.size()};
    }
  }
  // Half of a two-character operator: it is the second character that is wrong.
  const bool half = c == '=' || c == '&' || c == '|';
  return {.end = position_ + (half ? 1U : 0U)};
}

Attempt Lexer::read_number() const {
  if (at(position_) == '0' && at(position_ + 1) == 'x' && is_hex(at(position_ + 2))) {
    std::size_t end = position_ + 2;
    while (is_hex(at(end))) ++end;
    const bool is_unsigned = at(end) == 'u' || at(end) == 'U';
    return {.accepted = true,
            .kind = is_unsigned ? TokenKind::Uint : TokenKind::Int,
            .end = end + (is_unsigned ? 1U : 0U)};
  }
  std::size_t end = skip_digits(position_);
  TokenKind kind = TokenKind::Int;
  if (at(end) == '.' && is_digit(at(end + 1))) {
    end = skip_digits(end + 1);
    kind = TokenKind::Double;
  }
  if (at(end) == 'e' || at(end) == 'E') {
    const std::size_t sign = at(end + 1) == '+' || at(end + 1) == '-' ? 1 : 0;
    if (is_digit(at(end + 1 + sign))) {
      end = skip_digits(end + 1 + sign);
      kind = TokenKind::Double;
    }
  }
  if (kind == TokenKind::Int && (at(end) == 'u' || at(end) == 'U')) {
    return {.accepted = true, .kind = TokenKind::Uint, .end = end + 1};
  }
  return {.accepted = true, .kind = kind, .end = end};
}

// r"..", b"..", br".." in either case; nullopt when the letters begin something else.
std::optional<Attempt> Lexer::read_prefixed_string() const {
  std::size_t quote = position_;
  TokenKind kind = TokenKind::String;
  if (at(quote) == 'b' || at(quote) == 'B') {
    kind = TokenKind::Bytes;
    ++quote;
  }
  if (at(quote) == 'r' || at(quote) == 'R') ++quote;
  if (quote == position_ || (at(quote) != '"' && at(quote) != '\'')) return std::nullopt;
  const Attempt attempt = read_string(quote, kind);
  // An unfinished literal falls back to its letters as an identifier.
  if (!attempt.accepted) return std::nullopt;
  return attempt;
}

Attempt Lexer::read_string(std::size_t quote, TokenKind kind) const {
  const char mark = text_[quote];
  if (at(quote + 1) == mark && at(quote + 2) == mark) {
    const Attempt triple = read_triple(quote, kind);
    // Without its end, the first two quotes are an empty string.
    if (triple.accepted) return triple;
    return {.accepted = true, .kind = kind, .end = quote + 2};
  }
  const bool raw = quote > position_ && (text_[quote - 1] == 'r' || text_[quote - 1] == 'R');
  std::size_t end = quote + 1;
  while (has(end) && text_[end] != mark) {
    if (text_[end] == '\n' || text_[end] == '\r') return {.end = end};
    if (text_[end] == '\\' && !raw) {
      const Escape escape = read_escape(end);
      if (!escape.valid) return {.end = escape.end};
      end = escape.end;
    } else {
      ++end;
    }
  }
  if (!has(end)) return {.end = end};
  return {.accepted = true, .kind = kind, .end = end + 1};
}

Attempt Lexer::read_triple(std::size_t quote, TokenKind kind) const {
  const std::string_view closing = text_.substr(quote, 3);
  const bool raw = quote > position_ && (text_[quote - 1] == 'r' || text_[quote - 1] == 'R');
  std::size_t end = quote + 3;
  while (has(end) && !text_.substr(end).starts_with(closing)) {
    if (text_[end] == '\\' && !raw) {
      const Escape escape = read_escape(end);
      if (!escape.valid) return {.end = escape.end};
      end = escape.end;
    } else {
      ++end;
    }
  }
  if (!has(end)) return {.end = end};
  return {.accepted = true, .kind = kind, .end = end + 3};
}

Escape Lexer::read_escape(std::size_t backslash) const {
  const char c = at(backslash + 1);
  const auto digits = [&](std::size_t count, auto accepts) -> Escape {
    std::size_t end = backslash + 2;
    while (end < backslash + 2 + count && accepts(at(end))) ++end;
    return {.valid = end == backslash + 2 + count, .end = end};
  };
  if (c == 'x' || c == 'X') return digits(2, is_hex);
  if (c == 'u') return digits(4, is_hex);
  if (c == 'U') return digits(8, is_hex);
  if (c >= '0' && c <= '3') return digits(2, is_octal);
  const bool simple =
      c != '\0' && std::string_view("abfnrtv\"'\\?`").find(c) != std::string_view::npos;
  return {.valid = simple, .end = backslash + (simple ? 2U : 1U)};
}

Attempt Lexer::read_word() const {
  std::size_t end = position_;
  while (is_letter(at(end)) || is_digit(at(end))) ++end;
  const std::string_view word = text_.substr(position_, end - position_);
  const auto* keyword = std::ranges::find(kKeywords, word, [](const auto& k) { return k.first; });
  const bool reserved = keyword != std::end(kKeywords);
  return {.accepted = true, .kind = reserved ? keyword->second : TokenKind::Identifier, .end = end};
}

Attempt Lexer::read_escaped_identifier() const {
  std::size_t end = position_ + 1;
  const auto allowed = [](char c) {
    return is_letter(c) || is_digit(c) || c == '.' || c == '-' || c == '/' || c == ' ';
  };
  while (allowed(at(end))) ++end;
  if (end == position_ + 1 || at(end) != '`') return {.end = end};
  return {.accepted = true, .kind = TokenKind::EscapedIdentifier, .end = end + 1};
}

}  // namespace

std::string_view token_name(TokenKind kind) { return kNames[static_cast<std::size_t>(kind)]; }

std::vector<Token> tokenize(std::string_view text, Issues& issues) {
  return Lexer(text, issues).run();
}

std::string quote_for_message(std::string_view text) {
  std::string quoted = "'";
  for (const char c : text) {
    switch (c) {
      case '\n':
        quoted += "\\n";
        break;
      case '\r':
        quoted += "\\r";
        break;
      case '\t':
        quoted += "\\t";
        break;
      default:
        quoted += c;
    }
  }
  return quoted + "'";
}

}  // namespace berth::cel
