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

}  // namespace
}  // namespace berth::suites
