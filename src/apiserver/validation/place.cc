#include "apiserver/validation/place.h"

namespace berth::apiserver {
namespace {

const json::Value& nothing() {
  static const json::Value kNothing;
  return kNothing;
}

}  // namespace

const json::Value& Place::member(std::string_view name) const {
  const json::Value* found = value_->is_object() ? value_->find(name) : nullptr;
  return found ? *found : nothing();
}

Place Place::at(std::size_t index) const& {
  const bool is_there = value_->is_array() && index < value_->size();
  return {is_there ? value_->elements()[index] : nothing(), path_.index(index)};
}

}  // namespace berth::apiserver
