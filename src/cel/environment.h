// An environment: the variables, functions, types and macros that an expression may use. It is
// plain data; a library is a function that adds to it.

#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "base/strings.h"
#include "cel/function.h"
#include "cel/macro.h"
#include "cel/type.h"

namespace berth::cel {

struct Variable {
  std::string name;  // May be qualified: "request.auth".
  Type type;
};

// An object type with declared fields, which the checker holds expressions to.
struct StructType {
  std::string name;
  std::vector<std::pair<std::string, Type>> fields;
};

struct Checked;

// Looks at a whole checked expression for what types cannot tell.
using Validator = void (*)(const Ast& ast, const Checked& checked, Issues& issues);

class Environment {
 public:
  Environment() = default;

  // Has what the base has, without copying it. Must not add to its functions; the base has no
  // variables.
  explicit Environment(std::shared_ptr<const Environment> base);

  // Values are bound in the order in which variables were added; the result is its index.
  std::size_t add_variable(std::string name, Type type);

  // Adds the overloads to the function if there is one of that name.
  void add_function(Function function);
  void add_macros(std::span<const Macro> macros);
  void add_struct(StructType type);

  // Makes the name an expression that denotes the type.
  void add_type_name(std::string name, Type type);

  void add_validator(Validator validator) { validators_.push_back(validator); }

  // Allows a.?b, a[?b], [?a] and {?k: v}.
  void enable_optional_syntax() { optional_syntax_ = true; }

  // Allows 1 < 1.5 where both types are known in advance.
  void enable_cross_type_comparisons() { cross_type_comparisons_ = true; }

  std::span<const Variable> variables() const { return variables_; }
  std::span<const Macro* const> macros() const { return macros_; }
  std::span<const Validator> validators() const { return validators_; }
  bool has_optional_syntax() const { return optional_syntax_; }
  bool has_cross_type_comparisons() const { return cross_type_comparisons_; }

  std::optional<std::size_t> find_variable(std::string_view name) const;
  const Function* find_function(std::string_view name) const;
  const Type* find_type_name(std::string_view name) const;
  const StructType* find_struct(std::string_view name) const;

 private:
  template <typename T>
  using ByName = boost::unordered_flat_map<std::string, T, StringHash, std::equal_to<>>;

  std::shared_ptr<const Environment> base_ = nullptr;
  std::vector<Variable> variables_;
  std::vector<const Macro*> macros_;
  ByName<Function> functions_;
  ByName<Type> type_names_;
  std::vector<StructType> structs_;
  std::vector<Validator> validators_;
  bool optional_syntax_ = false;
  bool cross_type_comparisons_ = false;
};

}  // namespace berth::cel
