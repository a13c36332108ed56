// The bytes that a session wants to write next: appended at the end, taken from the front.

#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

namespace berth::http {

class OutputBuffer {
 public:
  std::string_view view() const { return {bytes_.get() + begin_, end_ - begin_}; }
  std::size_t size() const { return end_ - begin_; }
  bool empty() const { return begin_ == end_; }

  void append(std::string_view bytes);

  // Space for `bytes` after the end, for a producer to write into; commit() makes what was written
  // part of the output. Nothing else may be appended in between.
  std::span<char> room(std::size_t bytes);
  void commit(std::size_t bytes) { end_ += bytes; }

  // Takes bytes from the front. A buffer that was filled and emptied without need for its size
  // gives its memory back: most connections are quiet most of the time.
  void drop(std::size_t bytes);

  std::size_t capacity() const { return capacity_; }

 private:
  void grow(std::size_t bytes);

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::size_t peak_ = 0;  // Since it was last empty.
};

}  // namespace berth::http
