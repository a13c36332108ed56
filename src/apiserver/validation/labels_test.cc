#include "apiserver/validation/labels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "apiserver/validation/testing/findings.h"

namespace berth::apiserver {
namespace {

using ::testing::ElementsAre;
using testing::found_in;
using ::testing::IsEmpty;
using testing::yaml_object;

TEST(LabelChecks, KeysAndValuesAreNames) {
  EXPECT_THAT(found_in(check_labels, "{app: x, example.com/tier: y, empty: ''}"), IsEmpty());
  EXPECT_EQ(found_in(check_labels, "{'a b': 'c d'}").size(), 2);
  EXPECT_EQ(found_in(check_annotations, "{'a b': 'anything goes'}").size(), 1);
}

TEST(LabelChecks, ExpressionsHaveValuesWhereTheyNeedThem) {
  EXPECT_THAT(
      found_in(
          check_selector,
          "matchExpressions: [{key: a, operator: In}, {key: b, operator: Exists, values: [x]}, "
          "{key: c, operator: Like}, {key: d, operator: NotIn, values: [x]}]"),
      ElementsAre("matchExpressions[0].values: Required value: must be specified when `operator` "
                  "is 'In' or 'NotIn'",
                  "matchExpressions[1].values: Forbidden: may not be specified when `operator` is "
                  "'Exists' or 'DoesNotExist'",
                  "matchExpressions[2].operator: Invalid value: \"Like\": not a valid selector "
                  "operator"));
}

TEST(LabelChecks, ASelectorIsEmptyWithoutLabelsAndExpressions) {
  const json::Value none = yaml_object("{matchLabels: {}}");
  const json::Value some = yaml_object("{matchLabels: {a: b}}");
  EXPECT_TRUE(is_empty_selector(Place(none)));
  EXPECT_FALSE(is_empty_selector(Place(some)));
}

}  // namespace
}  // namespace berth::apiserver
