// Memory of one evaluation: everything an expression creates lives here and dies together. An
// arena that is reset and used again allocates nothing in the usual case.

#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace berth::cel {

class Arena {
 public:
  Arena() = default;
  Arena(const Arena&) = delete;
  Arena& operator=(const Arena&) = delete;
  ~Arena() { reset(); }

  // Destroys everything made here; keeps one block for the next evaluation.
  void reset();

  std::size_t bytes_used() const { return bytes_used_; }

  void* allocate(std::size_t size, std::size_t alignment);

  template <typename T>
  T* allocate_array(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return static_cast<T*>(allocate(count * sizeof(T), alignof(T)));
  }

  template <typename T, typename... Arguments>
  T* make(Arguments&&... arguments) {
    T* object = std::construct_at(static_cast<T*>(allocate(sizeof(T), alignof(T))),
                                  std::forward<Arguments>(arguments)...);
    if constexpr (!std::is_trivially_destructible_v<T>) {
      destructors_.push_back({object, [](void* it) { std::destroy_at(static_cast<T*>(it)); }});
    }
    return object;
  }

  // A copy that lives as long as the arena's content.
  std::string_view copy(std::string_view text);

 private:
  struct Destructor {
    void* object;
    void (*destroy)(void*);
  };
  struct Block {
    std::unique_ptr<std::byte[]> bytes;
    std::size_t size = 0;
  };

  std::vector<Block> blocks_;
  std::size_t offset_ = 0;  // Into the last block.
  std::size_t bytes_used_ = 0;
  std::vector<Destructor> destructors_;
};

}  // namespace berth::cel
