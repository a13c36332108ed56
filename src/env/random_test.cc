#include "env/random.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace berth::env {
namespace {

class Constant final : public Entropy {
 public:
  explicit Constant(char byte) : byte_(byte) {}
  void fill(std::span<char> bytes) override { std::ranges::fill(bytes, byte_); }

 private:
  char byte_;
};

TEST(Uuid, HasVersionFourAndTheVariantOfTheRfcWhateverTheBytes) {
  Constant zeros('\0');
  Constant ones('\xff');
  EXPECT_EQ(new_uuid(zeros), "00000000-0000-4000-8000-000000000000");
  EXPECT_EQ(new_uuid(ones), "ffffffff-ffff-4fff-bfff-ffffffffffff");
}

TEST(Seed, UsesAllBits) {
  Constant ones('\xff');
  EXPECT_EQ(new_seed(ones), ~std::uint64_t{0});
}

}  // namespace
}  // namespace berth::env
