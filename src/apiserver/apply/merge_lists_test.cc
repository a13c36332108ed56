#include "apiserver/apply/merge_lists.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace berth::apiserver {
namespace {

std::vector<PathElement> elements(const std::string& letters) {
  std::vector<PathElement> result;
  for (const char letter : letters) {
    result.push_back(PathElement::of_value(std::string(1, letter)));
  }
  return result;
}

std::string merged(const std::string& live, const std::string& applied) {
  std::string result;
  for (const MergedItem& item : merge_order(elements(live), elements(applied))) {
    result += item.applied ? applied[*item.applied] : live[*item.live];
  }
  return result;
}

TEST(MergeLists, AppliedOrderWinsAndLiveElementsStayBeforeWhatTheyStoodBefore) {
  struct Case {
    std::string live;
    std::string applied;
    std::string merged;
  };
  const Case cases[] = {
      {"abc", "", "abc"},     {"", "abc", "abc"},       {"abc", "abc", "abc"},
      {"abc", "cba", "cba"},  {"abc", "b", "abc"},      {"abc", "ca", "bca"},
      {"abc", "x", "abcx"},   {"abc", "bx", "abcx"},    {"abcd", "db", "acdb"},
      {"abc", "xc", "abxc"},  {"aab", "a", "ab"},       {"aab", "ba", "ba"},
      {"axbxc", "x", "axbc"}, {"abcde", "ec", "abdec"},
  };
  for (const Case& c : cases) EXPECT_EQ(merged(c.live, c.applied), c.merged) << c.live << c.applied;
}

RC_GTEST_PROP(MergeLists, KeepsEveryElementOnceAndTheAppliedOrder, ()) {
  const auto draw = [] {
    std::string letters = "abcdefg";
    for (std::size_t i = letters.size(); i > 1; --i) {
      std::swap(letters[i - 1], letters[*rc::gen::inRange<std::size_t>(0, i)]);
    }
    return letters.substr(0, *rc::gen::inRange<std::size_t>(0, letters.size() + 1));
  };
  const std::string live = draw();
  const std::string applied = draw();
  const std::string result = merged(live, applied);
  std::string of_applied;
  for (const char letter : result) {
    RC_ASSERT(std::ranges::count(result, letter) == 1);
    RC_ASSERT(live.contains(letter) || applied.contains(letter));
    if (applied.contains(letter)) of_applied += letter;
  }
  RC_ASSERT(of_applied == applied);
  for (const char letter : live) RC_ASSERT(result.contains(letter));
  RC_ASSERT(merged(result, applied) == result);
}

}  // namespace
}  // namespace berth::apiserver
