// Silences callbacks whose owner is gone.

#pragma once

#include <memory>
#include <utility>

namespace berth::env {

// A member of every class that hands out callbacks to itself. Declare it last, so that it dies
// first. The owner must die on the loop on which its callbacks run: then a callback either finds
// its owner alive or does nothing, and whatever it was called with is released.
class Scope {
 public:
  Scope() = default;
  Scope(const Scope&) = delete;
  Scope& operator=(const Scope&) = delete;

  // The callable `callback`, which does nothing after this scope has died.
  template <typename Callback>
  auto guard(Callback callback) const {
    return
        [alive = std::weak_ptr<const char>(token_),
         callback = std::move(callback)]<typename... Arguments>(Arguments&&... arguments) mutable {
          if (!alive.expired()) callback(std::forward<Arguments>(arguments)...);
        };
  }

  // For code that calls out and may find its owner gone afterwards:
  //   const auto alive = scope_.witness();
  //   handler.on_received(bytes);
  //   if (!alive()) return;
  auto witness() const {
    return [token = std::weak_ptr<const char>(token_)] { return !token.expired(); };
  }

  // Silences everything guarded so far; what is guarded from now on works.
  void renew() { token_ = std::make_shared<const char>('\0'); }

 private:
  std::shared_ptr<const char> token_ = std::make_shared<const char>('\0');
};

}  // namespace berth::env
