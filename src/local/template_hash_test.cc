#include "local/template_hash.h"

#include <gtest/gtest.h>

#include "local/testing/workloads.h"

namespace berth::local {
namespace {

using testing::parsed;

TEST(TemplateHashes, DoNotDependOnTheOrderOfMembers) {
  EXPECT_EQ(template_hash(parsed(R"({"a":1,"b":{"c":[1,2],"d":"x"}})")),
            template_hash(parsed(R"({"b":{"d":"x","c":[1,2]},"a":1})")));
}

TEST(TemplateHashes, DependOnEverythingElse) {
  const std::string hash = template_hash(parsed(R"({"a":[1,2]})"));
  EXPECT_NE(hash, template_hash(parsed(R"({"a":[2,1]})")));
  EXPECT_NE(hash, template_hash(parsed(R"({"a":["1","2"]})")));
  EXPECT_NE(hash, template_hash(parsed(R"({"a":[12]})")));
  EXPECT_NE(hash, template_hash(parsed(R"({"b":[1,2]})")));
  EXPECT_EQ(hash.size(), 10U);
}

TEST(TemplateHashes, DoNotCountThemselves) {
  const json::Value pattern = parsed(R"({"metadata":{"labels":{"app":"web"}}})");
  json::Value labelled = pattern;
  labelled["metadata"]["labels"][kTemplateHash] = "abc";
  EXPECT_EQ(template_hash(labelled), template_hash(pattern));
  EXPECT_EQ(without_hash(labelled), pattern);
}

}  // namespace
}  // namespace berth::local
