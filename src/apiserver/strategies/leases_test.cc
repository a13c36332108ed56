#include "apiserver/strategies/leases.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kLeases = "/apis/coordination.k8s.io/v1/namespaces/team/leases";

TEST(Leases, AreRenewedByWhomeverSawThemLast) {
  TestHub hub;
  const HubAnswer made =
      hub.put(kLeases + "/l",
              R"({"metadata":{"name":"l"},"spec":{"holderIdentity":"a","leaseDurationSeconds":15,
          "leaseTransitions":0,"renewTime":"2026-01-01T00:00:00.123456Z"}})");
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/leaseTransitions"), "0");
  EXPECT_EQ(made.at("/spec/renewTime"), "2026-01-01T00:00:00.123456Z");
  const HubAnswer blind = hub.put(kLeases + "/l", R"({"metadata":{"name":"l"}})");
  EXPECT_EQ(blind.status, 422);
  EXPECT_EQ(blind.at("/details/kind"), "leases");
  EXPECT_EQ(blind.at("/details/causes/0/field"), "metadata.resourceVersion");
  EXPECT_EQ(
      hub.put(kLeases + "/l", fmt::format(R"({{"metadata":{{"name":"l","resourceVersion":"{}"}},)"
                                          R"("spec":{{"holderIdentity":"b"}}}})",
                                          made.at("/metadata/resourceVersion")))
          .at("/spec/holderIdentity"),
      "b");
}

TEST(Leases, LastForAWhileAndChangeHandsForwards) {
  TestHub hub;
  const auto with = [&hub](const char* spec) {
    return hub.post(kLeases, fmt::format(R"({{"metadata":{{"name":"l"}},"spec":{}}})", spec));
  };
  EXPECT_EQ(with(R"({"leaseDurationSeconds":0})").at("/details/causes/0/message"),
            "Invalid value: 0: must be greater than 0");
  EXPECT_EQ(with(R"({"leaseTransitions":-1})").at("/details/causes/0/field"),
            "spec.leaseTransitions");
  EXPECT_EQ(with("{}").status, 201);
}

}  // namespace
}  // namespace berth::apiserver
