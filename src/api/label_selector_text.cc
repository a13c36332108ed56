#include "api/label_selector_text.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>

#include <fmt/format.h>

namespace berth::api {
namespace {

using Operator = LabelRequirement::Operator;

struct Token {
  enum class Kind : std::uint8_t { End, Word, Symbol };

  Kind kind = Kind::End;
  std::string_view text;

  bool is(std::string_view symbol) const { return kind == Kind::Symbol && text == symbol; }
  bool is_word() const { return kind == Kind::Word; }
  bool is_end() const { return kind == Kind::End; }
};

constexpr std::string_view kSymbols = "=!(),><";

// Gives one token at a time, with one token of lookahead.
class Lexer {
 public:
  explicit Lexer(std::string_view text) : rest_(text) { advance(); }

  const Token& peek() const { return next_; }

  Token take() {
    const Token taken = next_;
    if (!taken.is_end()) advance();
    return taken;
  }

 private:
  void advance() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
    if (rest_.empty()) {
      next_ = {};
    } else if (kSymbols.contains(rest_.front())) {
      const bool is_pair = rest_.starts_with("==") || rest_.starts_with("!=");
      next_ = cut(Token::Kind::Symbol, is_pair ? 2 : 1);
    } else {
      const std::size_t end = rest_.find_first_of("=!(),>< \t\r\n");
      next_ = cut(Token::Kind::Word, std::min(end, rest_.size()));
    }
  }

  Token cut(Token::Kind kind, std::size_t size) {
    const Token token{.kind = kind, .text = rest_.substr(0, size)};
    rest_.remove_prefix(size);
    return token;
  }

  std::string_view rest_;
  Token next_;
};

std::unexpected<Error> found(const Token& token, std::string_view expected) {
  return failure(Code::BadRequest, fmt::format("found '{}'{}", token.text, expected));
}

class Parser {
 public:
  explicit Parser(std::string_view text) : lexer_(text) {}

  Result<std::vector<LabelRequirement>> parse() {
    std::vector<LabelRequirement> requirements;
    if (lexer_.peek().is_end()) return requirements;
    if (!starts_requirement()) {
      return found(lexer_.peek(), ", expected: !, identifier, or 'end of string'");
    }
    while (true) {
      auto requirement = parse_requirement();
      if (!requirement.ok()) {
        Error error = std::move(requirement).error().in_context("unable to parse requirement");
        error.code = Code::BadRequest;
        return failure(std::move(error));
      }
      requirements.push_back(*std::move(requirement));
      const Token token = lexer_.take();
      if (token.is_end()) return requirements;
      if (!token.is(",")) return found(token, ", expected: ',' or 'end of string'");
      if (!starts_requirement()) return found(lexer_.peek(), ", expected: identifier after ','");
    }
  }

 private:
  bool starts_requirement() const { return lexer_.peek().is_word() || lexer_.peek().is("!"); }
  bool at_end_of_requirement() const { return lexer_.peek().is_end() || lexer_.peek().is(","); }

  Result<LabelRequirement> parse_requirement() {
    Token key = lexer_.take();
    const bool negated = key.is("!");
    if (negated) key = lexer_.take();
    if (!key.is_word()) return found(key, ", expected: identifier");
    RETURN_IF_ERROR(check_label_key(key.text, "<nil>"));
    if (negated) return LabelRequirement::make(key.text, Operator::DoesNotExist, {});
    if (at_end_of_requirement()) return LabelRequirement::make(key.text, Operator::Exists, {});

    ASSIGN_OR_RETURN(const Operator op, parse_operator());
    const bool is_set = op == Operator::In || op == Operator::NotIn;
    ASSIGN_OR_RETURN(const auto values, is_set ? parse_set() : parse_value());
    return LabelRequirement::make(key.text, op, {values.begin(), values.end()});
  }

  Result<Operator> parse_operator() {
    constexpr std::array<std::pair<std::string_view, Operator>, 7> kOperators = {{
        {"in", Operator::In},
        {"notin", Operator::NotIn},
        {"=", Operator::Equals},
        {"==", Operator::DoubleEquals},
        {"!=", Operator::NotEquals},
        {">", Operator::GreaterThan},
        {"<", Operator::LessThan},
    }};
    const Token token = lexer_.take();
    for (const auto& [text, op] : kOperators) {
      if (token.text == text) return op;
    }
    return found(token, ", expected: in, notin, =, ==, !=, gt, lt");
  }

  // Sorted and each once, as Kubernetes hands them on.
  using Values = std::set<std::string>;

  Result<Values> parse_value() {
    if (at_end_of_requirement()) return Values{""};
    const Token value = lexer_.take();
    if (!value.is_word()) return found(value, ", expected: identifier");
    return Values{std::string(value.text)};
  }

  Result<Values> parse_set() {
    if (const Token open = lexer_.take(); !open.is("(")) return found(open, " expected: '('");
    const Token first = lexer_.peek();
    if (!first.is_word() && !first.is(",") && !first.is(")")) {
      return found(first, ", expected: ',', ')' or identifier");
    }
    Values values;
    // A place without a value stands for the empty value.
    while (true) {
      if (lexer_.peek().is_word()) {
        values.emplace(lexer_.take().text);
        if (!lexer_.peek().is(",") && !lexer_.peek().is(")")) {
          return found(lexer_.peek(), ", expected: ',' or ')'");
        }
      } else {
        values.emplace();
      }
      if (lexer_.peek().is(")")) break;
      if (!lexer_.peek().is(",")) return found(lexer_.peek(), ", expected: ',', or identifier");
      lexer_.take();
    }
    lexer_.take();
    return values;
  }

  Lexer lexer_;
};

}  // namespace

Result<std::vector<LabelRequirement>> parse_label_requirements(std::string_view text) {
  return Parser(text).parse();
}

}  // namespace berth::api
