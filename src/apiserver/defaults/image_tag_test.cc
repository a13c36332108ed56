#include "apiserver/defaults/image_tag.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(ImageTag, IsLatestUnlessTheReferenceSaysMore) {
  struct Case {
    std::string_view reference;
    std::string_view tag;
  };
  const std::string digest = "@sha256:" + std::string(64, 'a');
  const Case cases[] = {
      {"nginx", "latest"},
      {"nginx:latest", "latest"},
      {"nginx:1.27", "1.27"},
      {"localhost:5000/a/b", "latest"},
      {"localhost:5000/a/b:v1", "v1"},
      {"Registry.example/a_b/c__d/e--f", "latest"},
      {"[::1]:5000/a", "latest"},
      {"", ""},
      {"Nginx", ""},
      {"nginx:", ""},
      {"nginx:a b", ""},
      {"a//b", ""},
      {"a_-b", ""},
  };
  for (const Case& c : cases) EXPECT_EQ(image_tag(c.reference), c.tag) << c.reference;
  EXPECT_EQ(image_tag("nginx" + digest), "");
  EXPECT_EQ(image_tag("nginx:latest" + digest), "latest");
  EXPECT_EQ(image_tag("nginx@sha256:abc"), "");
}

TEST(ImageTag, DecidesHowOftenAnImageIsPulled) {
  const json::Value latest = "nginx";
  const json::Value fixed = "nginx:1";
  EXPECT_EQ(default_pull_policy(&latest), "Always");
  EXPECT_EQ(default_pull_policy(&fixed), "IfNotPresent");
  EXPECT_EQ(default_pull_policy(nullptr), "IfNotPresent");
}

}  // namespace
}  // namespace berth::apiserver
