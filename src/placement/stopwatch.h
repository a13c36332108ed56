// How long plugins take, for whoever wants to know. Changes no answer.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/time.h"

namespace berth::placement {

enum class PluginType : std::uint8_t { Filter, Prioritizer };

class Stopwatch {
 public:
  virtual ~Stopwatch() = default;

  virtual Instant read() const = 0;
  virtual void plugin_ran(PluginType type, std::string_view name, Duration length) = 0;
  virtual void expression_ran(std::size_t clusters, Duration length) = 0;
};

// What `run` returns. `tell` hears, if there is a stopwatch, how long it took and what it returned.
template <typename Run, typename Tell>
auto timed(Stopwatch* stopwatch, const Run& run, const Tell& tell) {
  if (!stopwatch) return run();
  const Instant began = stopwatch->read();
  auto answer = run();
  tell(*stopwatch, stopwatch->read() - began, answer);
  return answer;
}

}  // namespace berth::placement
