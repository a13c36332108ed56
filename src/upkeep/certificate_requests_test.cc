#include "upkeep/certificate_requests.h"

#include <string>

#include <gtest/gtest.h>

#include "base/rfc3339.h"
#include "json/parse.h"

namespace berth::upkeep {
namespace {

using namespace std::chrono_literals;

const Time kNoon = parse_rfc3339("2026-11-16T12:00:00Z").value();

json::Value request(std::string_view conditions, std::string_view more = "",
                    std::string_view signer = "kubernetes.io/kube-apiserver-client") {
  return json::parse(R"({"metadata":{"name":"r","creationTimestamp":"2026-11-16T12:00:00Z"},
      "spec":{"signerName":")" +
                     std::string(signer) + R"("},"status":{"conditions":[)" +
                     std::string(conditions) + "]" + std::string(more) + "}}")
      .value();
}

constexpr std::string_view kApproved =
    R"({"type":"Approved","status":"True","lastUpdateTime":"2026-11-16T12:00:00Z"})";
constexpr std::string_view kDenied =
    R"({"type":"Denied","status":"True","lastUpdateTime":"2026-11-16T12:00:00Z"})";
constexpr std::string_view kFailed =
    R"({"type":"Failed","status":"True","lastUpdateTime":"2026-11-16T12:00:00Z"})";

TEST(CertificateRequests, AreSignedWhenApprovedForASignerOfTheHub) {
  EXPECT_TRUE(awaits_signature(request(kApproved)));
  EXPECT_TRUE(awaits_signature(request(kApproved, "", "kubernetes.io/kubelet-serving")));
  EXPECT_TRUE(
      awaits_signature(request(kApproved, "", "kubernetes.io/kube-apiserver-client-kubelet")));
  EXPECT_FALSE(awaits_signature(request(kApproved, "", "kubernetes.io/legacy-unknown")));
  EXPECT_FALSE(awaits_signature(request(kApproved, "", "example.com/mine")));
}

TEST(CertificateRequests, AreNotSignedWithoutApprovalAgainstDenialOrTwice) {
  EXPECT_FALSE(awaits_signature(request("")));
  EXPECT_FALSE(awaits_signature(request(std::string(kApproved) + "," + std::string(kDenied))));
  EXPECT_FALSE(awaits_signature(request(std::string(kApproved) + "," + std::string(kFailed))));
  EXPECT_FALSE(awaits_signature(request(kApproved, R"(,"certificate":"eA==")")));
}

TEST(CertificateRequests, CarryTheAnswer) {
  EXPECT_EQ(with_certificate(request(kApproved), "PEM")
                .find_path({"status", "certificate"})
                ->string_or_empty(),
            "UEVN");
  const json::Value failed = with_failure(request(kApproved), "too bad", kNoon);
  EXPECT_FALSE(awaits_signature(failed));
  const json::Value& condition = failed.find_path({"status", "conditions"})->elements()[1];
  EXPECT_EQ(condition.find("reason")->string_or_empty(), "SignerValidationFailure");
  EXPECT_EQ(condition.find("message")->string_or_empty(), "too bad");
}

TEST(CertificateRequests, GoAnHourAfterTheAnswer) {
  EXPECT_EQ(cleanup_time(request(kDenied)), kNoon + 1h);
  EXPECT_EQ(cleanup_time(request(kFailed)), kNoon + 1h);
  EXPECT_EQ(cleanup_time(request(kApproved, R"(,"certificate":"eA==")")), kNoon + 1h);
}

TEST(CertificateRequests, GoADayAfterNobodyAnswered) {
  EXPECT_EQ(cleanup_time(request("")), kNoon + 24h);
}

TEST(CertificateRequests, StayWhileASignerStillHasToAct) {
  EXPECT_EQ(cleanup_time(request(kApproved)), std::nullopt);
}

}  // namespace
}  // namespace berth::upkeep
