#include "apiserver/apply/object_meta.h"

#include <algorithm>

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ObjectMeta, FieldsAreSortedSoThatTheyAreFound) {
  const Schema& meta = object_meta_schema();
  EXPECT_TRUE(std::ranges::is_sorted(meta.fields, {}, &Field::name));
  for (const Field& field : meta.fields) EXPECT_EQ(meta.find(field.name), &field);
}

TEST(ObjectMeta, ListsAreToldApartAsKubernetesDoes) {
  const Schema& meta = object_meta_schema();
  EXPECT_EQ(meta.find("finalizers")->schema->list_kind, ListKind::Set);
  const Schema& owners = *meta.find("ownerReferences")->schema;
  EXPECT_EQ(owners.list_keys, std::vector<std::string>{"uid"});
  EXPECT_EQ(owners.items->map_kind, MapKind::Atomic);
  EXPECT_EQ(meta.find("managedFields")->schema->list_kind, ListKind::Atomic);
  EXPECT_EQ(meta.find("labels")->schema->additional->form, Form::String);
  EXPECT_EQ(text_schema().form, Form::String);
}

}  // namespace
}  // namespace berth::apiserver
