#include "cel/token_stream.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

namespace berth::cel {

std::string TokenSet::display() const {
  std::vector<std::string_view> names;
  for (int kind = 0; kind <= static_cast<int>(TokenKind::End); ++kind) {
    const auto token = static_cast<TokenKind>(kind);
    if (contains(token)) names.push_back(token_name(token));
  }
  if (names.size() == 1) return std::string(names.front());
  return fmt::format("{{{}}}", fmt::join(names, ", "));
}

const Token& TokenStream::peek(std::size_t ahead) const {
  if (stopped_) return tokens_.back();
  return tokens_[std::min(next_ + ahead, tokens_.size() - 1)];
}

Token TokenStream::advance() {
  const Token token = peek();
  if (token.kind != TokenKind::End) ++next_;
  recovering_ = false;
  return token;
}

void TokenStream::expect(TokenKind wanted, TokenSet after) {
  if (stopped_) return;
  if (kind() == wanted) {
    advance();
    return;
  }
  const std::string_view name = token_name(wanted);
  const std::string found = shown(peek());
  if (peek(1).kind == wanted && kind() != TokenKind::End) {
    report(fmt::format("extraneous input {} expecting {}", found, name));
    advance();
    advance();
  } else if (after.contains(kind())) {
    report(fmt::format("missing {} at {}", name, found));
    recovering_ = true;
  } else {
    report(fmt::format("mismatched input {} expecting {}", found, name));
    stopped_ = true;
  }
}

void TokenStream::sync(TokenSet wanted) {
  if (stopped_ || wanted.contains(kind())) return;
  if (wanted.contains(peek(1).kind) && kind() != TokenKind::End) {
    report(fmt::format("extraneous input {} expecting {}", shown(peek()), wanted.display()));
    advance();
    return;
  }
  report(fmt::format("mismatched input {} expecting {}", shown(peek()), wanted.display()));
  stopped_ = true;
}

void TokenStream::refuse(TokenSet wanted) {
  report(fmt::format("extraneous input {} expecting {}", shown(peek()), wanted.display()));
  stopped_ = true;
}

void TokenStream::fail_from(const Token& start) {
  if (stopped_) return;
  const Token& offender = peek();
  const std::string_view spelled = offender.text_in(text_);
  const std::string_view seen = text_.substr(start.offset, offender.end() - start.offset);
  const bool keyword = offender.kind == TokenKind::True || offender.kind == TokenKind::False ||
                       offender.kind == TokenKind::Null;
  if (keyword && seen.size() == spelled.size() + 1) {
    report(fmt::format("mismatched input '{}' expecting IDENTIFIER", spelled));
  } else {
    report(fmt::format("no viable alternative at input {}", quote_for_message(seen)));
    if (start.kind == TokenKind::Minus && offender.kind == TokenKind::End) {
      report(fmt::format("mismatched input '<EOF>' expecting {}", kExpressionStart.display()));
    }
  }
  stopped_ = true;
}

void TokenStream::give_up(std::string message) {
  if (!stopped_) issues_.add({}, std::move(message));
  stopped_ = true;
}

std::string TokenStream::shown(const Token& token) const {
  return token.kind == TokenKind::End ? "'<EOF>'" : quote_for_message(token.text_in(text_));
}

void TokenStream::report(std::string message) {
  if (!recovering_ && !stopped_) issues_.add(here(), "Syntax error: " + std::move(message));
}

}  // namespace berth::cel
