#include "cel/standard.h"

#include <gtest/gtest.h>

#include "cel/environment.h"

namespace berth::cel {
namespace {

TEST(StandardLibrary, DeclaresItsFunctionsTypesAndMacros) {
  Environment environment;
  add_standard_library(environment);
  for (const char* name : {"size", "matches", "getHours", "timestamp", "type", "_+_", "@in"}) {
    EXPECT_NE(environment.find_function(name), nullptr) << name;
  }
  for (const char* name : {"int", "list", "null_type", "google.protobuf.Duration"}) {
    EXPECT_NE(environment.find_type_name(name), nullptr) << name;
  }
  EXPECT_EQ(environment.macros().size(), 7U);
  EXPECT_FALSE(environment.has_optional_syntax());
}

}  // namespace
}  // namespace berth::cel
