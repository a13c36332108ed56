#include "cel/parser.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cel/lexer.h"
#include "cel/literal.h"
#include "cel/operators.h"

namespace berth::cel {
namespace {

class TokenSet {
 public:
  constexpr TokenSet() = default;
  constexpr TokenSet(std::initializer_list<TokenKind> kinds) {
    for (const TokenKind kind : kinds) bits_ |= bit(kind);
  }
  constexpr bool contains(TokenKind kind) const { return (bits_ & bit(kind)) != 0; }
  friend constexpr TokenSet operator|(TokenSet a, TokenSet b) {
    a.bits_ |= b.bits_;
    return a;
  }

  // "']'" or "{']', ','}", in the order of the kinds.
  std::string display() const {
    std::vector<std::string_view> names;
    for (int kind = 0; kind <= static_cast<int>(TokenKind::End); ++kind) {
      const auto token = static_cast<TokenKind>(kind);
      if (contains(token)) names.push_back(token_name(token));
    }
    if (names.size() == 1) return std::string(names.front());
    return fmt::format("{{{}}}", fmt::join(names, ", "));
  }

 private:
  static constexpr std::uint64_t bit(TokenKind kind) {
    return std::uint64_t{1} << static_cast<unsigned>(kind);
  }
  std::uint64_t bits_ = 0;
};

using enum TokenKind;

constexpr TokenSet kExpressionStart = {LeftBracket, LeftBrace, LeftParenthesis, Dot,   Minus,
                                       Exclamation, True,      False,           Null,  Double,
                                       Int,         Uint,      String,          Bytes, Identifier};
// What may go on after a complete operand, the ternary's '?' apart.
constexpr TokenSet kOperators = {Equals,     NotEquals,     In,      LogicalAnd,  LogicalOr, Less,
                                 LessEquals, GreaterEquals, Greater, LeftBracket, Dot,       Minus,
                                 Plus,       Star,          Slash,   Percent};

constexpr std::string_view kReserved[] = {
    "as",        "break", "const",  "continue", "else", "false", "for",
    "function",  "if",    "import", "in",       "let",  "loop",  "package",
    "namespace", "null",  "return", "true",     "var",  "void",  "while"};

std::optional<std::string_view> relation_operator(TokenKind kind) {
  switch (kind) {
    case Equals:
      return operators::kEquals;
    case NotEquals:
      return operators::kNotEquals;
    case In:
      return operators::kIn;
    case Less:
      return operators::kLess;
    case LessEquals:
      return operators::kLessEquals;
    case Greater:
      return operators::kGreater;
    case GreaterEquals:
      return operators::kGreaterEquals;
    default:
      return std::nullopt;
  }
}

std::optional<std::string_view> additive_operator(TokenKind kind) {
  if (kind == Plus) return operators::kAdd;
  if (kind == Minus) return operators::kSubtract;
  return std::nullopt;
}

std::optional<std::string_view> multiplicative_operator(TokenKind kind) {
  if (kind == Star) return operators::kMultiply;
  if (kind == Slash) return operators::kDivide;
  if (kind == Percent) return operators::kModulo;
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, Issues& issues)
      : text_(text), options_(options), issues_(issues), tokens_(tokenize(text, issues)) {}

  Ast run();

 private:
  // The grammar, from the weakest binding to the strongest.
  ExprIndex parse_expression();
  ExprIndex parse_or();
  ExprIndex parse_and();
  ExprIndex parse_relation();
  ExprIndex parse_sum();
  ExprIndex parse_product();
  ExprIndex parse_unary();
  ExprIndex parse_member();
  ExprIndex parse_primary();

  ExprIndex parse_select(ExprIndex operand);
  ExprIndex parse_index(ExprIndex operand);
  ExprIndex parse_parentheses();
  ExprIndex parse_list();
  ExprIndex parse_map();
  ExprIndex parse_named();
  ExprIndex parse_struct(std::string name);
  ExprIndex parse_literal();
  std::vector<ExprIndex> parse_arguments();
  ExprIndex parse_within(TokenSet follow);

  ExprIndex make_call(Position position, std::string_view function,
                      std::vector<ExprIndex> arguments);
  ExprIndex call_or_macro(Expr call);
  ExprIndex balance(std::string_view function, std::span<const ExprIndex> terms,
                    std::span<const Position> positions);
  bool starts_struct() const;

  // Tokens and recovery.
  const Token& peek(std::size_t ahead = 0) const;
  TokenKind kind() const { return peek().kind; }
  Position here() const { return Position(peek().offset); }
  Token advance();
  void expect(TokenKind wanted, TokenSet after);
  void sync(TokenSet wanted);
  std::string shown(const Token& token) const;
  void syntax_error(Position position, std::string message);
  void fail_from(const Token& start);
  void give_up(std::string message);
  ExprIndex failed() { return add({.kind = ExprKind::Error, .position = here()}, 0); }

  // Adds the node, and remembers how deep the tree below it is.
  ExprIndex add(Expr expr, int levels);
  int height_of(std::span<const ExprIndex> children) const;

  std::string_view text_;
  const ParseOptions& options_;
  Issues& issues_;
  std::vector<Token> tokens_;
  std::size_t next_ = 0;
  Ast ast_;
  std::vector<int> heights_;               // By node; macro-made nodes have none of their own.
  TokenSet follow_ = {End, QuestionMark};  // What may end the expression that is being read.
  int nesting_ = 0;
  bool recovering_ = false;  // A token was invented: no further complaints until one fits.
  bool stopped_ = false;
};

Ast Parser::run() {
  ast_.root = parse_expression();
  expect(End, {});
  const bool deep = !stopped_ && heights_[ast_.root] > kNestingMax;
  if (deep) issues_.add({}, "max recursion depth exceeded");
  return std::move(ast_);
}

ExprIndex Parser::parse_expression() {
  if (++nesting_ > kNestingMax) {
    give_up(fmt::format("expression recursion limit exceeded: {}", kNestingMax));
    return failed();
  }
  ExprIndex result = parse_or();
  if (kind() == QuestionMark) {
    const Position position = Position(advance().offset);
    const TokenSet outer = std::exchange(follow_, {Colon});
    const ExprIndex if_true = parse_or();
    follow_ = outer;
    expect(Colon, kExpressionStart);
    const ExprIndex if_false = parse_expression();
    result = add({.kind = ExprKind::Call,
                  .position = position,
                  .name = std::string(operators::kConditional),
                  .children = {result, if_true, if_false}},
                 1);
  }
  --nesting_;
  return result;
}

ExprIndex Parser::parse_or() {
  std::vector<ExprIndex> terms = {parse_and()};
  std::vector<Position> positions;
  while (kind() == LogicalOr) {
    positions.push_back(Position(advance().offset));
    terms.push_back(parse_and());
  }
  return balance(operators::kLogicalOr, terms, positions);
}

ExprIndex Parser::parse_and() {
  std::vector<ExprIndex> terms = {parse_relation()};
  std::vector<Position> positions;
  while (kind() == LogicalAnd) {
    positions.push_back(Position(advance().offset));
    terms.push_back(parse_relation());
  }
  return balance(operators::kLogicalAnd, terms, positions);
}

// A long chain becomes a tree of logarithmic depth.
ExprIndex Parser::balance(std::string_view function, std::span<const ExprIndex> terms,
                          std::span<const Position> positions) {
  if (terms.size() == 1) return terms[0];
  const std::size_t middle = terms.size() / 2;
  const ExprIndex left = balance(function, terms.first(middle), positions.first(middle - 1));
  const ExprIndex right = balance(function, terms.subspan(middle), positions.subspan(middle));
  return add({.kind = ExprKind::Call,
              .position = positions[middle - 1],
              .name = std::string(function),
              .children = {left, right}},
             0);
}

ExprIndex Parser::parse_relation() {
  ExprIndex left = parse_sum();
  while (const auto function = relation_operator(kind())) {
    const Position position = Position(advance().offset);
    left = make_call(position, *function, {left, parse_sum()});
  }
  return left;
}

ExprIndex Parser::parse_sum() {
  ExprIndex left = parse_product();
  while (const auto function = additive_operator(kind())) {
    const Position position = Position(advance().offset);
    left = make_call(position, *function, {left, parse_product()});
  }
  return left;
}

ExprIndex Parser::parse_product() {
  ExprIndex left = parse_unary();
  while (const auto function = multiplicative_operator(kind())) {
    const Position position = Position(advance().offset);
    left = make_call(position, *function, {left, parse_unary()});
  }
  return left;
}

ExprIndex Parser::make_call(Position position, std::string_view function,
                            std::vector<ExprIndex> arguments) {
  return add({.kind = ExprKind::Call,
              .position = position,
              .name = std::string(function),
              .children = std::move(arguments)},
             1);
}

ExprIndex Parser::parse_unary() {
  sync(kExpressionStart);
  const TokenKind sign = kind();
  const bool signed_literal = sign == Minus && (peek(1).kind == Int || peek(1).kind == Double);
  if ((sign != Minus && sign != Exclamation) || signed_literal) return parse_member();

  const Position position = here();
  bool odd = false;
  Token last;
  while (kind() == sign) {
    last = advance();
    odd = !odd;
  }
  const bool literal_minus = kind() == Minus && (peek(1).kind == Int || peek(1).kind == Double);
  const bool operand = kExpressionStart.contains(kind()) && kind() != Exclamation &&
                       (kind() != Minus || literal_minus);
  if (!operand && sign == Exclamation) {
    syntax_error(here(), fmt::format("extraneous input {} expecting {}", shown(peek()),
                                     kExpressionStart.display()));
    stopped_ = true;
  } else if (!operand) {
    fail_from(last);
  }
  if (!operand) return failed();
  const ExprIndex member = parse_member();
  // An even number of signs cancels out.
  if (!odd) return member;
  const std::string_view function = sign == Minus ? operators::kNegate : operators::kLogicalNot;
  return add({.kind = ExprKind::Call,
              .position = position,
              .name = std::string(function),
              .children = {member}},
             0);
}

ExprIndex Parser::parse_member() {
  ExprIndex result = parse_primary();
  while (true) {
    if (kind() == Dot) {
      result = parse_select(result);
    } else if (kind() == LeftBracket) {
      result = parse_index(result);
    } else {
      return result;
    }
  }
}

ExprIndex Parser::parse_select(ExprIndex operand) {
  const Token dot = advance();
  const Position position(dot.offset);
  const bool optional = kind() == QuestionMark;
  if (optional) advance();
  if (kind() != Identifier && kind() != EscapedIdentifier) {
    if (optional) {
      sync({Identifier, EscapedIdentifier});
    } else {
      fail_from(dot);
    }
    return failed();
  }
  const Token field = advance();
  std::string_view spelled = field.text_in(text_);
  if (field.kind == EscapedIdentifier) spelled = spelled.substr(1, spelled.size() - 2);
  std::string name(spelled);

  if (kind() == LeftParenthesis && field.kind == Identifier && !optional) {
    Expr call = {.kind = ExprKind::Call,
                 .position = here(),
                 .is_member = true,
                 .name = std::move(name),
                 .children = {operand}};
    for (const ExprIndex argument : parse_arguments()) call.children.push_back(argument);
    return call_or_macro(std::move(call));
  }
  if (!optional) {
    return add({.kind = ExprKind::Select,
                .position = position,
                .name = std::move(name),
                .children = {operand}},
               1);
  }
  if (!options_.optional_syntax) {
    issues_.add(position, "unsupported syntax '.?'");
    return failed();
  }
  const ExprIndex literal = add(
      {.kind = ExprKind::Literal, .position = Position(field.offset), .literal = std::move(name)},
      0);
  return make_call(position, operators::kOptionalSelect, {operand, literal});
}

ExprIndex Parser::parse_index(ExprIndex operand) {
  const Position position(advance().offset);
  sync(kExpressionStart | TokenSet{QuestionMark});
  const bool optional = kind() == QuestionMark;
  if (optional) advance();
  const ExprIndex index = parse_within({RightBracket});
  expect(RightBracket, kOperators | follow_);
  if (optional && !options_.optional_syntax) {
    issues_.add(position, "unsupported syntax '[?'");
    return failed();
  }
  return make_call(position, optional ? operators::kOptionalIndex : operators::kIndex,
                   {operand, index});
}

// An expression that the tokens in `follow` end.
ExprIndex Parser::parse_within(TokenSet follow) {
  const TokenSet outer = std::exchange(follow_, follow | TokenSet{QuestionMark});
  const ExprIndex result = parse_expression();
  follow_ = outer;
  return result;
}

ExprIndex Parser::parse_primary() {
  switch (kind()) {
    case LeftParenthesis:
      return parse_parentheses();
    case LeftBracket:
      return parse_list();
    case LeftBrace:
      return parse_map();
    case Dot:
    case Identifier:
      return parse_named();
    default:
      return parse_literal();
  }
}

ExprIndex Parser::parse_parentheses() {
  advance();
  const ExprIndex inner = parse_within({RightParenthesis});
  expect(RightParenthesis, kOperators | follow_);
  return inner;
}

ExprIndex Parser::parse_list() {
  Expr list = {.kind = ExprKind::List, .position = Position(advance().offset)};
  sync(kExpressionStart | TokenSet{RightBracket, Comma, QuestionMark});
  bool more = kind() != RightBracket && kind() != Comma;
  while (more && !stopped_) {
    const bool optional = kind() == QuestionMark;
    if (optional && !options_.optional_syntax) issues_.add(here(), "unsupported syntax '?'");
    if (optional) advance();
    list.children.push_back(parse_within({Comma, RightBracket}));
    list.optional.push_back(optional);
    sync({RightBracket, Comma});
    more = kind() == Comma && (kExpressionStart | TokenSet{QuestionMark}).contains(peek(1).kind);
    if (more) advance();
  }
  if (kind() == Comma) advance();
  expect(RightBracket, kOperators | follow_);
  return add(std::move(list), 0);
}

ExprIndex Parser::parse_map() {
  Expr map = {.kind = ExprKind::Map, .position = Position(advance().offset)};
  sync(kExpressionStart | TokenSet{RightBrace, Comma, QuestionMark});
  bool more = kind() != RightBrace && kind() != Comma;
  while (more && !stopped_) {
    const bool optional = kind() == QuestionMark;
    if (optional && !options_.optional_syntax) issues_.add(here(), "unsupported syntax '?'");
    if (optional) advance();
    map.children.push_back(parse_within({Colon}));
    expect(Colon, kExpressionStart);
    map.children.push_back(parse_within({Comma, RightBrace}));
    map.optional.push_back(optional);
    sync({RightBrace, Comma});
    more = kind() == Comma && (kExpressionStart | TokenSet{QuestionMark}).contains(peek(1).kind);
    if (more) advance();
  }
  if (kind() == Comma) advance();
  expect(RightBrace, kOperators | follow_);
  return add(std::move(map), 0);
}

// Whether the names at hand lead to '{': Name{...} or package.Name{...}.
bool Parser::starts_struct() const {
  std::size_t ahead = 0;
  while (peek(ahead).kind == Identifier) {
    ++ahead;
    if (peek(ahead).kind == LeftBrace) return true;
    if (peek(ahead).kind != Dot) return false;
    ++ahead;
  }
  return false;
}

ExprIndex Parser::parse_named() {
  const Position position = here();
  std::string name;
  if (kind() == Dot) {
    const Token dot = advance();
    name = ".";
    if (kind() != Identifier) {
      fail_from(dot);
      return failed();
    }
  }
  if (starts_struct()) return parse_struct(std::move(name));
  const Token identifier = advance();
  const std::string_view spelled = identifier.text_in(text_);
  const bool reserved = std::ranges::find(kReserved, spelled) != std::end(kReserved);
  if (reserved) issues_.add(position, fmt::format("reserved identifier: {}", spelled));
  name += spelled;
  if (kind() == LeftParenthesis) {
    Expr call = {.kind = ExprKind::Call, .position = here(), .name = std::move(name)};
    call.children = parse_arguments();
    if (reserved) return failed();
    return call_or_macro(std::move(call));
  }
  return add({.kind = ExprKind::Identifier,
              .position = Position(identifier.offset),
              .name = std::move(name)},
             0);
}

ExprIndex Parser::parse_struct(std::string name) {
  name += advance().text_in(text_);
  while (kind() == Dot) {
    advance();
    name += '.';
    name += advance().text_in(text_);
  }
  Expr message = {
      .kind = ExprKind::Struct, .position = Position(advance().offset), .name = std::move(name)};
  sync({RightBrace, Comma, QuestionMark, Identifier, EscapedIdentifier});
  while (kind() != RightBrace && kind() != Comma && !stopped_) {
    if (kind() == QuestionMark) advance();
    sync({Identifier, EscapedIdentifier});
    advance();
    expect(Colon, kExpressionStart);
    message.children.push_back(parse_within({Comma, RightBrace}));
    sync({RightBrace, Comma});
    if (kind() != Comma || peek(1).kind == RightBrace) break;
    advance();
  }
  if (kind() == Comma) advance();
  expect(RightBrace, kOperators | follow_);
  return add(std::move(message), 0);
}

std::vector<ExprIndex> Parser::parse_arguments() {
  advance();
  std::vector<ExprIndex> arguments;
  sync(kExpressionStart | TokenSet{RightParenthesis});
  while (kind() != RightParenthesis && !stopped_) {
    arguments.push_back(parse_within({Comma, RightParenthesis}));
    if (kind() != Comma) break;
    advance();
    sync(kExpressionStart);
  }
  expect(RightParenthesis, kOperators | follow_);
  return arguments;
}

ExprIndex Parser::parse_literal() {
  const Position position = here();
  const Sign sign = kind() == Minus ? Sign::Negative : Sign::Positive;
  if (sign == Sign::Negative) advance();
  const Token token = advance();
  const std::string_view spelled = token.text_in(text_);
  Expr expr = {.kind = ExprKind::Literal, .position = position};
  const auto set = [&](const auto& value, std::string_view complaint) {
    if (value) {
      expr.literal = *value;
    } else {
      issues_.add(position, std::string(complaint));
    }
  };
  switch (token.kind) {
    case Int:
      set(parse_int_literal(sign, spelled), "invalid int literal");
      break;
    case Uint:
      set(parse_uint_literal(spelled), "invalid uint literal");
      break;
    case Double:
      set(parse_double_literal(sign, spelled), "invalid double literal");
      break;
    case String: {
      const auto text = unescape_string(spelled);
      set(text, text.ok() ? "" : text.error().message);
      break;
    }
    case Bytes: {
      const auto bytes = unescape_bytes(spelled);
      if (bytes.ok()) {
        expr.literal = BytesLiteral{*bytes};
      } else {
        issues_.add(position, bytes.error().message);
      }
      break;
    }
    case True:
      expr.literal = true;
      break;
    case False:
      expr.literal = false;
      break;
    case Null:
      break;
    default:
      return failed();  // Only after a syntax error.
  }
  return add(std::move(expr), 0);
}

ExprIndex Parser::call_or_macro(Expr call) {
  const std::size_t receivers = call.is_member ? 1 : 0;
  const std::size_t count = call.children.size() - receivers;
  const int levels = call.is_member ? 1 : 0;
  for (const Macro* macro : options_.macros) {
    if (macro->name != call.name || macro->argument_count != count) continue;
    if (macro->is_receiver != call.is_member) continue;
    MacroCall expansion = {.ast = ast_,
                           .issues = issues_,
                           .position = call.position,
                           .target = call.is_member ? call.children[0] : 0,
                           .arguments = std::span(call.children).subspan(receivers)};
    const ExprIndex result = macro->expand(expansion);
    const int height = height_of(call.children) + levels;
    heights_.resize(ast_.size(), 0);
    heights_[result] = height;
    return result;
  }
  return add(std::move(call), levels);
}

ExprIndex Parser::add(Expr expr, int levels) {
  const int height = height_of(expr.children) + levels;
  const ExprIndex index = ast_.add(std::move(expr));
  heights_.push_back(height);
  return index;
}

int Parser::height_of(std::span<const ExprIndex> children) const {
  int height = 0;
  for (const ExprIndex child : children) height = std::max(height, heights_[child]);
  return height;
}

const Token& Parser::peek(std::size_t ahead) const {
  // Once stopped, everything looks like the end, so that all loops finish.
  if (stopped_) return tokens_.back();
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

Token Parser::advance() {
  const Token token = peek();
  if (token.kind != End) ++next_;
  recovering_ = false;
  return token;
}

// Takes the wanted token. A stranger before it is dropped; a missing one is imagined when what
// stands there could come after it.
void Parser::expect(TokenKind wanted, TokenSet after) {
  if (stopped_) return;
  if (kind() == wanted) {
    advance();
    return;
  }
  const std::string name = TokenSet{wanted}.display();
  const std::string found = shown(peek());
  if (peek(1).kind == wanted && kind() != End) {
    syntax_error(here(), fmt::format("extraneous input {} expecting {}", found, name));
    advance();
    advance();
  } else if (after.contains(kind())) {
    syntax_error(here(), fmt::format("missing {} at {}", name, found));
    recovering_ = true;
  } else {
    syntax_error(here(), fmt::format("mismatched input {} expecting {}", found, name));
    stopped_ = true;
  }
}

// Makes sure that the next token is one of the wanted, dropping at most one stranger.
void Parser::sync(TokenSet wanted) {
  if (stopped_ || wanted.contains(kind())) return;
  const bool stranger = wanted.contains(peek(1).kind) && kind() != End;
  syntax_error(here(),
               fmt::format("{} input {} expecting {}", stranger ? "extraneous" : "mismatched",
                           shown(peek()), wanted.display()));
  if (stranger) {
    advance();
  } else {
    stopped_ = true;
  }
}

// The tokens from `start` to the next one lead nowhere.
void Parser::fail_from(const Token& start) {
  if (stopped_) return;
  const Token& offender = peek();
  const std::string_view spelled = offender.text_in(text_);
  const std::string_view seen = text_.substr(start.offset, offender.end() - start.offset);
  const bool keyword = offender.kind == True || offender.kind == False || offender.kind == Null;
  if (keyword && seen.size() == spelled.size() + 1) {
    syntax_error(here(), fmt::format("mismatched input '{}' expecting IDENTIFIER", spelled));
  } else {
    syntax_error(here(), fmt::format("no viable alternative at input {}", quote_for_message(seen)));
    if (start.kind == Minus && offender.kind == End) {
      syntax_error(
          here(), fmt::format("mismatched input '<EOF>' expecting {}", kExpressionStart.display()));
    }
  }
  stopped_ = true;
}

std::string Parser::shown(const Token& token) const {
  return token.kind == End ? "'<EOF>'" : quote_for_message(token.text_in(text_));
}

void Parser::syntax_error(Position position, std::string message) {
  if (!recovering_) issues_.add(position, "Syntax error: " + std::move(message));
}

void Parser::give_up(std::string message) {
  if (!stopped_) issues_.add({}, std::move(message));
  stopped_ = true;
}

}  // namespace

Ast parse(std::string_view text, const ParseOptions& options, Issues& issues) {
  const std::size_t size = count_code_points(text);
  if (size > kCodePointsMax) {
    issues.add({}, fmt::format("expression code point size exceeds limit: size: {}, limit {}", size,
                               kCodePointsMax));
    return {};
  }
  return Parser(text, options, issues).run();
}

}  // namespace berth::cel
