// ValuePath: where in an object a walk is, as steps that lie on the stack of the walk. It costs
// nothing until somebody wants it as text.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace berth::apiserver {

// Points to the path that it continues and to the name: both must outlive it.
class ValuePath {
 public:
  ValuePath() = default;  // The object itself.

  ValuePath child(std::string_view name) const { return {this, Step::Name, name, 0}; }
  ValuePath key(std::string_view name) const { return {this, Step::Key, name, 0}; }
  ValuePath index(std::size_t index) const { return {this, Step::Index, {}, index}; }

  bool is_root() const { return before_ == nullptr; }

  // "spec.list[0].name", "spec.labels[app]"; empty for the object itself.
  std::string text() const;

 private:
  enum class Step : std::uint8_t { Name, Key, Index };

  ValuePath(const ValuePath* before, Step step, std::string_view name, std::size_t index)
      : before_(before), name_(name), index_(index), step_(step) {}

  const ValuePath* before_ = nullptr;
  std::string_view name_ = {};
  std::size_t index_ = 0;
  Step step_ = Step::Name;
};

}  // namespace berth::apiserver
