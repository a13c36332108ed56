#include "apiserver/objects/selectable_fields.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::apiserver {
namespace {

api::FieldSelector selector(std::string_view text) {
  return api::FieldSelector::parse(text).value();
}

TEST(SelectableFields, ReadsThem) {
  const json::Value pod =
      json::parse(R"({"metadata":{"name":"x"},"spec":{"nodeName":"n","hostNetwork":true},)"
                  R"("status":{"phase":"Running"}})")
          .value();
  EXPECT_EQ(selectable_value(pod, "metadata.name"), "x");
  EXPECT_EQ(selectable_value(pod, "spec.nodeName"), "n");
  EXPECT_EQ(selectable_value(pod, "spec.hostNetwork"), "true");
  EXPECT_EQ(selectable_value(pod, "spec.schedulerName"), "");
  EXPECT_EQ(selectable_value(json::Value::object(), "spec.unschedulable"), "false");
}

TEST(SelectableFields, ReadsEventsByBothOfTheirNames) {
  const json::Value event =
      json::parse(R"({"involvedObject":{"name":"x"},"source":{"component":"c"}})").value();
  EXPECT_EQ(selectable_value(event, "involvedObject.name"), "x");
  EXPECT_EQ(selectable_value(event, "regarding.name"), "x");
  EXPECT_EQ(selectable_value(event, "source"), "c");
}

TEST(SelectableFields, EachKindOffersItsOwn) {
  Resource pods;
  pods.gvr.resource = "pods";
  pods.table = "pods";
  EXPECT_TRUE(
      check_selectable(pods, selector("spec.nodeName=a,metadata.namespace!=b")).has_value());
  EXPECT_FALSE(check_selectable(pods, selector("type=a")).has_value());
  Resource nodes;
  nodes.scope = Scope::Cluster;
  nodes.table = "nodes";
  EXPECT_FALSE(check_selectable(nodes, selector("metadata.namespace=a")).has_value());
  Resource custom;
  custom.custom = std::make_shared<CustomFacts>(
      CustomFacts{.definition = "d", .definition_uid = "u", .selectable = {".spec.color"}});
  EXPECT_TRUE(check_selectable(custom, selector("spec.color=red")).has_value());
  EXPECT_FALSE(check_selectable(custom, selector("spec.size=1")).has_value());
}

}  // namespace
}  // namespace berth::apiserver
