#include "apiserver/kinds/kinds_files.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(KindsFiles, AreJsonWithTheirContent) {
  EXPECT_TRUE(read_kinds_file("resources").is_array());
  EXPECT_NE(read_kinds_file("types").find("io.k8s.api.core.v1.Pod"), nullptr);
  EXPECT_NE(read_kinds_file("protobuf").find_path({"kinds", "v1/Pod"}), nullptr);
  EXPECT_NE(read_kinds_file("tables").find("v1/pods"), nullptr);
}

TEST(KindsFiles, AMissingOneIsAMistakeOfOurs) {
  EXPECT_DEATH(static_cast<void>(read_kinds_file("kitchens")), "kinds_files");
}

}  // namespace
}  // namespace berth::apiserver
