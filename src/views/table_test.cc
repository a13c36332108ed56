#include "views/table.h"

#include <gtest/gtest.h>

namespace berth::views {
namespace {

TEST(Table, ColumnsAreAsWideAsTheirWidestCell) {
  const std::vector<Row> rows = {{"cluster1", "true"}, {"c2", ""}};
  EXPECT_EQ(table_text({"NAME", "ACCEPTED"}, rows),
            "NAME       ACCEPTED\n"
            "cluster1   true\n"
            "c2\n");
}

TEST(Table, WithoutRowsThereIsTheHeading) { EXPECT_EQ(table_text({"A", "B"}, {}), "A   B\n"); }

}  // namespace
}  // namespace berth::views
