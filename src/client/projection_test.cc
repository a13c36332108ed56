#include "client/projection.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::client {
namespace {

constexpr std::string_view kPod = R"({"apiVersion":"v1","kind":"Pod",
  "metadata":{"name":"a","namespace":"b","uid":"u","resourceVersion":"7","generation":3,
    "labels":{"x":"y"},"managedFields":[{"big":1}],
    "annotations":{"k":"v","kubectl.kubernetes.io/last-applied-configuration":"{}"}},
  "spec":{"nodeName":"n","containers":[
    {"name":"c1","image":"i","resources":{"requests":{"cpu":"1","memory":"1.50e3"}}},
    {"name":"c2","env":[{"name":"E"}]}]},
  "status":{"phase":"Running","podIP":"1.2.3.4"}})";

std::string applied(const Projection& projection) {
  return json::print(projection.apply(json::parse(kPod).value()));
}

TEST(Projection, EverythingLeavesOutWhatOnlyServersRead) {
  const std::string text = applied(Projection::everything());
  EXPECT_FALSE(text.contains("managedFields"));
  EXPECT_FALSE(text.contains("last-applied"));
  EXPECT_TRUE(text.contains(R"("annotations":{"k":"v"})"));
  EXPECT_TRUE(text.contains(R"("podIP":"1.2.3.4")"));
}

TEST(Projection, OnlyKeepsTheNamedPathsAndTheIdentity) {
  EXPECT_EQ(applied(Projection::only({"spec.containers[].resources.requests", "status.phase"})),
            R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a","namespace":"b","uid":"u",)"
            R"("resourceVersion":"7"},"spec":{"containers":[)"
            R"({"resources":{"requests":{"cpu":"1","memory":"1.50e3"}}},{}]},)"
            R"("status":{"phase":"Running"}})");
}

TEST(Projection, AWholeObjectIncludesAllBelow) {
  const std::string text = applied(Projection::only({"spec"}));
  EXPECT_TRUE(text.contains(R"({"name":"c2","env":[{"name":"E"}]})"));
  EXPECT_FALSE(text.contains("status"));
}

TEST(Projection, WithoutDropsInsideArraysToo) {
  const std::string text =
      applied(Projection::without({"spec.containers[].env", "metadata.labels", "no.such.path"}));
  EXPECT_FALSE(text.contains("env"));
  EXPECT_FALSE(text.contains("labels"));
  EXPECT_TRUE(text.contains(R"("image":"i")"));
}

TEST(Projection, TellsPlaceByPlaceWhatIsKept) {
  using Share = Projection::Share;
  const Projection only = Projection::only({"spec.containers[].resources"});
  EXPECT_FALSE(only.root().keeps_unnamed());
  EXPECT_EQ(only.root().share_of("status"), Share::Nothing);
  EXPECT_EQ(only.root().share_of("kind"), Share::Whole);
  EXPECT_EQ(only.root().share_of("spec"), Share::Part);
  const auto containers = only.root().inside("spec").inside("containers");
  EXPECT_EQ(containers.inside("[]").share_of("resources"), Share::Whole);
  EXPECT_EQ(containers.inside("[]").named(), std::vector<std::string_view>{"resources"});
  const Projection without = Projection::without({"spec.containers[].env"});
  EXPECT_TRUE(without.root().keeps_unnamed());
  EXPECT_EQ(without.root().share_of("status"), Share::Whole);
  EXPECT_EQ(without.root().inside("metadata").share_of("managedFields"), Share::Nothing);
}

TEST(Projection, NamesWithDotsAreQuoted) {
  const Projection projection = Projection::only({"metadata.annotations.'a.b/c'"});
  const json::Value object =
      json::parse(R"({"metadata":{"annotations":{"a.b/c":"1","a":{"b/c":"2"}}}})").value();
  EXPECT_EQ(json::print(projection.apply(object)), R"({"metadata":{"annotations":{"a.b/c":"1"}}})");
}

TEST(Projection, FieldsOfAnotherShapeThanExpectedDoNoHarm) {
  const Projection only = Projection::only({"spec.containers[].resources", "status.phase"});
  const Projection without = Projection::without({"spec.containers[].env", "status.phase"});
  for (const char* text : {R"({"spec":"x","status":["y"]})", R"({"spec":{"containers":{"a":1}}})",
                           R"([1,2])", "null", R"("text")"}) {
    const json::Value value = json::parse(text).value();
    only.apply(value);
    without.apply(value);
  }
}

}  // namespace
}  // namespace berth::client
