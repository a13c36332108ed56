// Cuts a stream of bytes into lines.

#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

namespace berth::worlds {

class Lines {
 public:
  static constexpr std::size_t kLineMax = 1024;

  // False if a line is too long. `take` is called per line, without its newline, and may say false
  // to stop: whoever holds this may be gone by then.
  bool feed(std::string_view bytes, const std::function<bool(std::string_view)>& take) {
    for (const char byte : bytes) {
      if (byte != '\n') {
        line_ += byte;
        if (line_.size() > kLineMax) return false;
        continue;
      }
      const std::string line = std::exchange(line_, {});
      if (!take(line)) return true;
    }
    return true;
  }

 private:
  std::string line_;
};

}  // namespace berth::worlds
