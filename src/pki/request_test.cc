#include "pki/request.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "pki/pem.h"
#include "pki/testing/keys.h"

namespace berth::pki {
namespace {

using ::testing::HasSubstr;

TEST(Request, SurvivesPem) {
  const Subject subject{.common_name = "system:node:a", .organizations = {"system:nodes", "x"}};
  const AlternativeNames names{.dns = {"a.example.com"}, .addresses = {"::1"}};
  for (const PrivateKey& key :
       {PrivateKey::generate(), PrivateKey::from_pem(testing::kRsaKey).value(),
        PrivateKey::from_pem(testing::kEd25519Key).value()}) {
    const Request request = Request::from_pem(make_request(key, subject, names).value()).value();
    EXPECT_EQ(request.subject, subject);
    EXPECT_EQ(request.names, names);
    EXPECT_EQ(request.key, key.public_key());
  }
}

TEST(Request, AChangedOneIsRefused) {
  const std::string pem =
      make_request(PrivateKey::generate(), {.common_name = "agent-one"}).value();
  std::string der = parse_pem(pem).value().at(0).bytes;
  const std::size_t at = der.find("agent-one");
  ASSERT_NE(at, std::string::npos);
  der[at + 6] = 'O';
  EXPECT_THAT(Request::from_der(der).error().message, HasSubstr("signature"));
}

TEST(Request, ErrorsAreClear) {
  EXPECT_EQ(Request::from_pem("").error().message, "PEM block type must be CERTIFICATE REQUEST");
  EXPECT_EQ(Request::from_pem(encode_pem("CERTIFICATE", "x")).error().message,
            "PEM block type must be CERTIFICATE REQUEST");
  EXPECT_THAT(Request::from_pem(encode_pem("CERTIFICATE REQUEST", "x")).error().message,
              HasSubstr("cannot be read"));
  EXPECT_FALSE(Request::from_pem(std::string(3 * kRequestSizeMax, ' ')).ok());
}

}  // namespace
}  // namespace berth::pki
