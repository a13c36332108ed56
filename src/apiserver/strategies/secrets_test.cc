#include "apiserver/strategies/secrets.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/testing/test_hub.h"

namespace berth::apiserver {
namespace {

using testing::HubAnswer;
using testing::TestHub;

const std::string kSecrets = "/api/v1/namespaces/team/secrets";
const std::string kMaps = "/api/v1/namespaces/team/configmaps";

TEST(Secrets, TextBecomesData) {
  TestHub hub;
  const HubAnswer made = hub.post(
      kSecrets,
      R"({"metadata":{"name":"s"},"data":{"a":"YQ==","b":"Yg=="},"stringData":{"b":"c"}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/data"), R"({"a":"YQ==","b":"Yw=="})");
  EXPECT_EQ(made.at("/stringData"), "");
  EXPECT_EQ(made.at("/type"), "Opaque");
  EXPECT_EQ(hub.merge(kSecrets + "/s", R"({"stringData":{"n":"x"}})").at("/data/n"), "eA==");
}

TEST(Secrets, DataAreBase64UnderSensibleKeys) {
  TestHub hub;
  for (const char* data :
       {R"({"a":"not base64!"})", R"({"a b":"YQ=="})", R"({"..":"YQ=="})", R"({"":"YQ=="})"}) {
    EXPECT_EQ(
        hub.post(kSecrets, fmt::format(R"({{"metadata":{{"name":"s"}},"data":{}}})", data)).status /
            100,
        4)
        << data;
  }
  const HubAnswer key = hub.post(kSecrets, R"({"metadata":{"name":"s"},"data":{"a b":"YQ=="}})");
  EXPECT_EQ(key.status, 422);
  EXPECT_EQ(key.at("/details/causes/0/field"), "data[a b]");
}

TEST(Secrets, TooMuchDataIsTooLong) {
  TestHub hub;
  const std::string big(1'450'000, 'A');
  const HubAnswer refused =
      hub.post(kSecrets, fmt::format(R"({{"metadata":{{"name":"s"}},"data":{{"a":"{}"}}}})", big));
  EXPECT_EQ(refused.status, 422);
  EXPECT_EQ(refused.at("/details/causes/0/reason"), "FieldValueTooLong");
}

TEST(Secrets, TheTypeStays) {
  TestHub hub;
  hub.post(kSecrets, R"({"metadata":{"name":"s"},"type":"ex.io/t"})");
  EXPECT_EQ(hub.put(kSecrets + "/s", R"({"metadata":{"name":"s"},"type":"ex.io/u"})").status, 422);
  const HubAnswer unsaid = hub.put(kSecrets + "/s", R"({"metadata":{"name":"s"}})");
  EXPECT_EQ(unsaid.status, 200);
  EXPECT_EQ(unsaid.at("/type"), "ex.io/t");
}

TEST(Secrets, WhatIsImmutableStaysSo) {
  TestHub hub;
  for (const std::string& target : {kSecrets, kMaps}) {
    hub.post(target, R"({"metadata":{"name":"i"},"data":{"a":"YQ=="},"immutable":true})");
    const std::string i = target + "/i";
    const HubAnswer data = hub.merge(i, R"({"data":{"a":"Yg=="}})");
    EXPECT_EQ(data.status, 422);
    EXPECT_EQ(data.at("/details/causes/0/message"),
              "Forbidden: field is immutable when `immutable` is set");
    EXPECT_EQ(hub.merge(i, R"({"immutable":false})").status, 422);
    EXPECT_EQ(hub.merge(i, R"({"immutable":null})").status, 422);
    EXPECT_EQ(hub.merge(i, R"({"metadata":{"labels":{"x":"y"}}})").status, 200);
    EXPECT_EQ(hub.remove(i).status, 200);
  }
}

TEST(ConfigMaps, AKeyIsTextOrBytes) {
  TestHub hub;
  EXPECT_EQ(
      hub.post(kMaps, R"({"metadata":{"name":"m"},"data":{"a":"x"},"binaryData":{"b":"YQ=="}})")
          .status,
      201);
  EXPECT_EQ(
      hub.post(kMaps, R"({"metadata":{"name":"n"},"data":{"a":"x"},"binaryData":{"a":"YQ=="}})")
          .status,
      422);
  EXPECT_EQ(hub.post(kMaps, R"({"metadata":{"name":"n"},"data":{"a/b":"x"}})").status, 422);
}

}  // namespace
}  // namespace berth::apiserver
