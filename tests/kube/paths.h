// Where things are in the checkout and the build. Only this knows, so that everything else compiles
// to the same in every checkout.

#pragma once

#include <filesystem>
#include <string_view>

namespace berth::kube {

// Of the checkout: "docs/examples/score_provider.py".
std::filesystem::path source_path(std::string_view path);

std::filesystem::path berth_program();  // The one that was built with the tests.

}  // namespace berth::kube
