// How tests wait for what another process does: until it is so, never for a length of time.

#pragma once

#include <chrono>
#include <functional>

namespace berth::kube {

// More than anything takes on a machine that has much else to do: only what fails takes so long.
inline constexpr std::chrono::seconds kWaitPatience{120};

// Asks again and again until it holds. False if that took longer.
bool wait_until(const std::function<bool()>& holds, std::chrono::seconds patience = kWaitPatience);

}  // namespace berth::kube
