#include "client/store.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "json/parse.h"

namespace berth::client {
namespace {

ObjectPtr pod(std::string_view ns, std::string_view name, std::string_view node,
              std::string_view version = "1") {
  json::Value body;
  body["metadata"]["namespace"] = ns;
  body["metadata"]["name"] = name;
  body["metadata"]["resourceVersion"] = version;
  body["spec"]["nodeName"] = node;
  return make_object(std::move(body), Projection::everything()).value();
}

std::vector<std::string> node_of(const Object& object) {
  const json::Value* node = object.body().find_path({"spec", "nodeName"});
  if (!node || node->string_or_empty().empty()) return {};
  return {std::string(node->string_or_empty())};
}

Store pods() { return Store({{.name = "node", .values_of = node_of}}); }

std::vector<std::string> names(const auto& objects) {
  std::vector<std::string> result;
  for (const ObjectPtr& object : objects) result.push_back(object->key().text());
  return result;
}

TEST(Store, FindsWhatWasPut) {
  Store store = pods();
  EXPECT_EQ(store.put(pod("a", "x", "n1")), nullptr);
  const ObjectPtr first = store.find({"a", "x"});
  EXPECT_EQ(store.put(pod("a", "x", "n2", "2")), first);
  EXPECT_EQ(store.find({"a", "x"})->resource_version(), "2");
  EXPECT_EQ(store.size(), 1u);
  EXPECT_EQ(store.erase({"a", "x"})->resource_version(), "2");
  EXPECT_EQ(store.erase({"a", "x"}), nullptr);
  EXPECT_EQ(store.find({"a", "x"}), nullptr);
  EXPECT_EQ(first->resource_version(), "1") << "what a reader holds does not change";
}

TEST(Store, ListsANamespaceInOrder) {
  Store store = pods();
  for (const char* name : {"c", "a", "b"}) {
    for (const char* ns : {"n2", "n1", "n10"}) store.put(pod(ns, name, ""));
  }
  EXPECT_EQ(names(store.in_namespace("n1")), (std::vector<std::string>{"n1/a", "n1/b", "n1/c"}));
  EXPECT_TRUE(store.in_namespace("n").empty());
}

TEST(Store, AnIndexFollowsItsObjects) {
  Store store = pods();
  store.put(pod("a", "x", "n1"));
  store.put(pod("a", "y", "n1"));
  store.put(pod("a", "z", ""));
  EXPECT_EQ(names(store.with("node", "n1")), (std::vector<std::string>{"a/x", "a/y"}));
  store.put(pod("a", "x", "n2", "2"));
  EXPECT_EQ(names(store.with("node", "n1")), (std::vector<std::string>{"a/y"}));
  EXPECT_EQ((*store.with("node", "n2").begin())->resource_version(), "2");
  store.erase({"a", "y"});
  EXPECT_TRUE(store.with("node", "n1").empty());
}

RC_GTEST_PROP(Store, AnIndexIsWhatAFullScanFinds, ()) {
  Store store = pods();
  const auto steps = *rc::gen::container<std::vector<std::pair<int, int>>>(
      rc::gen::pair(rc::gen::inRange(0, 12), rc::gen::inRange(0, 5)));
  for (const auto& [name, node] : steps) {
    const ObjectKey key{"ns", std::to_string(name)};
    if (node == 4) {
      store.erase(key);
    } else {
      store.put(pod("ns", key.name, node == 0 ? "" : "n" + std::to_string(node)));
    }
  }
  for (const char* node : {"n1", "n2", "n3"}) {
    std::vector<std::string> scanned;
    for (const ObjectPtr& object : store.objects()) {
      if (node_of(*object) == std::vector<std::string>{node})
        scanned.push_back(object->key().text());
    }
    RC_ASSERT(names(store.with("node", node)) == scanned);
  }
}

}  // namespace
}  // namespace berth::client
