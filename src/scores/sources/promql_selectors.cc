#include "scores/sources/promql_selectors.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::scores {
namespace {

// What looks like the name of a metric and is none. Names of functions and aggregations are told
// by the bracket, or the grouping, that follows them.
constexpr std::array<std::string_view, 14> kWords = {
    "and",        "or",          "unless", "by",     "without", "on",  "ignoring",
    "group_left", "group_right", "bool",   "offset", "atan2",   "inf", "nan"};

// What a list of labels in brackets follows.
constexpr std::array<std::string_view, 6> kGroupings = {"by",       "without",    "on",
                                                        "ignoring", "group_left", "group_right"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  Result<std::vector<std::string>> scan() {
    while (true) {
      skip_blanks();
      if (at_end()) break;
      RETURN_IF_ERROR(step());
    }
    if (!open_.empty()) return fail(open_.back(), "this bracket is not closed");
    return std::move(found_);
  }

 private:
  bool at_end() const { return at_ >= text_.size(); }
  char here() const { return text_[at_]; }
  bool sees(char c) const { return !at_end() && here() == c; }

  std::unexpected<Error> fail(std::size_t place, std::string_view what) const {
    return failure(Code::Invalid, fmt::format("character {}: {}", place + 1, what));
  }

  void skip_blanks() {
    while (!at_end()) {
      if (here() == '#') {
        while (!at_end() && here() != '\n') ++at_;
      } else if (is_blank(here())) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Status step() {
    const char c = here();
    if (c == '"' || c == '\'' || c == '`') return skip_string();
    if (c == '{') return take_selector(at_);
    if (c == '[') return skip_group('[', ']');
    if (is_digit(c) || c == '.') {
      skip_number();
    } else if (is_letter(c) || c == ':') {
      return word();
    } else if (c == '(') {
      open_.push_back(at_++);
    } else if (c == ')') {
      if (open_.empty()) return fail(at_, "this bracket was never opened");
      open_.pop_back();
      ++at_;
    } else if (c == ']' || c == '}') {
      return fail(at_, "this bracket was never opened");
    } else {
      ++at_;  // An operator, a comma, '@', or something that the server refuses.
    }
    return {};
  }

  Status word() {
    const std::size_t begin = at_;
    while (!at_end() && (is_letter(here()) || is_digit(here()) || here() == ':')) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    const std::size_t end = at_;
    skip_blanks();
    if (sees('{')) return take_selector(begin);
    const std::string lower = lower_ascii(word);
    const bool is_grouping = std::ranges::find(kGroupings, lower) != kGroupings.end();
    if (sees('(')) return is_grouping ? skip_group('(', ')') : Status();
    if (std::ranges::find(kWords, lower) != kWords.end() || groups_follow()) return {};
    add(text_.substr(begin, end - begin));
    return {};
  }

  // sum by (...) (...): the word before was an aggregation.
  bool groups_follow() const {
    for (const std::string_view grouping : {std::string_view("by"), std::string_view("without")}) {
      const std::string_view next = text_.substr(at_, grouping.size());
      if (lower_ascii(next) != grouping) continue;
      const std::size_t after = at_ + grouping.size();
      if (after >= text_.size() || !(is_letter(text_[after]) || is_digit(text_[after])))
        return true;
    }
    return false;
  }

  Status take_selector(std::size_t begin) {
    RETURN_IF_ERROR(skip_group('{', '}'));
    add(text_.substr(begin, at_ - begin));
    return {};
  }

  // Up to its end: what is inside holds no selectors and no brackets of its own kind.
  Status skip_group(char opening, char closing) {
    const std::size_t begin = at_++;
    while (!sees(closing)) {
      if (at_end() || here() == opening) return fail(begin, "this bracket is not closed");
      const char c = here();
      if (c == '"' || c == '\'' || c == '`') {
        RETURN_IF_ERROR(skip_string());
      } else if (c == '#') {
        skip_blanks();
      } else {
        ++at_;
      }
    }
    ++at_;
    return {};
  }

  Status skip_string() {
    const std::size_t begin = at_;
    const char mark = here();
    for (++at_; !sees(mark); ++at_) {
      if (at_end() || (here() == '\n' && mark != '`')) return fail(begin, "this string has no end");
      if (here() == '\\' && mark != '`') ++at_;
    }
    ++at_;
    return {};
  }

  // 5, 0x1f, 1e-3, and lengths of time such as 5m30s: letters that follow belong to it.
  void skip_number() {
    while (!at_end()) {
      const bool exponent = (here() == 'e' || here() == 'E') && at_ + 1 < text_.size() &&
                            (text_[at_ + 1] == '-' || text_[at_ + 1] == '+');
      if (exponent) {
        at_ += 2;
      } else if (is_digit(here()) || is_letter(here()) || here() == '.') {
        ++at_;
      } else {
        return;
      }
    }
  }

  void add(std::string_view selector) {
    if (std::ranges::find(found_, selector) == found_.end()) found_.emplace_back(selector);
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::vector<std::size_t> open_;  // Places of round brackets.
  std::vector<std::string> found_;
};

}  // namespace

bool is_label_name(std::string_view text) {
  return !text.empty() && is_letter(text.front()) &&
         std::ranges::all_of(text, [](char c) { return is_letter(c) || is_digit(c); });
}

Result<std::vector<std::string>> selectors_in(std::string_view promql) {
  return Scanner(promql).scan();
}

}  // namespace berth::scores
