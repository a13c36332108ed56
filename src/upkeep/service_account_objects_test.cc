#include "upkeep/service_account_objects.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::upkeep {
namespace {

json::Value parsed(std::string_view text) { return json::parse(text).value(); }

TEST(ServiceAccountObjects, BelongIntoNamespacesThatStay) {
  EXPECT_TRUE(is_active(parsed(R"({"metadata":{"name":"a"}})")));
  EXPECT_TRUE(is_active(parsed(R"({"status":{"phase":"Active"}})")));
  EXPECT_FALSE(is_active(parsed(R"({"status":{"phase":"Terminating"}})")));
  EXPECT_FALSE(is_active(parsed(R"({"metadata":{"deletionTimestamp":"2026-01-01T00:00:00Z"}})")));
}

TEST(ServiceAccountObjects, HoldTheCertificateOfTheHub) {
  const json::Value map = root_certificates("ns", nullptr, "PEM");
  EXPECT_EQ(map.find_path({"metadata", "name"})->string_or_empty(), "kube-root-ca.crt");
  EXPECT_EQ(map.find_path({"metadata", "namespace"})->string_or_empty(), "ns");
  EXPECT_EQ(*map.find("data"), parsed(R"({"ca.crt":"PEM"})"));
  EXPECT_EQ(root_certificates("ns", &map, "PEM"), map);
}

TEST(ServiceAccountObjects, AreRestoredWithoutTouchingWhatIsOthers) {
  const json::Value is = parsed(R"({"apiVersion":"v1","kind":"ConfigMap",
      "metadata":{"name":"kube-root-ca.crt","namespace":"ns","labels":{"a":"b"},
                  "annotations":{"x":"y"}},
      "data":{"ca.crt":"forged","more":"m"}})");
  const json::Value map = root_certificates("ns", &is, "PEM");
  EXPECT_EQ(*map.find("data"), parsed(R"({"ca.crt":"PEM"})"));
  EXPECT_EQ(map.find_path({"metadata", "labels", "a"})->string_or_empty(), "b");
  EXPECT_EQ(map.find_path({"metadata", "annotations", "x"})->string_or_empty(), "y");
}

TEST(ServiceAccountObjects, SurviveAnotherCertificate) {
  const json::Value old = root_certificates("ns", nullptr, "OLD");
  EXPECT_EQ(*root_certificates("ns", &old, "NEW").find("data"), parsed(R"({"ca.crt":"NEW"})"));
}

}  // namespace
}  // namespace berth::upkeep
