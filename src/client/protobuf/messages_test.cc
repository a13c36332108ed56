#include "client/protobuf/messages.h"

#include <algorithm>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace berth::client::protobuf {
namespace {

const FieldSchema* field_named(const std::vector<FieldSchema>& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &FieldSchema::name);
  return found == fields.end() ? nullptr : &*found;
}

TEST(Messages, KnowsTheKindsThatAgentsAndSchedulersWatch) {
  EXPECT_EQ(message_of({.version = "v1", .resource = "pods"}), "Pod");
  EXPECT_EQ(message_of({.version = "v1", .resource = "nodes"}), "Node");
  EXPECT_EQ(message_of({.group = "example.com", .version = "v1", .resource = "pods"}), "");
  EXPECT_EQ(message_of({.version = "v1", .resource = "configmaps"}), "");
}

TEST(Messages, SaysHowAFieldLooksInJson) {
  const auto pod = fields_of("PodSpec");
  const FieldSchema* name = field_named(pod, "nodeName");
  ASSERT_NE(name, nullptr);
  EXPECT_EQ(name->number, 10u);
  EXPECT_EQ(name->type, FieldType::String);
  EXPECT_FALSE(name->keeps_zero);
  EXPECT_TRUE(field_named(pod, "priority")->keeps_zero) << "0 is a priority, none is none";
  EXPECT_EQ(field_named(pod, "overhead")->shape, Shape::Map);
  EXPECT_EQ(field_named(pod, "overhead")->type, FieldType::Quantity);
  EXPECT_EQ(field_named(pod, "containers")->shape, Shape::List);
  EXPECT_EQ(field_named(pod, "containers")->message, "Container");
  EXPECT_EQ(fields_of("Volume").back().shape, Shape::Embedded);
}

TEST(Messages, HasNoneOfAMessageItDoesNotKnow) {
  EXPECT_TRUE(fields_of("Deployment").empty());
  EXPECT_TRUE(fields_of("").empty());
}

// Every message that another one is made of is there, with numbers that differ.
TEST(Messages, AreComplete) {
  std::set<std::string_view> known;
  std::vector<std::string_view> open = {"Pod", "Node", "Status"};
  while (!open.empty()) {
    const std::string_view message = open.back();
    open.pop_back();
    if (!known.insert(message).second) continue;
    const auto fields = fields_of(message);
    EXPECT_FALSE(fields.empty()) << message;
    std::set<std::uint32_t> numbers;
    for (const FieldSchema& field : fields) {
      EXPECT_TRUE(numbers.insert(field.number).second) << message << " " << field.number;
      if (field.type == FieldType::Message) open.push_back(field.message);
    }
  }
  EXPECT_GT(known.size(), 100u);
}

}  // namespace
}  // namespace berth::client::protobuf
