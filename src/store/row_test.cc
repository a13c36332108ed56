#include "store/row.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::store {
namespace {

const Key kKey = {.table = "pods", .name = "default/web"};
const Entry kEntry = {.text = R"({"resourceVersion":"17"})", .version_at = 20, .revision = 17};

TEST(Row, IsAcceptedWithItsOwnChecksum) {
  const Row row = row_of(17, kKey, &kEntry);
  EXPECT_TRUE(check_row(row, checksum(row)).ok());
  const Row deletion = row_of(18, kKey, nullptr);
  EXPECT_TRUE(check_row(deletion, checksum(deletion)).ok());
}

TEST(Row, IsRefusedWhenAnythingInItIsAnother) {
  const Row row = row_of(17, kKey, &kEntry);
  const std::uint32_t sum = checksum(row);
  const std::string text = R"({"resourceVersion":"17" )";
  std::vector<Row> others(7, row);
  others[0].revision = 18;
  others[1].table = "pod";
  others[2].name = "default/we";
  others[3].text = std::nullopt;
  others[4].version_at = 21;
  others[5].text = text;
  others[6].table = "podsd";
  others[6].name = "efault/web";
  for (const Row& other : others) {
    const Status checked = check_row(other, sum);
    ASSERT_FALSE(checked.ok());
    EXPECT_EQ(checked.error().code, Code::StoreReadError);
  }
}

TEST(Row, MustHaveItsRevisionWhereItSays) {
  for (const std::uint32_t at : {0u, 19u, 21u, 24u, 25u, 4'000'000'000u}) {
    Row row = row_of(17, kKey, &kEntry);
    row.version_at = at;
    EXPECT_FALSE(check_row(row, checksum(row)).ok()) << at;
  }
}

}  // namespace
}  // namespace berth::store
