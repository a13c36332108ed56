// Names in ascending order, packed into one string.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace berth::store {

class Names {
 public:
  std::size_t size() const { return ends_.size(); }
  std::string_view operator[](std::size_t i) const;

  // The first that is not less; the first that is greater; size() if there is none.
  std::size_t lower_bound(std::string_view name) const;
  std::size_t upper_bound(std::string_view name) const;

  // Not less than all before.
  void push_back(std::string_view name);
  void append(const Names& other, std::size_t from, std::size_t to);
  void reserve(std::size_t names, std::size_t bytes);
  std::size_t bytes() const { return text_.size(); }

 private:
  std::string text_;
  std::vector<std::uint32_t> ends_;  // Of each name in the text.
};

}  // namespace berth::store
