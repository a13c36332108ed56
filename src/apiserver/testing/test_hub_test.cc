#include "apiserver/testing/test_hub.h"

#include <gtest/gtest.h>

namespace berth::apiserver::testing {
namespace {

constexpr const char* kMaps = "/api/v1/namespaces/team/configmaps";

TEST(TestHub, KeepsWhatIsWrittenAndGivesItsRevision) {
  TestHub hub;
  const store::Revision before = hub.revision();
  const HubAnswer made = hub.post(kMaps, R"({"metadata":{"name":"a"},"data":{"k":"v"}})");
  EXPECT_EQ(made.status, 201);
  EXPECT_EQ(made.at("/metadata/resourceVersion"), std::to_string(before + 1));
  EXPECT_EQ(hub.get(std::string(kMaps) + "/a").body, made.body);
}

TEST(TestHub, PlansAnewWhenAnotherWriteWasFaster) {
  TestHub hub;
  hub.post(kMaps, R"({"metadata":{"name":"a"}})");
  hub.before_next_commit([&hub] { hub.merge(std::string(kMaps) + "/a", R"({"data":{"x":"1"}})"); });
  const HubAnswer patched = hub.merge(std::string(kMaps) + "/a", R"({"data":{"y":"2"}})");
  EXPECT_EQ(patched.at("/data"), R"({"x":"1","y":"2"})");
}

TEST(TestHub, TellsWhatAWatchSendsAtOnce) {
  TestHub hub;
  hub.post(kMaps, R"({"metadata":{"name":"a"}})");
  const HubAnswer events = hub.get(std::string(kMaps) + "?watch=true");
  EXPECT_EQ(events.status, 200);
  EXPECT_EQ(events.at("/type"), "ADDED");
}

}  // namespace
}  // namespace berth::apiserver::testing
