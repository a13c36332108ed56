#include "fleet/addons/manifest.h"

#include <gtest/gtest.h>

#include "json/parse.h"

namespace berth::fleet {
namespace {

TEST(Manifests, AreToldByGroupVersionKindAndName) {
  const auto manifest =
      json::parse(
          R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"w","namespace":"n"}})")
          .value();
  EXPECT_EQ(name_of_manifest(manifest), (ManifestName{"apps", "v1", "Deployment", {"n", "w"}}));
  EXPECT_EQ(workload_resource(manifest), "deployments");
  EXPECT_EQ(workload_resource(json::parse(R"({"apiVersion":"v1","kind":"Deployment"})").value()),
            "");
  EXPECT_EQ(workload_resource(json::parse(R"({"apiVersion":"a/b/c","kind":"Pod"})").value()), "");
}

TEST(Manifests, HaveThePluralThatKubernetesGuesses) {
  EXPECT_EQ(guessed_resource("Namespace"), "namespaces");
  EXPECT_EQ(guessed_resource("NetworkPolicy"), "networkpolicies");
  EXPECT_EQ(guessed_resource("Ingress"), "ingresses");
  EXPECT_EQ(guessed_resource("Endpoints"), "endpoints");
}

}  // namespace
}  // namespace berth::fleet
