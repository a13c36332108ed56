#include "main/repeating.h"

#include <cstdio>
#include <filesystem>
#include <string>
#include <system_error>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace berth::testing {
namespace {

namespace fs = std::filesystem;

// As seen from the top of the checkout, where people type.
std::string this_program() {
  std::error_code ignored;
  const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
  const std::string path = program.string();
  const std::size_t build = path.rfind("/build/");
  return build == std::string::npos ? path : path.substr(build + 1);
}

class Repeating : public ::testing::EmptyTestEventListener {
 public:
  void OnTestEnd(const ::testing::TestInfo& test) override {
    if (!test.result()->Failed()) return;
    const std::string name = fmt::format("{}.{}", test.test_suite_name(), test.name());
    fmt::print("FAILED: {}\n  again: {} --gtest_filter='{}'\n", name, this_program(), name);
    std::fflush(stdout);
  }
};

}  // namespace

void tell_how_to_repeat() {
  // The list owns it.
  ::testing::UnitTest::GetInstance()->listeners().Append(new Repeating);
}

}  // namespace berth::testing
