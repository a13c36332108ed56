#include "kube/waiting.h"

#include <algorithm>
#include <thread>

namespace berth::kube {
namespace {

using Clock = std::chrono::steady_clock;

constexpr Clock::duration kGlance = std::chrono::milliseconds(20);  // Between two questions.
// A question that costs a process of its own leaves the processors to what it asks about.
constexpr int kPausesPerQuestion = 3;

}  // namespace

bool wait_until(const std::function<bool()>& holds, std::chrono::seconds patience) {
  const auto deadline = Clock::now() + patience;
  while (true) {
    const auto asked = Clock::now();
    if (holds()) return true;
    const auto answered = Clock::now();
    if (answered > deadline) return false;
    std::this_thread::sleep_for(std::max(kGlance, kPausesPerQuestion * (answered - asked)));
  }
}

}  // namespace berth::kube
