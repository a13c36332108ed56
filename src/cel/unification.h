// Which types fit which, with type parameters bound on the way.

#pragma once

#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "cel/type.h"

namespace berth::cel {

class TypeBindings {
 public:
  Type fresh_variable() { return Type::variable(reserve_variables(1)); }

  // The number of the first of `count` fresh variables.
  int reserve_variables(int count);
  // The type with its variables counted from `first` on instead of from 0.
  Type instantiate(const Type& type, int first) const;

  // Whether a value of type `from` may stand where `to` is wanted. Binds variables if so, and
  // leaves the bindings alone if not.
  bool assign(const Type& to, const Type& from);
  bool assign(std::span<const Type> to, std::span<const Type> from);

  enum class Unbound { Keep, ToDyn };
  Type resolve(const Type& type, Unbound unbound) const;

 private:
  const Type* find(const Type& variable) const;
  void bind(const Type& variable, Type type);
  void undo_to(std::size_t mark);

  bool fits(const Type& a, const Type& b);
  bool all_fit(std::span<const Type> a, std::span<const Type> b);
  // valid: the type can replace the variable; known: the variable had a binding already.
  struct Substitution {
    bool valid = false;
    bool known = false;
  };
  Substitution substitute(const Type& type, const Type& variable);
  bool occurs_in(const Type& variable, const Type& type) const;

  std::vector<std::optional<Type>> bound_;
  std::vector<std::pair<int, std::optional<Type>>> undo_;
};

// The one of two compatible types that admits more.
const Type& more_general(const Type& a, const Type& b);

}  // namespace berth::cel
