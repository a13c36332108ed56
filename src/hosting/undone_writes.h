// Two who see things differently, as two leaders do for a moment, would undo each other's writes as
// fast as the server lets them. Whoever has to write once more what it wrote last, because somebody
// has replaced that, waits a while first.

#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "base/time.h"
#include "json/value.h"

namespace berth::hosting {

class UndoneWrites {
 public:
  static constexpr Duration kRest = std::chrono::seconds(5);

  // How long to wait before that is written for the key; zero: not at all.
  Duration rest(const std::string& key, const json::Value& content, Instant now) const;

  void note(const std::string& key, const json::Value& content, Instant now);  // It was written.
  void forget(const std::string& key);

 private:
  struct Written {
    std::uint64_t content;  // A hash of it.
    Instant at;
  };

  std::map<std::string, Written> last_;
};

}  // namespace berth::hosting
