#include "apiserver/objects/dotted_path.h"

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::apiserver {
namespace {

TEST(DottedPath, LeadsThroughObjects) {
  json::Value object = json::Value::object();
  EXPECT_EQ(find_dotted(object, "spec.replicas"), nullptr);
  set_dotted(object, "spec.replicas", 3);
  EXPECT_EQ(*find_dotted(object, "spec.replicas"), json::Value(3));
  EXPECT_EQ(find_dotted(object, "spec.replicas.deeper"), nullptr);
  EXPECT_EQ(json::print(object), R"({"spec":{"replicas":3}})");
}

}  // namespace
}  // namespace berth::apiserver
