#include "fleet/work/release.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

constexpr std::string_view kWork =
    R"("apiVersion":"work.open-cluster-management.io/v1","kind":"AppliedManifestWork")";

json::Value object(const std::string& owners, const std::string& more = "") {
  return json::parse(R"({"metadata":{"uid":"u",)" + more + R"("ownerReferences":[)" + owners +
                     "]}}")
      .value();
}

std::string owner(const std::string& uid) {
  return "{" + std::string(kWork) + R"(,"name":"n","uid":")" + uid + "\"}";
}

TEST(Release, OnlyWhatOnlyWeOwnIsDeleted) {
  struct Case {
    std::string_view what;
    json::Value live;
    Release expected;
  };
  const Case cases[] = {
      {"nobody's", object(""), Release::Forget},
      {"another work's", object(owner("them")), Release::Forget},
      {"ours", object(owner("us")), Release::Delete},
      {"ours and another work's", object(owner("us") + "," + owner("them")), Release::DropOwner},
      {"ours and a pod's",
       object(owner("us") + R"(,{"apiVersion":"v1","kind":"Pod","name":"p","uid":"x"})"),
       Release::Delete},
      {"on its way", object(owner("us"), R"("deletionTimestamp":"2026-01-01T00:00:00Z",)"),
       Release::Await},
  };
  for (const Case& c : cases) {
    EXPECT_EQ(release_of(c.live, "us"), c.expected) << c.what;
  }
}

}  // namespace
}  // namespace berth::fleet
