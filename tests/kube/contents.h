// What a file holds.

#pragma once

#include <filesystem>
#include <string>

namespace berth::kube {

// "" where there is none.
std::string contents(const std::filesystem::path& path);

}  // namespace berth::kube
