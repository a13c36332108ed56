#include "placement/fleet/symbols.h"

#include <gtest/gtest.h>

namespace berth::placement {
namespace {

TEST(Symbols, OneTextIsOneNumber) {
  Symbols symbols;
  const Symbol a = symbols.acquire("a");
  EXPECT_EQ(symbols.acquire("a"), a);
  EXPECT_NE(symbols.acquire("b"), a);
  EXPECT_EQ(symbols.find("a"), a);
  EXPECT_EQ(symbols.text(a), "a");
}

TEST(Symbols, ATextIsForgottenWithItsLastUse) {
  Symbols symbols;
  const Symbol a = symbols.acquire("a");
  symbols.acquire("a");
  symbols.release(a);
  EXPECT_EQ(symbols.find("a"), a);
  symbols.release(a);
  EXPECT_EQ(symbols.find("a"), kNoSymbol);
  EXPECT_EQ(symbols.size(), 0U);
}

TEST(Symbols, NumbersAreReused) {
  Symbols symbols;
  const Symbol a = symbols.acquire("a");
  symbols.release(a);
  EXPECT_EQ(symbols.acquire("b"), a);
  EXPECT_EQ(symbols.text(a), "b");
}

}  // namespace
}  // namespace berth::placement
