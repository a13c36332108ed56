// The state of one evaluation: where its memory comes from, what it has cost, and when to stop.

#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cel/arena.h"
#include "cel/value.h"

namespace berth::cel {

struct Limits {
  std::uint64_t cost_max = 1'000'000;  // In CEL's own units.
  // Bytes and elements read or written. The cost model charges some functions a flat 1 however
  // much they touch; this bounds the time and memory that it does not see.
  std::uint64_t work_max = std::uint64_t{1} << 27;
};

class Context {
 public:
  Context(Arena& arena, const Limits& limits, std::span<const Value> variables)
      : arena_(arena), limits_(limits), variables_(variables) {}

  // The values bound to the environment's variables, in its order.
  const Value& variable(std::size_t index) const { return variables_[index]; }
  std::span<const Value> variables() const { return variables_; }

  std::uint64_t cost() const { return cost_; }
  void add_cost(std::uint64_t units);

  // Announces work to come; false once there has been too much, and then it must not be done.
  [[nodiscard]] bool charge(std::uint64_t work);

  // Once true, no value counts any more and every operator only hands the error up.
  bool is_cancelled() const { return cancelled_; }
  Value cancelled() const { return Value::error(why_cancelled_); }

  Arena& arena() { return arena_; }

  // Values in the arena. Each is an error instead when it would exceed the limits.
  Value string(std::string_view text);
  Value bytes(std::string_view bytes);
  Value list(std::span<const Value> elements);
  Value some(const Value& inner);
  Value error(std::string_view message);
  Value error(std::initializer_list<std::string_view> parts);

  // "no such overload", the message of operators that got values of the wrong kind.
  static Value no_such_overload() { return Value::error("no such overload"); }

 private:
  void cancel(std::string_view why);

  Arena& arena_;
  Limits limits_;
  std::span<const Value> variables_;
  std::uint64_t cost_ = 0;
  std::uint64_t work_ = 0;
  bool cancelled_ = false;
  std::string_view why_cancelled_ = {};
};

}  // namespace berth::cel
