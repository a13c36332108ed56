#include "apiserver/tables/builtin_table.h"

#include <gtest/gtest.h>

#include "apiserver/tables/testing/rows.h"

namespace berth::apiserver {
namespace {

using testing::row_of;

TEST(BuiltinTable, AKindWithoutOneIsShownByNameAndTimeOfCreation) {
  EXPECT_EQ(row_of("rbac.authorization.k8s.io", "Role", "{}"), "x | 2026-01-01T21:00:00Z");
  EXPECT_EQ(row_of("apiextensions.k8s.io", "CustomResourceDefinition",
                   "metadata: {creationTimestamp: null}"),
            "x | 0001-01-01T00:00:00Z");
}

TEST(BuiltinTable, GroupsKeepEqualKindsApart) {
  EXPECT_EQ(find_builtin_table("", "Event").columns.size(), 10u);
  EXPECT_EQ(find_builtin_table("example.com", "Event").columns.size(), 2u);
}

TEST(BuiltinTable, EmptyAndAbsentTextsFallBackDifferently) {
  const json::Value empty = testing::object_of("spec: {a: ''}");
  EXPECT_EQ(cell_of(text_column("A", "spec.a", "<none>"), empty, Time{}), "<none>");
  EXPECT_EQ(cell_of(optional_column("A", "spec.a", "<none>"), empty, Time{}), "");
  EXPECT_EQ(cell_of(optional_column("B", "spec.b", "<none>"), empty, Time{}), "<none>");
}

TEST(BuiltinTable, ReadsWhatIsMissingOrOfAnotherTypeAsNothing) {
  const json::Value odd = testing::object_of("spec: [1]");
  EXPECT_EQ(cell_of(integer_column("A", "spec.a"), odd, Time{}), 0);
  EXPECT_EQ(cell_of(boolean_column("A", "spec.a"), odd, Time{}), false);
  EXPECT_EQ(cell_of(count_column("A", "spec.a"), odd, Time{}), 0);
  EXPECT_EQ(cell_of(text_column("A", "spec.a.b.c"), odd, Time{}), "");
}

}  // namespace
}  // namespace berth::apiserver
