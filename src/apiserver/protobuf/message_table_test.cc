#include "apiserver/protobuf/message_table.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/kinds/kinds_files.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

class MessageTableOfKinds : public ::testing::Test {
 protected:
  MessageTable table_{read_kinds_file("protobuf")};
};

TEST_F(MessageTableOfKinds, KnowsNumbersNamesAndShapes) {
  const MessageType* pod = table_.find_kind({.version = "v1", .kind = "Pod"});
  ASSERT_NE(pod, nullptr);
  const MessageField* spec = pod->find(2);
  ASSERT_NE(spec, nullptr);
  EXPECT_EQ(spec->name, "spec");
  EXPECT_EQ(spec->type, FieldType::Message);
  const MessageField* volumes = spec->message->find(1);
  EXPECT_EQ(volumes->name, "volumes");
  EXPECT_EQ(volumes->shape, FieldShape::List);
  EXPECT_EQ(volumes->message->find(2)->shape, FieldShape::Embedded);
  EXPECT_EQ(pod->find(77), nullptr);
}

TEST_F(MessageTableOfKinds, KnowsWhatAbsentAndZeroMean) {
  const MessageType* spec =
      table_.find_kind({.group = "apps", .version = "v1", .kind = "Deployment"})->find(2)->message;
  EXPECT_TRUE(spec->find(1)->keeps_zero);   // replicas, a pointer in Go.
  EXPECT_FALSE(spec->find(5)->keeps_zero);  // minReadySeconds.
}

TEST_F(MessageTableOfKinds, DeleteOptionsAreOfEveryGroup) {
  EXPECT_NE(table_.find_kind({.group = "zz.io", .version = "v7", .kind = "DeleteOptions"}),
            nullptr);
  EXPECT_EQ(table_.find_kind({.group = "zz.io", .version = "v7", .kind = "Pod"}), nullptr);
}

TEST_F(MessageTableOfKinds, HasAllKindsThatAreServed) {
  for (const auto& resource : builtin_resources()) {
    EXPECT_NE(table_.find_kind({.group = resource->gvr.group,
                                .version = resource->gvr.version,
                                .kind = resource->kind}),
              nullptr)
        << resource->kind;
    for (const Subresource& subresource : resource->subresources) {
      EXPECT_NE(table_.find_kind(subresource.kind), nullptr) << subresource.kind.kind;
    }
  }
  EXPECT_EQ(std::ranges::count(table_.kinds(), "v1/Pod"), 1);
}

TEST(MessageTable, AFieldOfAnUnknownMessageIsAMistakeOfOurs) {
  const auto table = json::parse(R"({"kinds": {}, "messages": {"a": [[1, "b", "c.d"]]}})");
  EXPECT_DEATH(MessageTable{*table}, "messages.end");
}

}  // namespace
}  // namespace berth::apiserver
