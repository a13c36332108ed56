#include "fleet/work/wildcard.h"

#include <gtest/gtest.h>

namespace berth::fleet {
namespace {

TEST(Wildcard, StarsStandForAnyText) {
  struct Case {
    std::string_view pattern;
    std::string_view text;
    bool matches;
  };
  const Case cases[] = {
      {"", "", true},
      {"", "a", false},
      {"*", "", true},
      {"*", "anything", true},
      {"web", "web", true},
      {"web", "webs", false},
      {"web-*", "web-1", true},
      {"web-*", "web", false},
      {"*-db", "a-db", true},
      {"a*b*c", "aXbYbZc", true},
      {"a*b*c", "aXcYb", false},
      {"a.b", "aXb", false},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(matches_wildcard(c.pattern, c.text), c.matches) << c.pattern << " " << c.text;
  }
}

}  // namespace
}  // namespace berth::fleet
