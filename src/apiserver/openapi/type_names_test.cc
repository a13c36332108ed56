#include "apiserver/openapi/type_names.h"

#include <gtest/gtest.h>

#include "apiserver/discovery/testing/some_registry.h"
#include "apiserver/kinds/kinds_files.h"

namespace berth::apiserver {
namespace {

TEST(TypeNames, OfCustomKindsHaveTheirGroupReversed) {
  EXPECT_EQ(custom_type_name({.group = "cluster.example.io", .version = "v1", .kind = "Foo"}),
            "io.example.cluster.v1.Foo");
}

TEST(TypeNames, OfBuiltinKindsComeFromTheTable) {
  const TypeNames names(read_kinds_file("types"));
  const Registry registry = testing::some_registry();
  const auto pods = registry.find("", "v1", "pods");
  EXPECT_EQ(names.object(*pods), "io.k8s.api.core.v1.Pod");
  EXPECT_EQ(names.list(*pods), "io.k8s.api.core.v1.PodList");
  EXPECT_EQ(names.body(*pods, *pods->find_subresource("eviction")),
            "io.k8s.api.policy.v1.Eviction");
  const auto foos = registry.find("zz.io", "v1", "foos");
  EXPECT_EQ(names.list(*foos), "io.zz.v1.FooList");
  EXPECT_EQ(names.body(*foos, *foos->find_subresource("status")), "io.zz.v1.Foo");
  EXPECT_EQ(names.body(*foos, *foos->find_subresource("scale")), "io.k8s.api.autoscaling.v1.Scale");
}

}  // namespace
}  // namespace berth::apiserver
