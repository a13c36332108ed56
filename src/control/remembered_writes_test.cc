#include "control/remembered_writes.h"

#include <gtest/gtest.h>

namespace berth::control {
namespace {

using json::Value;

const client::Gvr kPods = {.group = "", .version = "v1", .resource = "pods"};
const client::Gvr kNodes = {.group = "", .version = "v1", .resource = "nodes"};

Value thing(std::string version, int size, bool is_up) {
  return Value::object(
      {{"metadata",
        Value::object({{"name", "web"}, {"uid", "u-1"}, {"resourceVersion", std::move(version)}})},
       {"spec", Value::object({{"size", size}})},
       {"status", Value::object({{"up", is_up}})}});
}

RememberedWrites writes_of(std::vector<Change> changes) {
  return RememberedWrites(sequence_of(std::move(changes)).value());
}

TEST(RememberedWrites, KnowTheLastVersionOfEachResource) {
  RememberedWrites writes = writes_of(
      {{.resource = kPods, .before = thing("1", 1, false), .after = thing("1", 2, true)},
       {.resource = kNodes, .before = thing("5", 1, false), .after = thing("5", 2, false)}});
  ASSERT_TRUE(writes.on_answer(thing("2", 2, false)).ok());
  EXPECT_EQ(writes.version_of(kPods), "2");
  ASSERT_TRUE(writes.on_answer(thing("3", 2, true)).ok());
  ASSERT_TRUE(writes.on_answer(thing("6", 2, false)).ok());
  EXPECT_FALSE(writes.write());
  EXPECT_EQ(writes.version_of(kPods), "3");
  EXPECT_EQ(writes.version_of(kNodes), "6");
}

TEST(RememberedWrites, HaveNoVersionOfWhatWasRefusedOrIsGone) {
  RememberedWrites refused = writes_of(
      {{.resource = kPods, .before = thing("1", 1, false), .after = thing("1", 2, false)}});
  EXPECT_FALSE(refused.on_answer(failure(Code::Conflict, "changed")).ok());
  EXPECT_EQ(refused.version_of(kPods), "");

  RememberedWrites gone = writes_of({{.resource = kPods, .before = thing("1", 1, false)}});
  ASSERT_TRUE(gone.on_answer(Value::object({{"kind", "Status"}, {"status", "Success"}})).ok());
  EXPECT_TRUE(gone.versions().empty());
}

}  // namespace
}  // namespace berth::control
