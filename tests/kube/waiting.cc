#include "kube/waiting.h"

#include <thread>

namespace berth::kube {
namespace {

constexpr std::chrono::milliseconds kGlance{20};  // Between two questions.

}  // namespace

bool wait_until(const std::function<bool()>& holds, std::chrono::seconds patience) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() > deadline) return false;
    std::this_thread::sleep_for(kGlance);
  }
  return true;
}

}  // namespace berth::kube
