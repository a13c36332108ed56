// Where pods that are processes of this machine can be reached: they share its ports, so each pod
// has a loopback address of its own.

#pragma once

#include <string>
#include <string_view>

namespace berth::local {

// "127.18.7.3": always the same for a pod, and another one for another pod.
std::string loopback_address(std::string_view pod_uid);

// The text with "every address" ("0.0.0.0:8080", "[::]:8080") as that one ("127.18.7.3:8080").
std::string with_pod_address(std::string_view text, std::string_view address);

}  // namespace berth::local
