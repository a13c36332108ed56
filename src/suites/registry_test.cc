#include "suites/registry.h"

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace berth::suites {
namespace {

TEST(Registry, EverySuiteHasANameOfItsOwn) {
  std::set<std::string> names;
  for (const sim::Suite& suite : all()) EXPECT_TRUE(names.insert(suite.name).second) << suite.name;
  EXPECT_FALSE(names.empty());
}

class EverySuite : public testing::TestWithParam<sim::Suite> {};

TEST_P(EverySuite, HasOneHistoryForEachSeed) {
  const auto history = sim::run(GetParam(), 7).trace;
  EXPECT_EQ(history, sim::run(GetParam(), 7).trace);
  EXPECT_NE(history, sim::run(GetParam(), 8).trace);
}

std::string name_of(const testing::TestParamInfo<sim::Suite>& suite) {
  std::string name = suite.param.name;
  std::erase(name, '-');  // gtest takes letters and digits.
  return name;
}

INSTANTIATE_TEST_SUITE_P(, EverySuite, testing::ValuesIn(all()), &name_of);

}  // namespace
}  // namespace berth::suites
