// How tests wait for what another process does: until it is so, never for a length of time.

#pragma once

#include <chrono>
#include <functional>

namespace berth::kube {

// Asks again and again until it holds. False if that took longer.
bool wait_until(const std::function<bool()>& holds,
                std::chrono::seconds patience = std::chrono::seconds(60));

}  // namespace berth::kube
