#include "cel/unification.h"

#include <algorithm>

namespace berth::cel {
namespace {

bool is_wildcard(const Type& type) { return type.is_dyn() || type.is_error(); }

// What null may be assigned to.
bool is_nullable(const Type& type) {
  switch (type.kind()) {
    case TypeKind::Null:
    case TypeKind::Opaque:
    case TypeKind::Struct:
    case TypeKind::Timestamp:
    case TypeKind::Duration:
      return true;
    default:
      return false;
  }
}

bool is_less_specific(const Type& a, const Type& b) {
  if (a.is_dyn() || a.kind() == TypeKind::Variable) return true;
  if (b.is_dyn() || b.kind() == TypeKind::Variable) return false;
  if (a.kind() != b.kind() || a.runtime_name() != b.runtime_name()) return false;
  switch (a.kind()) {
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return std::ranges::equal(a.parameters(), b.parameters(), is_less_specific);
    case TypeKind::Meta:
      return true;
    default:
      return a == b;
  }
}

}  // namespace

const Type& more_general(const Type& a, const Type& b) { return is_less_specific(a, b) ? a : b; }

int TypeBindings::reserve_variables(int count) {
  const int first = static_cast<int>(bound_.size());
  bound_.resize(bound_.size() + static_cast<std::size_t>(count));
  return first;
}

namespace {

template <typename Replace>
Type rebuild(const Type& type, Replace replace) {
  std::vector<Type> parameters;
  parameters.reserve(type.parameters().size());
  for (const Type& parameter : type.parameters()) parameters.push_back(replace(parameter));
  switch (type.kind()) {
    case TypeKind::List:
      return Type::list(parameters[0]);
    case TypeKind::Map:
      return Type::map(parameters[0], parameters[1]);
    case TypeKind::Meta:
      return Type::type_of(parameters[0]);
    default:
      return Type::opaque(std::string(type.runtime_name()), std::move(parameters));
  }
}

}  // namespace

Type TypeBindings::instantiate(const Type& type, int first) const {
  if (type.kind() == TypeKind::Variable) return Type::variable(first + type.variable_number());
  if (type.parameters().empty()) return type;
  return rebuild(type, [&](const Type& inner) { return instantiate(inner, first); });
}

Type TypeBindings::resolve(const Type& type, Unbound unbound) const {
  if (type.kind() == TypeKind::Variable) {
    if (const Type* bound = find(type)) return resolve(*bound, unbound);
    return unbound == Unbound::ToDyn ? Type(TypeKind::Dyn) : type;
  }
  if (type.parameters().empty()) return type;
  return rebuild(type, [&](const Type& inner) { return resolve(inner, unbound); });
}

bool TypeBindings::assign(const Type& to, const Type& from) {
  return assign(std::span(&to, 1), std::span(&from, 1));
}

bool TypeBindings::assign(std::span<const Type> to, std::span<const Type> from) {
  const std::size_t mark = undo_.size();
  const bool fit = all_fit(to, from);
  if (!fit) undo_to(mark);
  undo_.resize(mark);
  return fit;
}

const Type* TypeBindings::find(const Type& variable) const {
  const auto& slot = bound_[static_cast<std::size_t>(variable.variable_number())];
  return slot ? &*slot : nullptr;
}

void TypeBindings::bind(const Type& variable, Type type) {
  auto& slot = bound_[static_cast<std::size_t>(variable.variable_number())];
  undo_.emplace_back(variable.variable_number(), slot);
  slot = std::move(type);
}

void TypeBindings::undo_to(std::size_t mark) {
  while (undo_.size() > mark) {
    bound_[static_cast<std::size_t>(undo_.back().first)] = std::move(undo_.back().second);
    undo_.pop_back();
  }
}

bool TypeBindings::all_fit(std::span<const Type> a, std::span<const Type> b) {
  return std::ranges::equal(a, b, [&](const Type& x, const Type& y) { return fits(x, y); });
}

bool TypeBindings::fits(const Type& a, const Type& b) {
  if (b.kind() == TypeKind::Variable) {
    const Substitution substitution = substitute(a, b);
    if (substitution.valid) return true;
    if (substitution.known) return false;
  }
  if (a.kind() == TypeKind::Variable) return substitute(b, a).valid;
  if (is_wildcard(a) || is_wildcard(b)) return true;
  if (a.kind() == TypeKind::Null) return is_nullable(b);
  if (b.kind() == TypeKind::Null) return is_nullable(a);
  if (a.kind() != b.kind()) return false;
  switch (a.kind()) {
    case TypeKind::Opaque:
    case TypeKind::List:
    case TypeKind::Map:
      return a.runtime_name() == b.runtime_name() && all_fit(a.parameters(), b.parameters());
    case TypeKind::Struct:
      return a.runtime_name() == b.runtime_name();
    default:
      return true;
  }
}

TypeBindings::Substitution TypeBindings::substitute(const Type& type, const Type& variable) {
  if (type == variable) return {.valid = true, .known = true};
  if (const Type* found = find(variable)) {
    const Type bound = *found;
    if (type == bound) return {.valid = true, .known = true};
    if (!fits(type, bound)) return {.valid = false, .known = true};
    const Type general = more_general(type, bound);
    if (!occurs_in(variable, general)) bind(variable, general);
    return {.valid = true, .known = true};
  }
  if (occurs_in(variable, type)) return {};
  bind(variable, type);
  return {.valid = true};
}

bool TypeBindings::occurs_in(const Type& variable, const Type& type) const {
  if (type == variable) return true;
  if (type.kind() == TypeKind::Variable) {
    const Type* bound = find(type);
    return bound && occurs_in(variable, *bound);
  }
  return std::ranges::any_of(type.parameters(),
                             [&](const Type& inner) { return occurs_in(variable, inner); });
}

}  // namespace berth::cel
