#include "hosting/payload.h"

#include <gtest/gtest.h>

#include "json/parse.h"
#include "json/print.h"

namespace berth::hosting {
namespace {

Result<Payload> payload(std::string_view text) {
  const std::string request = R"({"spec":{"payload":)" + std::string(text) + "}}";
  return read_payload(json::parse(request).value());
}

TEST(Payload, IsPutIntoItsNamespaceAndCompleted) {
  const auto read = payload(R"({"namespace":"prod",
      "hostedCluster":{"metadata":{"name":"a","labels":{"x":"y"}},"spec":{"infraID":"a-1"},
                       "status":{"old":true}},
      "nodePools":[{"metadata":{"name":"a-workers"},"spec":{"replicas":2}}],
      "secretRefs":[{"name":"pull"},{"name":"ssh"}]})");
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read->identity.key(), "prod/a");
  EXPECT_EQ(read->identity.infra_id, "a-1");
  EXPECT_EQ(read->hosted_cluster, json::parse(R"({"apiVersion":"hypershift.openshift.io/v1beta1",
      "kind":"HostedCluster","metadata":{"name":"a","namespace":"prod","labels":{"x":"y"}},
      "spec":{"infraID":"a-1"}})")
                                      .value());
  ASSERT_EQ(read->node_pools.size(), 1U);
  EXPECT_EQ(read->node_pools[0], json::parse(R"({"apiVersion":"hypershift.openshift.io/v1beta1",
      "kind":"NodePool","metadata":{"name":"a-workers","namespace":"prod"},
      "spec":{"replicas":2,"clusterName":"a"}})")
                                     .value());
  EXPECT_EQ(read->secrets, (std::vector<std::string>{"pull", "ssh"}));
}

TEST(Payload, IsInTheUsualNamespaceIfNothingElseIsSaid) {
  const auto read =
      payload(R"({"hostedCluster":{"metadata":{"name":"a"},"spec":{"infraID":"i"}}})");
  EXPECT_EQ(read.value().identity.key(), "clusters/a");
  const auto own = payload(
      R"({"hostedCluster":{"metadata":{"name":"a","namespace":"own"},"spec":{"infraID":"i"}}})");
  EXPECT_EQ(own.value().identity.key(), "own/a");
}

TEST(Payload, ThatNoHostCouldTakeSaysWhatToDo) {
  struct Case {
    std::string_view text;
    std::string_view message;
  };
  const Case cases[] = {
      {"{}", "spec.payload.hostedCluster is no HostedCluster of hypershift.openshift.io"},
      {R"({"hostedCluster":{"kind":"Pod"}})",
       "spec.payload.hostedCluster is no HostedCluster of hypershift.openshift.io"},
      {R"({"hostedCluster":{"spec":{"infraID":"i"}}})",
       "spec.payload.hostedCluster.metadata.name is missing: give the hosted cluster a name"},
      {R"({"hostedCluster":{"metadata":{"name":"a"}}})",
       "spec.payload.hostedCluster.spec.infraID is missing: set it, for example to a-1; it names "
       "what is made in the cloud and must never change"},
      {R"({"namespace":"x","hostedCluster":{"metadata":{"name":"a","namespace":"y"}}})",
       "spec.payload.hostedCluster.metadata.namespace is \"y\", but payload.namespace is \"x\": "
       "leave one of them out"},
      {R"({"hostedCluster":{"metadata":{"name":"a"},"spec":{"infraID":"i"}},
           "nodePools":[{"metadata":{"name":"p"},"spec":{"clusterName":"b"}}]})",
       "spec.payload.nodePools[0].spec.clusterName is \"b\": make it \"a\""},
      {R"({"hostedCluster":{"metadata":{"name":"a"},"spec":{"infraID":"i"}},"nodePools":[{}]})",
       "spec.payload.nodePools[0].metadata.name is missing: give the pool a name"},
      {R"({"hostedCluster":{"metadata":{"name":"a"},"spec":{"infraID":"i"}},"secretRefs":[{}]})",
       "spec.payload.secretRefs has an entry without a name"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto read = payload(c.text);
    ASSERT_FALSE(read.ok());
    EXPECT_EQ(read.error().message, c.message);
  }
}

}  // namespace
}  // namespace berth::hosting
