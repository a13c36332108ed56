#include "apiserver/refusal.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

Resource foos() {
  Resource resource;
  resource.gvr = {.group = "ex.io", .version = "v1", .resource = "foos"};
  resource.kind = "Foo";
  return resource;
}

TEST(Refusal, NamesTheResourceInThePlural) {
  const Refusal refusal = no_such_object(foos(), "a");
  EXPECT_EQ(refusal.error.message, "foos.ex.io \"a\" not found");
  EXPECT_EQ(refusal.details, (StatusDetails{.name = "a", .group = "ex.io", .kind = "foos"}));
}

TEST(Refusal, NamesTheKindOfAnInvalidObject) {
  const Cause n{.reason = "FieldValueInvalid", .message = "Invalid value: 0", .field = "spec.n"};
  const Refusal one = invalid_object(foos(), "a", {n});
  EXPECT_EQ(one.error.message, "Foo.ex.io \"a\" is invalid: spec.n: Invalid value: 0");
  EXPECT_EQ(one.details.kind, "Foo");
  const Refusal two = invalid_object(foos(), "a", {n, n});
  EXPECT_EQ(two.error.message,
            "Foo.ex.io \"a\" is invalid: [spec.n: Invalid value: 0, spec.n: Invalid value: 0]");
}

TEST(Refusal, ForbidsWithAndWithoutAName) {
  EXPECT_EQ(forbidden(foos(), "a", "why").error.message, "foos.ex.io \"a\" is forbidden: why");
  EXPECT_EQ(forbidden(foos(), "", "why").error.message, "foos.ex.io is forbidden: why");
}

}  // namespace
}  // namespace berth::apiserver
