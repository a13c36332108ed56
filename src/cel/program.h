// From text to a program, and from a program and values to an answer.
//
//   const auto program = compile(environment, "cluster.labels['env'] == 'prod'");
//   const Evaluation outcome = program->evaluate({Value::json(cluster)}, arena);

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "cel/arena.h"
#include "cel/context.h"
#include "cel/environment.h"
#include "cel/plan.h"
#include "cel/type.h"
#include "cel/value.h"

namespace berth::cel {

struct Evaluation {
  Value value;  // May be an error; lives as long as the arena's content and what was bound.
  std::uint64_t cost = 0;
};

// Immutable: evaluations may run side by side, each with its own arena.
class Program {
 public:
  // One value for each of the environment's variables, in its order. Does not reset the arena.
  Evaluation evaluate(std::span<const Value> variables, Arena& arena,
                      const Limits& limits = {}) const;

  const Type& result_type() const { return result_type_; }

  // Whether the expression reads the variable with that index.
  bool uses_variable(std::size_t index) const;

 private:
  friend Result<Program> compile(std::shared_ptr<const Environment> environment,
                                 std::string_view text);

  std::shared_ptr<const Environment> environment_;  // The plan points to its functions.
  EvaluationPlan plan_;
  Type result_type_;
};

// The error's code is Invalid for what is wrong with the text, and its message is what
// Issues::display() prints; it is BadRequest when a sound expression can never work.
Result<Program> compile(std::shared_ptr<const Environment> environment, std::string_view text);

}  // namespace berth::cel
