#include "apiserver/schema/value_path.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ValuePath, IsSpelledStepByStep) {
  const ValuePath root;
  EXPECT_TRUE(root.is_root());
  EXPECT_EQ(root.text(), "");
  const ValuePath spec = root.child("spec");
  const ValuePath list = spec.child("list");
  const ValuePath element = list.index(2);
  const ValuePath labels = element.child("labels");
  EXPECT_EQ(labels.key("a/b").text(), "spec.list[2].labels[a/b]");
  EXPECT_FALSE(spec.is_root());
}

}  // namespace
}  // namespace berth::apiserver
