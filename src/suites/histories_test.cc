// A seed has one history: in every run, in every build, on every machine. So one history of each
// suite is written down. What should change nothing, a faster structure or a tidier file, shows
// here that it changed nothing; what should change something renews them.

#include <cstdlib>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <nghttp2/nghttp2.h>
#include <openssl/crypto.h>
#include <sqlite3.h>
#include <zlib.h>

#include "sim/run.h"
#include "suites/registry.h"

namespace berth::suites {
namespace {

constexpr std::string_view kFile = BERTH_RECORDED "/histories.txt";
constexpr std::string_view kRenew =
    "BERTH_REWRITE=1 build/dev/src/suites/suites_test --gtest_filter='EverySuite.*'";
constexpr std::string_view kLibraries = "libraries";

// Others issue other keys from the same numbers, and write other bytes and pages.
std::string libraries() {
  return fmt::format("nghttp2-{} openssl-{} sqlite-{} zlib-{}", nghttp2_version(0)->version_str,
                     OpenSSL_version(OPENSSL_VERSION_STRING), sqlite3_libversion(), zlibVersion());
}

// By suite, and the libraries.
std::map<std::string, std::string> recorded() {
  std::map<std::string, std::string> lines;
  std::ifstream file{std::string(kFile)};
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    const std::size_t space = line.find(' ');
    lines[line.substr(0, space)] = line.substr(space + 1);
  }
  return lines;
}

std::string history_of(const sim::Suite& suite, std::uint64_t seed) {
  const sim::RunReport report = sim::run(suite, seed);
  EXPECT_EQ(report.outcome, sim::RunOutcome::Passed) << report.what;
  return fmt::format("{:016x}", report.trace);
}

void record(const std::string& suite, const std::string& history) {
  std::map<std::string, std::string> lines = recorded();
  lines[suite] = history;
  std::ofstream file{std::string(kFile)};
  file << fmt::format(
      "# The history of seed 7 of each suite of the simulator: a hash of all that happens in it. "
      "After a change that is\n# meant to change them: {}\n{} {}\n",
      kRenew, kLibraries, libraries());
  for (const sim::Suite& each : all()) file << fmt::format("{} {}\n", each.name, lines[each.name]);
}

class EverySuite : public ::testing::TestWithParam<sim::Suite> {};

TEST_P(EverySuite, HasOneHistoryForEachSeed) {
  const std::string& suite = GetParam().name;
  const std::string history = history_of(GetParam(), 7);
  EXPECT_EQ(history_of(GetParam(), 7), history);
  EXPECT_NE(history_of(GetParam(), 8), history);
  if (std::getenv("BERTH_REWRITE")) return record(suite, history);
  auto lines = recorded();
  const std::string& there = lines[std::string(kLibraries)];
  ASSERT_FALSE(there.empty()) << kFile << " names no libraries";
  if (there != libraries()) {
    GTEST_SKIP() << "What is recorded was with " << there << "; here are " << libraries();
  }
  EXPECT_EQ(lines[suite], history)
      << suite << " goes another way than it did. If that is meant:\n  " << kRenew;
}

std::string name_of(const ::testing::TestParamInfo<sim::Suite>& suite) {
  std::string name = suite.param.name;
  std::erase(name, '-');  // gtest takes letters and digits.
  return name;
}

INSTANTIATE_TEST_SUITE_P(, EverySuite, ::testing::ValuesIn(all()), &name_of);

}  // namespace
}  // namespace berth::suites
