#include "hosting/host_report.h"

#include <map>

#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "hosting/testing/hosting_builder.h"

namespace berth::hosting {
namespace {

using testing::parsed;

TEST(HostReport, AHostedClusterIsAvailableWhenItSaysSoAndStays) {
  const auto read = [](std::string_view metadata, std::string_view status) {
    return read_hosted_cluster(parsed(fmt::format(
        R"({{"metadata":{{"name":"a","namespace":"clusters"{}}},"status":{{"conditions":
            [{{"type":"Available","status":"{}"}}]}}}})",
        metadata, status)));
  };
  EXPECT_EQ(read("", "True"), (ObservedItem{.key = "clusters/a", .is_available = true}));
  EXPECT_EQ(read("", "False"), (ObservedItem{.key = "clusters/a", .is_available = false}));
  EXPECT_FALSE(read(R"(,"deletionTimestamp":"2027-01-15T08:00:00Z")", "True").is_available);
}

TEST(HostReport, ClaimsTurnAtTheNumbersWhereTheAddOnTurnsThem) {
  const auto claims = [](std::int64_t count) {
    std::map<std::string, std::string> values;
    for (const json::Value& claim : host_claims(count, {.hosted_max = 4, .threshold = 2})) {
      values[api::text_field(api::field(claim, "metadata"), "name")] =
          api::text_field(api::field(claim, "spec"), "value");
    }
    return values[std::string(kHostingClaim)] + " full " + values[std::string(kFullClaim)] +
           " above " + values[std::string(kThresholdClaim)] + " zero " +
           values[std::string(kZeroClaim)];
  };
  EXPECT_EQ(claims(0), "true full false above false zero true");
  EXPECT_EQ(claims(1), "true full false above false zero false");
  EXPECT_EQ(claims(2), "true full false above true zero false");
  EXPECT_EQ(claims(4), "true full true above true zero false");
}

}  // namespace
}  // namespace berth::hosting
