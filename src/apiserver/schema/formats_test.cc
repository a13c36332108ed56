#include "apiserver/schema/formats.h"

#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(Formats, AreFoundWithoutTheirDashes) {
  EXPECT_EQ(find_format("date-time"), Format::DateTime);
  EXPECT_EQ(find_format("datetime"), Format::DateTime);
  EXPECT_EQ(find_format("k8s-short-name"), Format::ShortName);
  EXPECT_EQ(find_format("int32"), Format::None);
  EXPECT_EQ(find_format(""), Format::None);
  EXPECT_EQ(find_format("zzz"), Format::None);
}

TEST(Formats, TellTextsThatHaveThemFromOthers) {
  struct Case {
    std::string_view format;
    std::string_view good;
    std::string_view bad;
  };
  const Case cases[] = {
      {"bsonobjectid", "507f1f77bcf86cd799439011", "507f1f77bcf86cd79943901"},
      {"uri", "https://example.com/a?b", "example"},
      {"uri", "/path", ""},
      {"email", "a@example.com", "a@"},
      {"email", "Jo Doe <a@b>", "Jo <a"},
      {"email", "\"a b\"@c", "a b@c"},
      {"hostname", "example.com", "-a.com"},
      {"hostname", "a", "a_b"},
      {"hostname", "a-b", "ab-c"},
      {"hostname", "ab-c.example.com", "a.b.c"},
      {"ipv4", "10.0.0.1", "10.0.0"},
      {"ipv4", "010.0.00.1", "::1"},
      {"ipv6", "::1", "10.0.0.1"},
      {"cidr", "10.0.0.0/8", "10.0.0.0"},
      {"cidr", "fd00::/8", "fd00::/129"},
      {"mac", "01:02:03:04:05:06", "01:02:03:04:05"},
      {"mac", "0102.0304.0506", "0102.0304.050"},
      {"mac", "01-02-03-04-05-06-07-08", "01-02-03-04-05:06"},
      {"uuid", "123e4567-e89b-12d3-a456-426614174000", "123e4567"},
      {"uuid3", "123e4567-e89b-32d3-a456-426614174000", "123e4567-e89b-12d3-a456-426614174000"},
      {"uuid4", "123e4567-e89b-42d3-a456-426614174000", "123e4567-e89b-42d3-7456-426614174000"},
      {"uuid5", "123E4567-E89B-52D3-B456-426614174000", "123e4567-e89b-42d3-a456-426614174000"},
      {"isbn", "0321751043", "0321751044"},
      {"isbn10", "0-321-75104-3", "978-0321751041"},
      {"isbn13", "978-0321751041", "978-0321751042"},
      {"creditcard", "4111-1111-1111-1111", "4111-1111-1111-1112"},
      {"ssn", "111-22-3333", "111-223333"},
      {"hexcolor", "#FFF", "#FFFF"},
      {"rgbcolor", "rgb(0, 255, 3)", "rgb(0, 256, 3)"},
      {"byte", "YWJj", "YWJ"},
      {"date", "2026-02-28", "2026-02-29"},
      {"duration", "1h30m", "1x"},
      {"duration", "3 days", "3 parsecs"},
      {"duration", "2 weeks 1 hr", "99999999999999999999 days"},
      {"date-time", "2026-02-28T10:00:00Z", "2026-02-28 10:00:00"},
      {"k8s-short-name", "a-b", "a.b"},
      {"k8s-long-name", "a-b.c", "a..b"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.format);
    const Format format = find_format(c.format);
    ASSERT_NE(format, Format::None);
    EXPECT_TRUE(has_format(c.good, format)) << c.good;
    EXPECT_FALSE(has_format(c.bad, format)) << c.bad;
  }
  EXPECT_TRUE(has_format("anything", Format::Password));
  EXPECT_TRUE(has_format("anything", Format::None));
  EXPECT_FALSE(has_format(std::string(300, 'a'), Format::Hostname));
  EXPECT_FALSE(has_format(std::string(254, 'a'), Format::LongName));
  EXPECT_FALSE(has_format("\xff.com", Format::Hostname));
}

}  // namespace
}  // namespace berth::apiserver
