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

TEST(Registry, TheSameSeedIsTheSameHistory) {
  for (const sim::Suite& suite : all()) {
    EXPECT_EQ(sim::run(suite, 7).trace, sim::run(suite, 7).trace) << suite.name;
    EXPECT_NE(sim::run(suite, 7).trace, sim::run(suite, 8).trace) << suite.name;
  }
}

}  // namespace
}  // namespace berth::suites
