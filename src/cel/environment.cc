#include "cel/environment.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace berth::cel {

Environment::Environment(std::shared_ptr<const Environment> base)
    : base_(std::move(base)),
      macros_(base_->macros_),
      validators_(base_->validators_),
      optional_syntax_(base_->optional_syntax_),
      cross_type_comparisons_(base_->cross_type_comparisons_) {
  CHECK(base_->variables_.empty());
}

std::size_t Environment::add_variable(std::string name, Type type) {
  variables_.push_back({.name = std::move(name), .type = std::move(type)});
  return variables_.size() - 1;
}

void Environment::add_function(Function function) {
  CHECK(!base_ || !base_->find_function(function.name));
  const auto found = functions_.find(function.name);
  if (found == functions_.end()) {
    std::string name = function.name;
    functions_.emplace(std::move(name), std::move(function));
    return;
  }
  Function& known = found->second;
  CHECK(known.implementation == nullptr || function.implementation == nullptr);
  if (function.implementation) known.implementation = function.implementation;
  for (Overload& overload : function.overloads) known.overloads.push_back(std::move(overload));
}

void Environment::add_macros(std::span<const Macro> macros) {
  for (const Macro& macro : macros) macros_.push_back(&macro);
}

void Environment::add_struct(StructType type) { structs_.push_back(std::move(type)); }

void Environment::add_type_name(std::string name, Type type) {
  type_names_.insert_or_assign(std::move(name), std::move(type));
}

std::optional<std::size_t> Environment::find_variable(std::string_view name) const {
  const auto found =
      std::ranges::find_if(variables_, [&](const Variable& it) { return it.name == name; });
  if (found == variables_.end()) return std::nullopt;
  return static_cast<std::size_t>(found - variables_.begin());
}

const Function* Environment::find_function(std::string_view name) const {
  const auto found = functions_.find(name);
  if (found != functions_.end()) return &found->second;
  return base_ ? base_->find_function(name) : nullptr;
}

const Type* Environment::find_type_name(std::string_view name) const {
  const auto found = type_names_.find(name);
  if (found != type_names_.end()) return &found->second;
  return base_ ? base_->find_type_name(name) : nullptr;
}

const StructType* Environment::find_struct(std::string_view name) const {
  const auto found =
      std::ranges::find_if(structs_, [&](const StructType& it) { return it.name == name; });
  if (found != structs_.end()) return &*found;
  return base_ ? base_->find_struct(name) : nullptr;
}

}  // namespace berth::cel
