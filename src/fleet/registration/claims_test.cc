#include "fleet/registration/claims.h"

#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::fleet {
namespace {

using json::Value;

struct Claims {
  Claims& add(std::string_view name, std::string_view value = "v") {
    objects.push_back(Value::object({{"metadata", Value::object({{"name", name}})},
                                     {"spec", Value::object({{"value", value}})}}));
    return *this;
  }

  Value exposed(const ClaimOptions& options = {}) const {
    std::vector<const Value*> pointers;
    for (const Value& object : objects) pointers.push_back(&object);
    return exposed_claims(pointers, options);
  }

  // The names alone, with blanks between them.
  std::string names(const ClaimOptions& options = {}) const {
    std::string all;
    const Value claims = exposed(options);
    for (const Value& claim : claims.elements()) {
      all += fmt::format("{}{}", all.empty() ? "" : " ", claim.find("name")->string_or_empty());
    }
    return all;
  }

  std::vector<Value> objects;
};

TEST(ClusterClaims, AreToldByNameReservedOnesFirst) {
  EXPECT_EQ(Claims()
                .add("zone")
                .add("area")
                .add("product.open-cluster-management.io")
                .add("id.k8s.io")
                .names(),
            "id.k8s.io product.open-cluster-management.io area zone");
  EXPECT_EQ(json::print(Claims().add("zone", "north").exposed()),
            R"([{"name":"zone","value":"north"}])");
  EXPECT_EQ(json::print(Claims().exposed()), "[]");
}

TEST(ClusterClaims, AreLimitedButNotTheReservedOnes) {
  Claims claims;
  for (int i = 0; i < 25; ++i) claims.add(fmt::format("c{:02}", i));
  claims.add("zz.k8s.io").add("platform.open-cluster-management.io");
  const Value told = claims.exposed();
  EXPECT_EQ(told.size(), 21U);
  EXPECT_EQ(told.elements()[20].find("name")->string_or_empty(), "c19");
  EXPECT_EQ(claims.names({.custom_max = 1, .reserved_suffixes = {".k8s.io"}}),
            "platform.open-cluster-management.io zz.k8s.io c00");
}

TEST(ClusterClaims, OfTheClusterAloneStayThere) {
  Claims claims;
  claims.add("secret").add("open");
  claims.objects[0]["metadata"]["labels"] =
      Value::object({{"open-cluster-management.io/spoke-only", ""}});
  EXPECT_EQ(claims.names(), "open");
}

}  // namespace
}  // namespace berth::fleet
