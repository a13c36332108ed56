#include "api/expressions/libraries.h"

#include <memory>
#include <vector>

#include <gtest/gtest.h>

#include "cel/program.h"

namespace berth::api {
namespace {

bool compiles(SemverVersion version, const char* text) {
  auto environment = std::make_shared<cel::Environment>();
  add_kubernetes_libraries(*environment, version);
  return cel::compile(environment, text).ok();
}

TEST(KubernetesLibraries, AreTheSameForAllButVersions) {
  for (const SemverVersion version : {SemverVersion::Strict, SemverVersion::Normalizing}) {
    EXPECT_TRUE(compiles(version, "[1].isSorted() && 'a'.find('a') == 'a' && isURL('x')"));
    EXPECT_TRUE(compiles(version, "isQuantity('1') && isIP('x') && isCIDR('x')"));
    EXPECT_TRUE(compiles(version, "optional.of('A'.lowerAscii()).hasValue()"));
    EXPECT_TRUE(compiles(version, "semver('1.2.3').major() == 1"));
  }
  EXPECT_TRUE(compiles(SemverVersion::Normalizing, "semver('v1.2', true).major() == 1"));
  EXPECT_FALSE(compiles(SemverVersion::Strict, "semver('v1.2', true).major() == 1"));
}

}  // namespace
}  // namespace berth::api
