#include "store/names.h"

namespace berth::store {

std::string_view Names::operator[](std::size_t i) const {
  const std::size_t begin = i == 0 ? 0 : ends_[i - 1];
  return std::string_view(text_).substr(begin, ends_[i] - begin);
}

std::size_t Names::lower_bound(std::string_view name) const {
  std::size_t low = 0;
  for (std::size_t high = size(); low < high;) {
    const std::size_t middle = (low + high) / 2;
    if ((*this)[middle] < name) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low;
}

std::size_t Names::upper_bound(std::string_view name) const {
  const std::size_t at = lower_bound(name);
  return at < size() && (*this)[at] == name ? at + 1 : at;
}

void Names::push_back(std::string_view name) {
  text_.append(name);
  ends_.push_back(static_cast<std::uint32_t>(text_.size()));
}

void Names::append(const Names& other, std::size_t from, std::size_t to) {
  if (from == to) return;
  const std::size_t begin = from == 0 ? 0 : other.ends_[from - 1];
  const std::size_t base = text_.size();
  text_.append(other.text_, begin, other.ends_[to - 1] - begin);
  for (std::size_t i = from; i < to; ++i) {
    ends_.push_back(static_cast<std::uint32_t>(base + other.ends_[i] - begin));
  }
}

void Names::reserve(std::size_t names, std::size_t bytes) {
  ends_.reserve(names);
  text_.reserve(bytes);
}

}  // namespace berth::store
