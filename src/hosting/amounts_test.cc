#include "hosting/amounts.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::hosting {
namespace {

Result<Amounts> size(std::string_view text) {
  return read_size(json::parse(text).value(), default_size_classes());
}

TEST(Sizes, AreTheBaselineWhereNothingIsSaid) {
  EXPECT_EQ(size("null").value(), kBaseline);
  EXPECT_EQ(size("{}").value(), kBaseline);
  EXPECT_EQ(size(R"({"cpu":"500m"})").value(), Amounts(500, 18'000'000'000, 75));
  EXPECT_EQ(size(R"({"class":"small"})").value(), kBaseline);
  EXPECT_EQ(size(R"({"class":"large","pods":80})").value(), Amounts(20'900, 18'000'000'000, 80));
}

TEST(Sizes, ThatCannotBeSayWhatCan) {
  EXPECT_EQ(size(R"({"class":"huge"})").error().message,
            "spec.size.class is \"huge\"; there are large, medium, small");
  EXPECT_EQ(size(R"({"memory":"-1Gi"})").error().message,
            "spec.size.memory is -1Gi; it must be above 0, or be left out for the usual 18G");
  EXPECT_EQ(size(R"({"pods":0})").error().message,
            "spec.size.pods is 0; it must be above 0, or be left out for the usual 75");
  EXPECT_EQ(size(R"({"cpu":"many"})").error().message,
            "spec.size.cpu is no quantity: write it like 5, 500m or 18G");
}

TEST(Amounts, NeverOverflow) {
  Amounts sum = size(R"({"memory":"9000P","cpu":"9E","pods":"9E"})").value();
  for (int i = 0; i < 100; ++i) sum += sum;
  EXPECT_EQ(sum[Resource::Memory], kAmountMax);
  EXPECT_EQ((sum * 1000)[Resource::Cpu], kAmountMax);
  EXPECT_EQ((kBaseline * 0), Amounts());
}

TEST(Amounts, AreReadBackAsTheyWereWritten) {
  const Amounts amounts(2'500, 18'000'000'000, 75);
  const json::Value written = to_json(amounts);
  EXPECT_EQ(json::print(written), R"({"cpu":"2500m","memory":"18G","pods":"75"})");
  const KnownAmounts known = read_known_amounts(written);
  for (const Resource resource : kResources) EXPECT_EQ(known[resource], amounts[resource]);
  EXPECT_EQ(to_string(amounts), "cpu 2500m, memory 18G, pods 75");
}

TEST(Amounts, ThatAreMissingOrNoQuantitiesAreNotKnown) {
  const KnownAmounts known = read_known_amounts(json::parse(R"({"cpu":"x","pods":3})").value());
  EXPECT_EQ(known[Resource::Cpu], std::nullopt);
  EXPECT_EQ(known[Resource::Memory], std::nullopt);
  EXPECT_EQ(known[Resource::Pods], 3);
  EXPECT_EQ(json::print(to_json(known)), R"({"pods":"3"})");
}

}  // namespace
}  // namespace berth::hosting
