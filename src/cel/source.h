// The text of an expression and what is wrong with it, told the way cel-go tells it: users and
// their dashboards match on these messages.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth::cel {

// A place in the text: a byte offset, or nowhere for problems of the expression as a whole.
class Position {
 public:
  constexpr Position() = default;
  constexpr explicit Position(std::size_t offset) : offset_(offset) {}

  constexpr bool is_somewhere() const { return offset_ != kNowhere; }
  constexpr std::size_t offset() const { return offset_; }

  constexpr auto operator<=>(const Position&) const = default;

 private:
  static constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);
  std::size_t offset_ = kNowhere;
};

struct Issue {
  Position position;
  std::string message;
};

// Collects issues and prints them; at most kIssuesMax are kept, the rest is only counted.
class Issues {
 public:
  static constexpr std::size_t kIssuesMax = 100;

  void add(Position position, std::string message);
  bool empty() const { return count_ == 0; }
  const std::vector<Issue>& kept() const { return kept_; }

  // One block per issue, in the order of their places:
  //   ERROR: <input>:1:3: undeclared reference to 'x' (in container '')
  //    | 1+x
  //    | ..^
  std::string display(std::string_view text) const;

 private:
  std::vector<Issue> kept_;
  std::size_t count_ = 0;
};

// How many code points the UTF-8 text has; a byte that is no part of one counts as one.
std::size_t count_code_points(std::string_view text);

// The length in bytes of the code point at the start of `text`, which must not be empty.
std::size_t code_point_length(std::string_view text);

}  // namespace berth::cel
