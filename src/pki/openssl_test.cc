#include "pki/openssl.h"

#include <gtest/gtest.h>
#include <openssl/err.h>

namespace berth::pki {
namespace {

TEST(Openssl, AnErrorEmptiesTheQueueOfTheLibrary) {
  const unsigned char nonsense[] = {0x30, 0x03, 0x01};
  const unsigned char* at = nonsense;
  EXPECT_EQ(d2i_X509(nullptr, &at, sizeof nonsense), nullptr);
  const Error error = openssl_error("a certificate");
  EXPECT_TRUE(error.message.starts_with("a certificate: error:"));
  EXPECT_EQ(ERR_peek_error(), 0U);
  EXPECT_EQ(openssl_error("a certificate").message, "a certificate");
}

TEST(Openssl, TimesBeforeAndAfter2050AreRead) {
  for (const std::int64_t seconds : {std::int64_t{0}, std::int64_t{1'800'000'000},
                                     std::int64_t{2'524'608'001}, std::int64_t{253'402'300'799}}) {
    const std::unique_ptr<ASN1_TIME, Freeing<&ASN1_TIME_free>> moment(
        ASN1_TIME_set(nullptr, seconds));
    EXPECT_EQ(read_asn1_time(moment.get()).value(), Time::from_unix(seconds));
  }
  EXPECT_FALSE(read_asn1_time(nullptr).ok());
}

}  // namespace
}  // namespace berth::pki
