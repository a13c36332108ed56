#include "placement/fleet/bound_selector.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "api/labels.h"

namespace berth::placement {
namespace {

api::LabelSelector selector(std::string_view text) {
  return api::LabelSelector::parse(text).value();
}

TEST(BoundSelector, AgreesWithTheUnboundSelector) {
  const char* const selectors[] = {"",         "a=1", "a!=1",     "a in (1,2)", "a notin (1)",
                                   "a",        "!a",  "a=1,b=2",  "b in (2,9)", "zz=none",
                                   "zz!=none", "!zz", "a in (7)", "a notin (7)"};
  EXPECT_TRUE(rc::check([&selectors] {
    std::vector<api::Label> labels;
    for (const char* key : {"a", "b", "c"}) {
      if (*rc::gen::arbitrary<bool>()) {
        labels.push_back({key, std::to_string(*rc::gen::inRange(1, 4))});
      }
    }
    Symbols symbols;
    const LabelIds other =
        LabelIds::acquire(std::vector<api::Label>{{"a", "1"}, {"b", "9"}}, symbols);
    const LabelIds ids = LabelIds::acquire(labels, symbols);
    for (const char* text : selectors) {
      const BoundSelector bound(selector(text), symbols);
      const bool expected = selector(text).matches(api::Labels(labels));
      RC_ASSERT(bound.matches(ids) == expected);
      if (bound.constant()) RC_ASSERT(*bound.constant() == expected);
    }
  }));
}

TEST(BoundSelector, NothingMatchesNothing) {
  const Symbols symbols;
  EXPECT_FALSE(BoundSelector(api::LabelSelector::nothing(), symbols).matches({}));
  EXPECT_EQ(BoundSelector(api::LabelSelector::nothing(), symbols).constant(), false);
}

TEST(LabelIds, GiveTheirSymbolsBack) {
  Symbols symbols;
  LabelIds ids = LabelIds::acquire(std::vector<api::Label>{{"a", "a"}, {"b", "a"}}, symbols);
  EXPECT_EQ(symbols.size(), 2U);
  ids.release(symbols);
  EXPECT_EQ(symbols.size(), 0U);
}

}  // namespace
}  // namespace berth::placement
