#include "scores/generators/location.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using ::testing::HasSubstr;

Location location(std::string_view url, std::string_view method = "") {
  const auto read = read_location(url, method, {});
  EXPECT_TRUE(read.ok()) << url << ": " << read.error().message;
  return read.value_or(Location());
}

std::string refusal(std::string_view url, std::string_view method = "") {
  const auto read = read_location(url, method, {});
  EXPECT_FALSE(read.ok()) << url;
  return read.ok() ? "" : read.error().message;
}

TEST(Location, IsReadFromTheUrl) {
  EXPECT_EQ(location("https://redhat.com"), (Location{.method = Method::Https,
                                                      .host = "redhat.com",
                                                      .port = 443,
                                                      .authority = "redhat.com",
                                                      .target = "/"}));
  EXPECT_EQ(location("http://Example.com:8080/a/b?c=d"), (Location{.method = Method::Http,
                                                                   .host = "example.com",
                                                                   .port = 8080,
                                                                   .authority = "example.com:8080",
                                                                   .target = "/a/b?c=d"}));
  EXPECT_EQ(location("https://[2606:4700::1111]/").host, "2606:4700::1111");
  EXPECT_EQ(location("tcp://example.com:5432"),
            (Location{.method = Method::Tcp, .host = "example.com", .port = 5432}));
  EXPECT_EQ(location("dns://example.com"),
            (Location{.method = Method::Dns, .host = "example.com"}));
}

TEST(Location, TakesOnlyAPartOfTheWayWhenSoAsked) {
  EXPECT_EQ(location("https://redhat.com/x", "tcp"),
            (Location{.method = Method::Tcp, .host = "redhat.com", .port = 443}));
  EXPECT_EQ(location("https://redhat.com", "dns"),
            (Location{.method = Method::Dns, .host = "redhat.com"}));
}

TEST(Location, SaysWhatIsWrongWithAUrl) {
  EXPECT_THAT(refusal(""), HasSubstr("write for example https://example.com"));
  EXPECT_THAT(refusal("redhat.com/x"), HasSubstr("invalid URI"));
  EXPECT_THAT(refusal("//redhat.com"), HasSubstr("no scheme"));
  EXPECT_THAT(refusal("ftp://redhat.com"), HasSubstr("scheme \"ftp\" cannot be measured"));
  EXPECT_THAT(refusal("https://"), HasSubstr("no host"));
  EXPECT_THAT(refusal("https:///path"), HasSubstr("no host"));
  EXPECT_THAT(refusal("https://red hat.com"), HasSubstr("blanks"));
  EXPECT_THAT(refusal("https://red_hat!.com"), HasSubstr("no name or address"));
  EXPECT_THAT(refusal("https://redhat.com:99999"), HasSubstr("not between 1 and 65535"));
  EXPECT_THAT(refusal("https://redhat.com:0"), HasSubstr("not between 1 and 65535"));
  EXPECT_THAT(refusal("https://redhat.com:http"), HasSubstr("invalid port"));
  EXPECT_THAT(refusal("tcp://redhat.com"), HasSubstr("write tcp://HOST:PORT"));
  EXPECT_THAT(refusal("https://user:secret@redhat.com"), HasSubstr("credentials"));
  EXPECT_THAT(refusal("https://redhat.com/#top"), HasSubstr("#"));
  EXPECT_THAT(refusal("https://redhat.com", "icmp"), HasSubstr("not known"));
  EXPECT_THAT(refusal("https://redhat.com", "http"), HasSubstr("does not fit"));
  EXPECT_THAT(refusal("https://a.com/" + std::string(3000, 'x')), HasSubstr("longer than"));
}

TEST(Location, TakesAnAtSignInTheQueryForWhatItIs) {
  EXPECT_EQ(location("https://redhat.com?mail=a@b").target, "/?mail=a@b");
}

TEST(Location, NeverRepeatsCredentials) {
  EXPECT_EQ(refusal("https://user:secret@redhat.com").find("secret"), std::string::npos);
}

TEST(Location, JudgesAddressesThatAreWrittenOut) {
  const auto metadata = read_location("http://169.254.169.254/latest/meta-data", "", {});
  ASSERT_FALSE(metadata.ok());
  EXPECT_EQ(metadata.error().code, Code::Forbidden);
  EXPECT_EQ(read_location("http://[::1]:80", "", {}).error().code, Code::Forbidden);
  const AddressRules rules{.allowed = read_networks({"127.0.0.1"}).value()};
  EXPECT_TRUE(read_location("http://127.0.0.1:8080", "", rules).ok());
}

}  // namespace
}  // namespace berth::scores
