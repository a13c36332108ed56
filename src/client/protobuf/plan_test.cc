#include "client/protobuf/plan.h"

#include <gtest/gtest.h>

namespace berth::client::protobuf {
namespace {

using Share = Projection::Share;

const Gvr kPods = {.version = "v1", .resource = "pods"};

const FieldPlan& field(const MessagePlan& message, std::string_view name) {
  for (const FieldPlan& candidate : message.fields) {
    if (candidate.schema.name == name) return candidate;
  }
  ADD_FAILURE() << message.name << " has no " << name;
  return message.fields.front();
}

TEST(ProtobufPlan, KeepsOnlyWhatTheProjectionNames) {
  const auto plan =
      DecodingPlan::of(kPods, Projection::only({"spec.nodeName", "spec.containers[].resources"}));
  ASSERT_TRUE(plan);
  EXPECT_FALSE(plan->root().keeps_unnamed);
  EXPECT_EQ(field(plan->root(), "status").share, Share::Nothing);
  const MessagePlan& spec = (*plan)[field(plan->root(), "spec").message];
  EXPECT_EQ(field(spec, "nodeName").share, Share::Whole);
  EXPECT_EQ(field(spec, "hostname").share, Share::Nothing);
  const MessagePlan& container = (*plan)[field(spec, "containers").message];
  EXPECT_EQ(field(container, "env").share, Share::Nothing);
  const FieldPlan& resources = field(container, "resources");
  EXPECT_EQ(resources.share, Share::Whole);
  EXPECT_TRUE((*plan)[resources.message].keeps_unnamed) << "all of it, known or not";
}

TEST(ProtobufPlan, KeepsEverythingButWhatIsDropped) {
  const auto plan = DecodingPlan::of(kPods, Projection::everything());
  ASSERT_TRUE(plan);
  EXPECT_TRUE(plan->root().keeps_unnamed);
  const MessagePlan& metadata = (*plan)[field(plan->root(), "metadata").message];
  EXPECT_EQ(field(metadata, "managedFields").share, Share::Nothing);
  const FieldPlan& annotations = field(metadata, "annotations");
  EXPECT_EQ(annotations.share, Share::Part);
  EXPECT_FALSE(annotations.names_are_kept);
  EXPECT_EQ(annotations.names.size(), 1u);
}

TEST(ProtobufPlan, FindsFieldsOfEmbeddedMessages) {
  const auto plan =
      DecodingPlan::of(kPods, Projection::only({"spec.volumes[].persistentVolumeClaim"}));
  ASSERT_TRUE(plan);
  const MessagePlan& spec = (*plan)[field(plan->root(), "spec").message];
  const MessagePlan& volume = (*plan)[field(spec, "volumes").message];
  const FieldPlan* source = volume.find(2);
  ASSERT_TRUE(source);
  EXPECT_EQ(source->schema.shape, Shape::Embedded);
  EXPECT_EQ(field((*plan)[source->message], "persistentVolumeClaim").share, Share::Whole);
  EXPECT_EQ(field((*plan)[source->message], "hostPath").share, Share::Nothing);
}

// Reading JSON is then the only way to get what was asked for.
TEST(ProtobufPlan, IsNoneForWhatIsNotKnown) {
  EXPECT_FALSE(DecodingPlan::of(kPods, Projection::only({"spec.inventedLater"})));
  EXPECT_FALSE(DecodingPlan::of(kPods, Projection::only({"spec.containers[].inventedLater"})));
  EXPECT_FALSE(DecodingPlan::of(kPods, Projection::only({"spec.nodeName.inside"})));
  EXPECT_FALSE(
      DecodingPlan::of({.version = "v1", .resource = "secrets"}, Projection::everything()));
}

TEST(ProtobufPlan, FindsFieldsByNumber) {
  const auto plan = DecodingPlan::of_whole("Status");
  EXPECT_EQ(plan->root().find(3)->schema.name, "message");
  EXPECT_EQ(plan->root().find(99), nullptr);
  EXPECT_EQ(plan->root().find(0), nullptr);
}

}  // namespace
}  // namespace berth::client::protobuf
