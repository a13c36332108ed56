#include "store/file_header.h"

#include <string>

#include <gtest/gtest.h>

namespace berth::store {
namespace {

std::string header(std::string_view id, char version) {
  std::string bytes("SQLite format 3\0", 16);
  bytes.resize(100);
  bytes[63] = version;
  bytes.replace(68, 4, id);
  return bytes;
}

std::string complaint(const std::string& bytes) {
  const Status checked = check_file_header(bytes);
  return checked.ok() ? "" : checked.error().message;
}

TEST(FileHeader, TellsOursFromOthers) {
  EXPECT_EQ(complaint(header("BRTH", 1)), "");
  EXPECT_EQ(complaint(header("BRTH", 2)), "has format 2; this version of Berth knows format 1");
  EXPECT_EQ(complaint(header("ABCD", 1)),
            "belongs to another program (its application id is 0x41424344, Berth's is 0x42525448)");
  EXPECT_EQ(complaint(header("BRTH", 1).substr(0, 99)),
            "is no store of Berth: it does not begin as one");
  EXPECT_EQ(complaint(""), "is no store of Berth: it does not begin as one");
  EXPECT_EQ(complaint(std::string(100, 'x')), "is no store of Berth: it does not begin as one");
}

}  // namespace
}  // namespace berth::store
