// The tree of an expression after parsing, with macros already expanded. Nodes live in one vector
// and name each other by index. A macro may use one subtree twice, so it is a DAG.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "cel/source.h"

namespace berth::cel {

using ExprIndex = std::uint32_t;

enum class ExprKind : std::uint8_t {
  Error,  // Stands where parsing failed; an issue tells why.
  Literal,
  Identifier,
  Select,
  Call,
  List,
  Map,
  Struct,
  Comprehension,
};

struct BytesLiteral {
  std::string bytes;
};

// monostate is null.
using Literal = std::variant<std::monostate, bool, std::int64_t, std::uint64_t, double, std::string,
                             BytesLiteral>;

struct Expr {
  ExprKind kind = ExprKind::Error;
  Position position = {};
  bool is_test_only = false;     // Select inside has().
  bool is_member = false;        // Call with a receiver, which is then the first child.
  std::string name = {};         // Identifier, field, function, struct type, or iteration variable.
  std::string accumulator = {};  // Comprehension.
  Literal literal = {};
  // Call: arguments. List: elements. Map: key, value, key, value. Comprehension: see below.
  std::vector<ExprIndex> children = {};
  std::vector<bool> optional = {};  // List, Map: which elements or entries were written with '?'.
};

// The children of a Comprehension.
enum ComprehensionPart : std::size_t { kRange, kInitial, kCondition, kStep, kResult };

// A spelling that no user can type, so it never collides with a variable.
inline constexpr std::string_view kAccumulator = "@result";

class Ast {
 public:
  ExprIndex add(Expr expr) {
    nodes_.push_back(std::move(expr));
    return static_cast<ExprIndex>(nodes_.size() - 1);
  }
  const Expr& operator[](ExprIndex index) const { return nodes_[index]; }
  Expr& operator[](ExprIndex index) { return nodes_[index]; }
  std::size_t size() const { return nodes_.size(); }

  ExprIndex root = 0;

 private:
  std::vector<Expr> nodes_;
};

}  // namespace berth::cel
