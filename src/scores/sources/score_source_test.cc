#include "scores/sources/score_source.h"

#include <string>
#include <string_view>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/merge_patch.h"
#include "json/yaml_read.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr std::string_view kSmallest = R"(
apiVersion: scores.berth.dev/v1alpha1
kind: ScoreSource
metadata: {name: fleet, namespace: monitoring, uid: u1, generation: 4}
spec:
  endpoint: {url: http://prometheus:9090}
  placementRef: {name: all}
  queries:
    - {scoreName: cpu, promql: sum by (cluster) (free_cpu)}
)";

json::Value smallest() { return json::read_one_yaml(kSmallest).value(); }

Result<ScoreSource> read_with(std::string_view patch) {
  return read_score_source(json::apply_merge_patch(smallest(), json::read_one_yaml(patch).value()));
}

std::string refusal(std::string_view patch) {
  const auto source = read_with(patch);
  return source.ok() ? "taken" : source.error().message;
}

TEST(ScoreSources, HaveDefaults) {
  const auto source = read_score_source(smallest());
  ASSERT_TRUE(source.ok()) << source.error().message;
  EXPECT_EQ(source->endpoint.url, "http://prometheus:9090");
  EXPECT_EQ(source->endpoint.timeout, 30s);
  EXPECT_EQ(source->cluster_label, "cluster");
  EXPECT_EQ(source->cluster_claim, "");
  EXPECT_EQ(source->target, "fleet");
  EXPECT_EQ(source->placement, "all");
  EXPECT_EQ(source->valid_for, 3min);
  EXPECT_EQ(source->hysteresis, 1);
  EXPECT_FALSE(source->thanos);
  ASSERT_EQ(source->queries.size(), 1U);
  EXPECT_EQ(source->queries[0].interval, 60s);
  EXPECT_FALSE(source->queries[0].normaliser);
  EXPECT_EQ(source->facts.generation, 4);
}

TEST(ScoreSources, AreReadWhole) {
  const auto source = read_with(R"(
spec:
  endpoint:
    url: https://thanos.example.com:10902/base
    timeout: 10s
    bearerToken: {secretRef: {name: access}}
    tls:
      caRef: {name: trust}
      clientCertificate: {secretRef: {name: ours}}
      serverName: thanos
  thanos: {partialResponse: true}
  clusterLabel: clusterID
  clusterMatch: {type: Claim, claimName: id.k8s.io}
  targetScoreName: usage
  validFor: 5m
  hysteresis: 3
  queries:
    - scoreName: mem
      promql: free_memory
      sampleTime: timestamp(free_memory)
      interval: 2m
      normalize: {min: 0, max: 64Gi, curve: Log, range: Positive, invert: true}
    - scoreName: rank
      promql: free_memory
      normalize: {type: FleetRank}
)");
  ASSERT_TRUE(source.ok()) << source.error().message;
  EXPECT_EQ(source->endpoint.token, (MaterialRef{.name = "access", .key = "token"}));
  EXPECT_EQ(source->endpoint.authorities,
            (MaterialRef{.kind = MaterialRef::Kind::ConfigMap, .name = "trust", .key = "ca.crt"}));
  EXPECT_EQ(source->endpoint.client_certificate_secret, "ours");
  EXPECT_EQ(source->endpoint.server_name, "thanos");
  EXPECT_EQ(source->thanos, (ThanosOptions{.dedup = true, .partial_response = true}));
  EXPECT_EQ(source->cluster_claim, "id.k8s.io");
  EXPECT_EQ(source->target, "usage");
  ASSERT_EQ(source->queries.size(), 2U);
  const FleetNormaliser& normaliser = *source->queries[0].normaliser;
  EXPECT_EQ(normaliser.line.max, 64.0 * 1024 * 1024 * 1024);
  EXPECT_EQ(normaliser.line.curve, Curve::Log);
  EXPECT_EQ(normaliser.line.range, Range::Positive);
  EXPECT_EQ(normaliser.line.direction, Direction::LowerIsBetter);
  EXPECT_EQ(source->queries[1].normaliser->type, FleetNormaliser::Type::FleetRank);
  EXPECT_EQ(source->find_query("rank"), &source->queries[1]);
  EXPECT_EQ(source->find_query("cpu"), nullptr);
}

TEST(ScoreSources, AreRefusedWithThePlace) {
  struct Case {
    std::string_view patch;
    std::string_view message;
  };
  const Case cases[] = {
      {"spec: {endpoint: {url: null}}", "spec.endpoint.url: \"\" is not http://HOST"},
      {"spec: {endpoint: {url: 'ftp://x'}}", "spec.endpoint.url: "},
      {"spec: {endpoint: {url: 'http://user:pass@x'}}", "spec.endpoint.url: "},
      {"spec: {endpoint: {url: 'http://x/?a=b'}}", "spec.endpoint.url: "},
      {"spec: {endpoint: {url: 'http:///x'}}", "spec.endpoint.url: "},
      {"spec: {endpoint: {url: 'http://x y'}}", "spec.endpoint.url: "},
      {"spec: {endpoint: {timeout: soon}}",
       "spec.endpoint.timeout: \"soon\" is no length of time; say 30s, 5m or 1h"},
      {"spec: {endpoint: {timeout: 10m}}", "spec.endpoint.timeout: 10m is not between 1s and 300s"},
      {"spec: {endpoint: {bearerToken: {secretRef: {name: a}}}}",
       "spec.endpoint.url: tls and bearerToken need a url that begins with https"},
      {"spec: {endpoint: {url: 'https://x', bearerToken: {}}}",
       "spec.endpoint.bearerToken.secretRef.name: is missing"},
      {"spec: {endpoint: {url: 'https://x', tls: {caBundle: 'eA==', caRef: {name: a}}}}",
       "spec.endpoint.tls: there can be one of caBundle and caRef"},
      {"spec: {endpoint: {url: 'https://x', tls: {caBundle: '?'}}}",
       "spec.endpoint.tls.caBundle: "},
      {"spec: {endpoint: {url: 'https://x', tls: {clientCertificate: {}}}}",
       "spec.endpoint.tls.clientCertificate.secretRef.name: is missing"},
      {"spec: {clusterLabel: 'a-b'}", "spec.clusterLabel: \"a-b\" is no name of a label"},
      {"spec: {clusterMatch: {type: Claim}}", "spec.clusterMatch.claimName: is missing"},
      {"spec: {clusterMatch: {claimName: x}}",
       "spec.clusterMatch.claimName: goes with the type Claim"},
      {"spec: {queries: []}", "spec.queries: is missing"},
      {"spec: {queries: [{promql: a}]}", "spec.queries[0].scoreName: is missing"},
      {"spec: {queries: [{scoreName: a, promql: ' '}]}", "spec.queries[0].promql: is missing"},
      {"spec: {queries: [{scoreName: a, promql: 'sum(x'}]}",
       "spec.queries[0].promql: character 4: this bracket is not closed"},
      {"spec: {queries: [{scoreName: a, promql: 'vector(1)'}]}",
       "spec.queries[0].promql: reads no series, so that no sample time is known"},
      {"spec: {queries: [{scoreName: a, promql: x, sampleTime: 'max('}]}",
       "spec.queries[0].sampleTime: character 4: this bracket is not closed"},
      {"spec: {queries: [{scoreName: a, promql: x}, {scoreName: a, promql: z}]}",
       "spec.queries[1].scoreName: \"a\" is there already"},
      {"spec: {queries: [{scoreName: a, promql: x, interval: 1s}]}",
       "spec.queries[0].interval: 1s is not between 5s and 86400s"},
      {"spec: {queries: [{scoreName: a, promql: x, interval: 3m}]}",
       "spec.queries[0].interval: is not shorter than spec.validFor"},
      {"spec: {queries: [{scoreName: a, promql: x, normalize: {}}]}",
       "spec.queries[0].normalize.min: is missing; it goes with the type Bounds"},
      {"spec: {queries: [{scoreName: a, promql: x, normalize: {min: 1, max: much}}]}",
       "spec.queries[0].normalize.max: "},
      {"spec: {queries: [{scoreName: a, promql: x, normalize: {min: 5, max: 5}}]}",
       "spec.queries[0].normalize: "},
      {"spec: {queries: [{scoreName: a, promql: x, normalize: {type: Best}}]}",
       "spec.queries[0].normalize.type: \"Best\" is none of Bounds, FleetRange and FleetRank"},
      {"spec: {targetScoreName: Not_Good}", "spec.targetScoreName: "},
      {"spec: {placementRef: null}", "spec.placementRef.name: is missing"},
      {"spec: {validFor: 1s}", "spec.validFor: 1s is not between 10s and 604800s"},
      {"spec: {hysteresis: 0}", "spec.hysteresis: is not between 1 and 200"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.patch);
    EXPECT_THAT(refusal(c.patch), StartsWith(c.message));
  }
  std::string many = "spec: {queries: [";
  for (int i = 0; i < 21; ++i) many += "{scoreName: a" + std::to_string(i) + ", promql: x},";
  EXPECT_THAT(refusal(many + "]}"), HasSubstr("there can be 20 at most"));
  const std::string promql(9000, 'x');
  EXPECT_THAT(refusal("spec: {queries: [{scoreName: a, promql: " + promql + "}]}"),
              HasSubstr("at most 8192 bytes"));
}

TEST(ScoreSources, AskTheSameWhateverElseChanges) {
  const ScoreSource source = read_score_source(smallest()).value();
  EXPECT_TRUE(same_spec(source, read_with("metadata: {generation: 9, labels: {a: b}}").value()));
  EXPECT_FALSE(same_spec(source, read_with("metadata: {uid: other}").value()));
  EXPECT_FALSE(same_spec(source, read_with("spec: {hysteresis: 2}").value()));
  EXPECT_FALSE(same_spec(source, read_with("spec: {endpoint: {timeout: 7s}}").value()));
}

}  // namespace
}  // namespace berth::scores
