#include "apiserver/apply/field_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "apiserver/apply/testing/sets.h"

namespace berth::apiserver {
namespace {

using testing::set_of;
using testing::text_of_set;

// A set of few names, up to three deep, so that two of them overlap.
FieldSet draw_set(int depth = 3) {
  std::vector<FieldSet::Node> nodes;
  for (const std::string_view name : {"a", "b", "c"}) {
    const int draw = *rc::gen::inRange(0, 4);
    const bool is_member = draw == 1 || draw == 3;
    const bool goes_on = draw >= 2 && depth > 1;
    nodes.push_back(
        {PathElement::field(name), is_member, goes_on ? draw_set(depth - 1) : FieldSet()});
  }
  return FieldSet::from_nodes(std::move(nodes));
}

bool is_subset(const FieldSet& part, const FieldSet& whole) {
  return std::ranges::all_of(paths_of(part),
                             [&](const FieldPath& path) { return whole.has(path); });
}

TEST(FieldSet, HasWhatWasInsertedAndNotWhatLeadsThere) {
  FieldSet set;
  set.insert(path_of({"spec", "n"}));
  EXPECT_TRUE(set.has(path_of({"spec", "n"})));
  EXPECT_FALSE(set.has(path_of({"spec"})));
  EXPECT_FALSE(set.has(path_of({"spec", "n", "x"})));
  EXPECT_FALSE(set.has({}));
  set.insert({});
  EXPECT_FALSE(set.has({}));
}

TEST(FieldSet, NodesInAnyOrderBecomeASortedSet) {
  const FieldSet set =
      FieldSet::from_nodes({{PathElement::field("b"), true, {}},
                            {PathElement::field("a"), false, {}},
                            {PathElement::field("b"), false, field_set({path_of({"x"})})}});
  EXPECT_EQ(text_of_set(set), R"({"f:b":{".":{},"f:x":{}}})");
}

TEST(FieldSet, OperationsOnWorkedExamples) {
  const FieldSet a = set_of(R"({"f:a":{".":{},"f:x":{}},"f:b":{},"f:c":{"f:y":{}}})");
  const FieldSet b = set_of(R"({"f:a":{},"f:c":{"f:y":{},"f:z":{}}})");
  EXPECT_EQ(text_of_set(unite(a, b)),
            R"({"f:a":{".":{},"f:x":{}},"f:b":{},"f:c":{"f:y":{},"f:z":{}}})");
  EXPECT_EQ(text_of_set(intersect(a, b)), R"({"f:a":{},"f:c":{"f:y":{}}})");
  EXPECT_EQ(text_of_set(subtract(a, b)), R"({"f:a":{"f:x":{}},"f:b":{}})");
  EXPECT_EQ(text_of_set(subtract_with_children(a, b)), R"({"f:b":{}})");
  EXPECT_EQ(text_of_set(leaves_of(a)), R"({"f:a":{"f:x":{}},"f:b":{},"f:c":{"f:y":{}}})");
}

TEST(FieldSet, PathsThatEndComeBeforePathsThatGoOn) {
  std::vector<std::string> texts;
  for (const FieldPath& path : paths_of(set_of(R"({"f:a":{"f:x":{}},"f:b":{}})"))) {
    texts.push_back(text_of(path));
  }
  EXPECT_EQ(texts, (std::vector<std::string>{".b", ".a.x"}));
}

RC_GTEST_PROP(FieldSet, OperationsAreThoseOfSets, ()) {
  const FieldSet a = draw_set();
  const FieldSet b = draw_set();
  const FieldSet both = intersect(a, b);
  const FieldSet rest = subtract(a, b);
  RC_ASSERT(unite(a, b) == unite(b, a));
  RC_ASSERT(both == intersect(b, a));
  RC_ASSERT(unite(both, rest) == a);
  RC_ASSERT(intersect(rest, b).is_empty());
  RC_ASSERT(is_subset(a, unite(a, b)) && is_subset(both, a) && is_subset(both, b));
  RC_ASSERT(subtract(unite(a, b), b) == rest);
  RC_ASSERT(is_subset(subtract_with_children(a, b), rest));
  RC_ASSERT(is_subset(leaves_of(a), a));
  for (const FieldPath& path : paths_of(a)) RC_ASSERT(rest.has(path) != b.has(path));
}

RC_GTEST_PROP(FieldSet, InsertingEveryPathMakesTheSameSet, ()) {
  const FieldSet set = draw_set();
  FieldSet again;
  for (const FieldPath& path : paths_of(set)) again.insert(path);
  RC_ASSERT(again == set);
}

}  // namespace
}  // namespace berth::apiserver
