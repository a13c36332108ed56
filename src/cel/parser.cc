#include "cel/parser.h"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "cel/grammar.h"
#include "cel/lexer.h"
#include "cel/literal.h"
#include "cel/operators.h"
#include "cel/token_stream.h"

namespace berth::cel {
namespace {

using enum TokenKind;

// What may go on after a complete operand, the ternary's '?' apart.
constexpr TokenSet kOperators = {Equals,     NotEquals,     In,      LogicalAnd,  LogicalOr, Less,
                                 LessEquals, GreaterEquals, Greater, LeftBracket, Dot,       Minus,
                                 Plus,       Star,          Slash,   Percent};

class Parser {
 public:
  Parser(std::string_view text, const ParseOptions& options, Issues& issues)
      : text_(text), options_(options), issues_(issues), tokens_(text, issues) {}

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

  using Level = ExprIndex (Parser::*)();
  using Operators = std::optional<std::string_view> (*)(TokenKind kind);
  ExprIndex parse_chain(TokenKind separator, std::string_view function, Level next);
  ExprIndex parse_binary(Operators function_of, Level next);
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

  TokenKind kind() const { return tokens_.kind(); }
  Position here() const { return tokens_.here(); }
  Token advance() { return tokens_.advance(); }
  ExprIndex failed() { return add({.kind = ExprKind::Error, .position = here()}, 0); }

  // Adds the node, and remembers how deep the tree below it is.
  ExprIndex add(Expr expr, int levels);
  int height_of(std::span<const ExprIndex> children) const;

  std::string_view text_;
  const ParseOptions& options_;
  Issues& issues_;
  TokenStream tokens_;
  Ast ast_;
  std::vector<int> heights_;               // By node; macro-made nodes have none of their own.
  TokenSet follow_ = {End, QuestionMark};  // What may end the expression that is being read.
  int nesting_ = 0;
};

Ast Parser::run() {
  ast_.root = parse_expression();
  tokens_.expect(End, {});
  const bool deep = !tokens_.is_stopped() && heights_[ast_.root] > kNestingMax;
  if (deep) issues_.add({}, "max recursion depth exceeded");
  return std::move(ast_);
}

ExprIndex Parser::parse_expression() {
  if (++nesting_ > kNestingMax) {
    tokens_.give_up(fmt::format("expression recursion limit exceeded: {}", kNestingMax));
    return failed();
  }
  ExprIndex result = parse_or();
  if (kind() == QuestionMark) {
    const Position position = Position(advance().offset);
    const TokenSet outer = std::exchange(follow_, {Colon});
    const ExprIndex if_true = parse_or();
    follow_ = outer;
    tokens_.expect(Colon, kExpressionStart);
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
  return parse_chain(LogicalOr, operators::kLogicalOr, &Parser::parse_and);
}

ExprIndex Parser::parse_and() {
  return parse_chain(LogicalAnd, operators::kLogicalAnd, &Parser::parse_relation);
}

ExprIndex Parser::parse_chain(TokenKind separator, std::string_view function, Level next) {
  std::vector<ExprIndex> terms = {(this->*next)()};
  std::vector<Position> positions;
  while (kind() == separator) {
    positions.push_back(Position(advance().offset));
    terms.push_back((this->*next)());
  }
  return balance(function, terms, positions);
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

ExprIndex Parser::parse_relation() { return parse_binary(relation_operator, &Parser::parse_sum); }

ExprIndex Parser::parse_sum() { return parse_binary(additive_operator, &Parser::parse_product); }

ExprIndex Parser::parse_product() {
  return parse_binary(multiplicative_operator, &Parser::parse_unary);
}

ExprIndex Parser::parse_binary(Operators function_of, Level next) {
  ExprIndex left = (this->*next)();
  while (const auto function = function_of(kind())) {
    const Position position = Position(advance().offset);
    left = make_call(position, *function, {left, (this->*next)()});
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
  tokens_.sync(kExpressionStart);
  const TokenKind sign = kind();
  const bool signed_literal =
      sign == Minus && (tokens_.peek(1).kind == Int || tokens_.peek(1).kind == Double);
  if ((sign != Minus && sign != Exclamation) || signed_literal) return parse_member();

  const Position position = here();
  bool odd = false;
  Token last;
  while (kind() == sign) {
    last = advance();
    odd = !odd;
  }
  const bool literal_minus =
      kind() == Minus && (tokens_.peek(1).kind == Int || tokens_.peek(1).kind == Double);
  const bool operand = kExpressionStart.contains(kind()) && kind() != Exclamation &&
                       (kind() != Minus || literal_minus);
  if (!operand && sign == Exclamation) {
    tokens_.refuse(kExpressionStart);
  } else if (!operand) {
    tokens_.fail_from(last);
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
      tokens_.sync({Identifier, EscapedIdentifier});
      issues_.add(tokens_.stopped_at(), "unsupported ident kind");
    } else {
      tokens_.fail_from(dot);
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
  tokens_.sync(kExpressionStart | TokenSet{QuestionMark});
  const bool optional = kind() == QuestionMark;
  if (optional) advance();
  const ExprIndex index = parse_within({RightBracket});
  tokens_.expect(RightBracket, kOperators | follow_);
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
  tokens_.expect(RightParenthesis, kOperators | follow_);
  return inner;
}

ExprIndex Parser::parse_list() {
  Expr list = {.kind = ExprKind::List, .position = Position(advance().offset)};
  tokens_.sync(kExpressionStart | TokenSet{RightBracket, Comma, QuestionMark});
  bool more = kind() != RightBracket && kind() != Comma;
  while (more && !tokens_.is_stopped()) {
    const bool optional = kind() == QuestionMark;
    if (optional && !options_.optional_syntax) issues_.add(here(), "unsupported syntax '?'");
    if (optional) advance();
    list.children.push_back(parse_within({Comma, RightBracket}));
    list.optional.push_back(optional);
    tokens_.sync({RightBracket, Comma});
    more = kind() == Comma &&
           (kExpressionStart | TokenSet{QuestionMark}).contains(tokens_.peek(1).kind);
    if (more) advance();
  }
  if (kind() == Comma) advance();
  tokens_.expect(RightBracket, kOperators | follow_);
  return add(std::move(list), 0);
}

ExprIndex Parser::parse_map() {
  Expr map = {.kind = ExprKind::Map, .position = Position(advance().offset)};
  tokens_.sync(kExpressionStart | TokenSet{RightBrace, Comma, QuestionMark});
  bool more = kind() != RightBrace && kind() != Comma;
  while (more && !tokens_.is_stopped()) {
    const bool optional = kind() == QuestionMark;
    if (optional && !options_.optional_syntax) issues_.add(here(), "unsupported syntax '?'");
    if (optional) advance();
    map.children.push_back(parse_within({Colon}));
    tokens_.expect(Colon, kExpressionStart);
    map.children.push_back(parse_within({Comma, RightBrace}));
    map.optional.push_back(optional);
    tokens_.sync({RightBrace, Comma});
    more = kind() == Comma &&
           (kExpressionStart | TokenSet{QuestionMark}).contains(tokens_.peek(1).kind);
    if (more) advance();
  }
  if (kind() == Comma) advance();
  tokens_.expect(RightBrace, kOperators | follow_);
  return add(std::move(map), 0);
}

// Whether the names at hand lead to '{': Name{...} or package.Name{...}.
bool Parser::starts_struct() const {
  std::size_t ahead = 0;
  while (tokens_.peek(ahead).kind == Identifier) {
    ++ahead;
    if (tokens_.peek(ahead).kind == LeftBrace) return true;
    if (tokens_.peek(ahead).kind != Dot) return false;
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
      tokens_.fail_from(dot);
      return failed();
    }
  }
  if (starts_struct()) return parse_struct(std::move(name));
  const Token identifier = advance();
  const std::string_view spelled = identifier.text_in(text_);
  const bool reserved = is_reserved_word(spelled);
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
  tokens_.sync({RightBrace, Comma, QuestionMark, Identifier, EscapedIdentifier});
  while (kind() != RightBrace && kind() != Comma && !tokens_.is_stopped()) {
    if (kind() == QuestionMark) advance();
    tokens_.sync({Identifier, EscapedIdentifier});
    advance();
    tokens_.expect(Colon, kExpressionStart);
    message.children.push_back(parse_within({Comma, RightBrace}));
    tokens_.sync({RightBrace, Comma});
    if (kind() != Comma || tokens_.peek(1).kind == RightBrace) break;
    advance();
  }
  if (kind() == Comma) advance();
  tokens_.expect(RightBrace, kOperators | follow_);
  return add(std::move(message), 0);
}

std::vector<ExprIndex> Parser::parse_arguments() {
  advance();
  std::vector<ExprIndex> arguments;
  tokens_.sync(kExpressionStart | TokenSet{RightParenthesis});
  while (kind() != RightParenthesis && !tokens_.is_stopped()) {
    arguments.push_back(parse_within({Comma, RightParenthesis}));
    if (kind() != Comma) break;
    advance();
    tokens_.sync(kExpressionStart);
  }
  tokens_.expect(RightParenthesis, kOperators | follow_);
  return arguments;
}

ExprIndex Parser::parse_literal() {
  const Position position = here();
  const Sign sign = kind() == Minus ? Sign::Negative : Sign::Positive;
  if (sign == Sign::Negative) advance();
  const Token token = advance();
  if (tokens_.is_stopped()) return failed();
  auto literal = read_literal(token.kind, sign, token.text_in(text_));
  if (!literal.ok()) {
    issues_.add(position, literal.error().message);
    return failed();
  }
  return add({.kind = ExprKind::Literal, .position = position, .literal = *std::move(literal)}, 0);
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
