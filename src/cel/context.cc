#include "cel/context.h"

#include <algorithm>
#include <memory>

namespace berth::cel {

void Context::cancel(std::string_view why) {
  if (!cancelled_) why_cancelled_ = why;
  cancelled_ = true;
}

void Context::add_cost(std::uint64_t units) {
  cost_ += units;
  if (cost_ > limits_.cost_max) [[unlikely]] {
    cancel("operation cancelled: actual cost limit exceeded");
  }
}

bool Context::charge(std::uint64_t work) {
  work_ += work;
  if (work_ > limits_.work_max || work_ < work) [[unlikely]] {
    cancel("operation cancelled: work limit exceeded");
  }
  return !cancelled_;
}

Value Context::string(std::string_view text) {
  if (!charge(text.size())) return cancelled();
  return Value::string(arena_.copy(text));
}

Value Context::bytes(std::string_view bytes) {
  if (!charge(bytes.size())) return cancelled();
  return Value::bytes(arena_.copy(bytes));
}

Value Context::list(std::span<const Value> elements) {
  if (!charge(elements.size_bytes())) return cancelled();
  Value* copies = arena_.allocate_array<Value>(elements.size());
  std::ranges::uninitialized_copy(elements, std::span(copies, elements.size()));
  return Value::list({copies, elements.size()});
}

Value Context::some(const Value& inner) { return Value::some(arena_.make<Value>(inner)); }

Value Context::error(std::string_view message) {
  if (!charge(message.size())) return cancelled();
  return Value::error(arena_.copy(message));
}

Value Context::error(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  if (!charge(size)) return cancelled();
  char* bytes = arena_.allocate_array<char>(size);
  char* end = bytes;
  for (const std::string_view part : parts) end = std::ranges::copy(part, end).out;
  return Value::error({bytes, size});
}

}  // namespace berth::cel
