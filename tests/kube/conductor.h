// Runs the tests of this program side by side, in processes of their own that are ended whole if
// one hangs. A test with real servers that fails is tried once more, alone: if it passes then, it
// is told as flaky.

#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace berth::kube {

struct Concert {
  std::filesystem::path program;        // Of these tests; run with --gtest_filter.
  std::vector<std::string> flags = {};  // For each of its processes.
  std::string repeat;                   // What to type, followed by a filter, to run a test again.
  int jobs = 4;                         // Real servers wait more than they work.
  // How those begin that take longest: they are started first, so that nobody waits in the end.
  std::vector<std::string> longest = {};
};

// In those processes, and nowhere else.
bool is_conducted();

// The exit status.
int conduct(const Concert& concert);

}  // namespace berth::kube
