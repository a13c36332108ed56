#include "api/names.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth::api {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kNameRule =
    "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view kSubdomainRule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', "
    "and must start and end with an alphanumeric character (e.g. 'example.com', regex used for "
    "validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

std::string after(std::string_view words, std::string_view rule) {
  return std::string(words) + std::string(rule);
}

TEST(Names, AcceptsWhatKubernetesAccepts) {
  EXPECT_THAT(check_dns1123_label("a-1"), IsEmpty());
  EXPECT_THAT(check_dns1123_label(std::string(63, 'a')), IsEmpty());
  EXPECT_THAT(check_dns1123_subdomain("a.b-c.1"), IsEmpty());
  EXPECT_THAT(check_dns1123_subdomain(std::string(253, 'a')), IsEmpty());
  EXPECT_THAT(check_dns1035_label("a1"), IsEmpty());
  EXPECT_THAT(check_label_value(""), IsEmpty());
  EXPECT_THAT(check_label_value("A_b.C-1"), IsEmpty());
  EXPECT_THAT(check_qualified_name("app"), IsEmpty());
  EXPECT_THAT(check_qualified_name("example.com/My_Name"), IsEmpty());
}

TEST(Names, SaysThatALabelMustNotContainDots) {
  EXPECT_THAT(check_dns1123_label("a.b"), ElementsAre("must not contain dots"));
}

TEST(Names, NamesThePatternThatALabelBreaks) {
  EXPECT_THAT(
      check_dns1123_label("A"),
      ElementsAre("a lowercase RFC 1123 label must consist of lower case alphanumeric "
                  "characters or '-', and must start and end with an alphanumeric character "
                  "(e.g. 'my-name',  or '123-abc', regex used for validation is "
                  "'[a-z0-9]([-a-z0-9]*[a-z0-9])?')"));
  EXPECT_THAT(check_dns1035_label("1a"),
              ElementsAre("a DNS-1035 label must consist of lower case alphanumeric characters or "
                          "'-', start with an alphabetic character, and end with an alphanumeric "
                          "character (e.g. 'my-name',  or 'abc-123', regex used for validation is "
                          "'[a-z]([-a-z0-9]*[a-z0-9])?')"));
  EXPECT_THAT(check_dns1123_subdomain("a..b"), ElementsAre(kSubdomainRule));
  EXPECT_THAT(
      check_label_value("-"),
      ElementsAre("a valid label must be an empty string or consist of alphanumeric "
                  "characters, '-', '_' or '.', and must start and end with an alphanumeric "
                  "character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for "
                  "validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"));
}

TEST(Names, CountsCharactersForNamesAndBytesForLabels) {
  EXPECT_THAT(check_dns1123_label(std::string(64, 'a')),
              ElementsAre("must be no more than 63 characters"));
  EXPECT_THAT(check_dns1123_subdomain(std::string(254, 'a')),
              ElementsAre("must be no more than 253 characters"));
  EXPECT_THAT(check_label_value(std::string(64, 'a')),
              ElementsAre("must be no more than 63 bytes"));
  EXPECT_THAT(check_qualified_name(std::string(254, 'a') + "/b"),
              ElementsAre("prefix part must be no more than 253 bytes"));
}

TEST(Names, TellsPrefixFromNameInAQualifiedName) {
  EXPECT_THAT(check_qualified_name(""),
              ElementsAre("name part must be non-empty", after("name part ", kNameRule)));
  EXPECT_THAT(check_qualified_name("/a"), ElementsAre("prefix part must be non-empty"));
  EXPECT_THAT(check_qualified_name("UP/a"), ElementsAre(after("prefix part ", kSubdomainRule)));
  EXPECT_THAT(check_qualified_name("a/" + std::string(64, 'b')),
              ElementsAre("name part must be no more than 63 bytes"));
  EXPECT_THAT(check_qualified_name("a/b/c"),
              ElementsAre(after("a valid label key ", kNameRule) +
                          " with an optional DNS subdomain prefix and '/' (e.g. "
                          "'example.com/MyName')"));
}

}  // namespace
}  // namespace berth::api
