#include "apiserver/strategies/certificates.h"

#include <gtest/gtest.h>

#include "apiserver/certificates/testing/csr_object.h"
#include "apiserver/testing/test_hub.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kRequests = "/apis/certificates.k8s.io/v1/certificatesigningrequests";

class Certificates : public ::testing::Test {
 protected:
  Certificates() {
    json::Value object = testing::csr_object();
    object["spec"]["username"] = "somebody-else";
    made = hub.send({.method = http::Method::Post,
                     .target = kRequests,
                     .body = json::print(object),
                     .user = testing::plain_user("agent")});
  }
  HubAnswer send(std::string part, const json::Value& object, User user) {
    return hub.send({.method = http::Method::Put,
                     .target = kRequests + "/c1" + part,
                     .body = json::print(object),
                     .user = std::move(user)});
  }
  json::Value approved() {
    json::Value object = hub.get(kRequests + "/c1").json();
    object["status"]["conditions"].push_back(testing::condition("Approved"));
    return object;
  }

  TestHub hub;
  HubAnswer made;
};

TEST_F(Certificates, ARequestSaysWhoAsked) {
  EXPECT_EQ(made.status, 201) << made.body;
  EXPECT_EQ(made.at("/spec/username"), "agent");
  EXPECT_EQ(made.at("/spec/groups"), R"(["system:authenticated"])");
  EXPECT_EQ(made.at("/status/conditions"), "");
}

TEST_F(Certificates, NonsenseIsNotSigned) {
  json::Value object = testing::csr_object();
  object["metadata"]["name"] = "c2";
  object["spec"]["request"] = "bm9uc2Vuc2U=";
  EXPECT_EQ(hub.post(kRequests, json::print(object)).status, 422);
}

TEST_F(Certificates, ApprovingNeedsTheRight) {
  EXPECT_EQ(send("/approval", approved(), testing::plain_user("agent")).status, 403);
  const HubAnswer done = send("/approval", approved(), testing::admin());
  EXPECT_EQ(done.status, 200) << done.body;
  EXPECT_EQ(done.at("/status/conditions/0/type"), "Approved");
  EXPECT_NE(done.at("/status/conditions/0/lastUpdateTime"), "");
}

TEST_F(Certificates, ApprovalsComeThroughTheirEndpointOnly) {
  EXPECT_EQ(send("", approved(), testing::admin()).status, 200);
  EXPECT_EQ(hub.get(kRequests + "/c1").at("/status/conditions"), "");
}

TEST_F(Certificates, TheSpecNeverChanges) {
  json::Value object = hub.get(kRequests + "/c1").json();
  object["spec"]["signerName"] = "ex.io/other";
  send("", object, testing::admin());
  EXPECT_EQ(hub.get(kRequests + "/c1").at("/spec/signerName"),
            "kubernetes.io/kube-apiserver-client");
}

}  // namespace
}  // namespace berth::apiserver
