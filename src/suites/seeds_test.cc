// Seeds that once found a mistake, again.

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sim/explore.h"
#include "suites/registry.h"

namespace berth::suites {
namespace {

struct Finding {
  std::string suite;
  std::uint64_t seed = 0;
  std::string what;
};

void PrintTo(const Finding& finding, std::ostream* out) { *out << finding.what; }

std::vector<Finding> findings() {
  std::vector<Finding> findings;
  std::ifstream file(BERTH_RECORDED "/seeds.txt");
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) continue;
    Finding finding;
    std::istringstream words(line);
    words >> finding.suite >> finding.seed >> std::ws;
    std::getline(words, finding.what);
    findings.push_back(std::move(finding));
  }
  return findings;
}

class SeedThatFailedOnce : public ::testing::TestWithParam<Finding> {};

TEST_P(SeedThatFailedOnce, Passes) {
  const std::vector<sim::Suite> suites = all();
  const auto suite = std::ranges::find(suites, GetParam().suite, &sim::Suite::name);
  ASSERT_NE(suite, suites.end()) << "there is no suite " << GetParam().suite;
  ASSERT_FALSE(GetParam().what.empty()) << "a line is SUITE SEED WHAT";
  const sim::RunReport report = sim::run_isolated(*suite, GetParam().seed);
  EXPECT_EQ(report.outcome, sim::RunOutcome::Passed) << report.what;
}

std::string name_of(const ::testing::TestParamInfo<Finding>& finding) {
  std::string name = finding.param.suite + std::to_string(finding.param.seed);
  std::erase(name, '-');  // gtest takes letters and digits.
  return name;
}

INSTANTIATE_TEST_SUITE_P(, SeedThatFailedOnce, ::testing::ValuesIn(findings()), &name_of);

}  // namespace
}  // namespace berth::suites
