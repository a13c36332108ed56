#include "apiserver/discovery/digest.h"

#include <gtest/gtest.h>

namespace berth::apiserver {
namespace {

TEST(DocumentHash, IsTheSha512InUpperCase) {
  EXPECT_EQ(document_hash("abc"),
            "DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A"
            "2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F");
}

// What a real server says of these.
TEST(StorageVersionHash, IsTheOneOfKubernetes) {
  EXPECT_EQ(storage_version_hash("v1", "ConfigMap"), "qFsyl6wFWjQ=");
  EXPECT_EQ(storage_version_hash("apps/v1", "ControllerRevision"), "85nkx63pcBU=");
  EXPECT_EQ(storage_version_hash("zz.io/v1", "Foo"), "4kz6x8j0ExA=");
}

}  // namespace
}  // namespace berth::apiserver
