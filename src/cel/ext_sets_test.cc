#include "cel/ext_sets.h"

#include <memory>

#include <gtest/gtest.h>

#include "cel/testing/expression_case.h"

namespace berth::cel {
namespace {

using testing::ExpressionCase;

TEST(SetsLibrary, ComparesListsWithoutTheirOrder) {
  auto environment = std::make_shared<Environment>(*testing::language_environment());
  add_sets_library(*environment);
  const ExpressionCase cases[] = {
      {"sets.contains([1, 2, 3], [2, 3])", "true", 27},
      {"sets.contains([1], [2])", "false", 22},
      {"sets.contains([1], [])", "true", 21},
      {"sets.contains([], [])", "true", 21},
      {"sets.equivalent([1, 2, 1], [2, 1])", "true", 33},
      {"sets.equivalent([1, 2], [1])", "false", 25},
      {"sets.intersects([1, 2], [2, 5])", "true", 25},
      {"sets.intersects([1], [2])", "false", 22},
      {"sets.intersects([], [2])", "false", 21},
  };
  testing::expect_values(environment, cases, [](const Program& program, Arena& arena) {
    return program.evaluate({}, arena);
  });
}

}  // namespace
}  // namespace berth::cel
