// Functions as data: what the checker, the planner and the evaluator need to know about each.

#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"
#include "cel/context.h"
#include "cel/type.h"
#include "cel/value.h"

namespace berth::cel {

// What can be computed once for a call whose arguments are literals, such as a compiled regular
// expression. Shared by all evaluations of a program.
class Prepared {
 public:
  virtual ~Prepared() = default;
};

struct Call {
  Context& context;
  std::span<const Value> arguments;  // The receiver of a member call is the first.
  const Prepared* prepared = nullptr;

  const Value& operator[](std::size_t index) const { return arguments[index]; }
};

// Arguments are never errors, and have the kinds of the overload's parameters.
using Implementation = Value (*)(Call& call);

// In CEL's units. Here arguments and result may be errors.
using CostFunction = std::uint64_t (*)(std::span<const Value> arguments, const Value& result);

// Gets null for each argument that is no literal, and may give null. An error means that the call
// can never work.
using Prepare = Result<std::unique_ptr<const Prepared>> (*)(std::span<const Value* const> literals);

enum class CallStyle : std::uint8_t { Global, Member };

struct Overload {
  std::string id;
  CallStyle style = CallStyle::Global;
  std::vector<Type> parameters;  // Type variables are numbered from 0.
  Type result;
  Implementation implementation = nullptr;  // Null where the function has one for all.
  CostFunction cost = nullptr;              // Null: 1.
  Prepare prepare = nullptr;
  // Compares numbers of different kinds: only found when the types are not known in advance.
  bool is_cross_type = false;
};

struct Function {
  std::string name;
  std::vector<Overload> overloads;
  // Serves all overloads and looks at the kinds of its arguments itself.
  Implementation implementation = nullptr;
};

// How many type variables the overload uses.
int count_type_variables(const Overload& overload);

// Whether a value may be passed where the type is declared. Looks at the first element of lists
// and maps only.
bool accepts(const Type& type, const Value& value);
bool accepts(const Overload& overload, std::span<const Value> arguments);

}  // namespace berth::cel
