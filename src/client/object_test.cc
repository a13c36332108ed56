#include "client/object.h"

#include <set>

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

Result<ObjectPtr> made(std::string_view text) {
  return make_object(json::parse(text).value(), Projection::everything());
}

TEST(Object, KnowsItsIdentity) {
  const ObjectPtr object = made(R"({"metadata":{"name":"a-name-that-is-long","namespace":"ns",
    "uid":"u","resourceVersion":"5"},"spec":{}})")
                               .value();
  EXPECT_EQ(object->key(), (ObjectKey{"ns", "a-name-that-is-long"}));
  EXPECT_EQ(object->key().text(), "ns/a-name-that-is-long");
  EXPECT_EQ(object->uid(), "u");
  EXPECT_EQ(object->resource_version(), "5");
  EXPECT_NE(object->body().find("spec"), nullptr);
}

TEST(Object, WithoutNameOrVersionIsRefused) {
  EXPECT_FALSE(made(R"({"metadata":{"resourceVersion":"5"}})").ok());
  EXPECT_FALSE(made(R"({"metadata":{"name":"x"}})").ok());
  EXPECT_FALSE(made(R"([])").ok());
  EXPECT_FALSE(made(R"({"metadata":{"name":7,"resourceVersion":"5"}})").ok());
}

TEST(Object, SetsAreSearchedByKey) {
  std::set<ObjectPtr, ByKey> objects;
  for (const char* text : {R"({"metadata":{"name":"b","namespace":"x","resourceVersion":"1"}})",
                           R"({"metadata":{"name":"a","namespace":"y","resourceVersion":"1"}})",
                           R"({"metadata":{"name":"z","resourceVersion":"1"}})"}) {
    objects.insert(made(text).value());
  }
  EXPECT_EQ((*objects.begin())->name(), "z");
  EXPECT_EQ((*objects.find(ObjectKey{"y", "a"}))->name(), "a");
  EXPECT_EQ(objects.find(ObjectKey{"x", "a"}), objects.end());
}

}  // namespace
}  // namespace berth::client
