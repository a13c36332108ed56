#include "apiserver/apply/testing/schema_reader.h"

#include <gtest/gtest.h>

namespace berth::apiserver::testing {
namespace {

TEST(SchemaReader, ReadsWhatApplyLooksAt) {
  const ReadSchema read = parse_schema(R"({"type":"object","required":["b","a"],"properties":{
    "b":{"type":"array","x-kubernetes-list-type":"map","x-kubernetes-list-map-keys":["k"],
      "items":{"type":"object","x-kubernetes-map-type":"atomic"}},
    "a":{"type":"object","additionalProperties":{"type":"integer","default":1}},
    "c":{"x-kubernetes-int-or-string":true}}})");
  const Schema& root = *read.root;
  ASSERT_EQ(root.fields.size(), 3u);
  EXPECT_EQ(root.fields[0].name, "a");
  EXPECT_EQ(root.required, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(root.find("a")->schema->additional->default_value, json::Value(1));
  EXPECT_EQ(root.find("b")->schema->list_kind, ListKind::Map);
  EXPECT_EQ(root.find("b")->schema->list_keys, std::vector<std::string>{"k"});
  EXPECT_EQ(root.find("b")->schema->items->map_kind, MapKind::Atomic);
  EXPECT_EQ(root.find("c")->schema->form, Form::IntOrString);
}

}  // namespace
}  // namespace berth::apiserver::testing
