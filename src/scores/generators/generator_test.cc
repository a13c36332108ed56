#include "scores/generators/generator.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "json/yaml_read.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

GeneratorReading read(std::string_view spec, const AddressRules& rules = {}) {
  json::Value object = json::read_one_yaml(R"({
    metadata: {name: cluster1-generator, namespace: cluster1, generation: 3}})")
                           .value();
  object["spec"] = json::read_one_yaml(spec).value();
  return read_generator(object, "cluster1", rules);
}

// The one problem of a generator that has no other.
Problem problem(std::string_view spec) {
  const GeneratorReading reading = read(spec);
  EXPECT_EQ(reading.problems.size(), 1U) << spec;
  return reading.problems.empty() ? Problem{} : reading.problems.front();
}

Problem problem_of_entry(std::string_view fields) {
  return problem("latencies: [{name: a, url: 'https://a.com', " + std::string(fields) + "}]");
}

constexpr std::string_view kProposal = R"(
addOnPlacementSelector:
  name: latency
  namespace: cluster1
latencies:
  - name: redhat-com-avgLatency
    url: https://redhat.com
    runs: 2
    waitBetweenRuns: 10s
  - name: google-com-avgLatency
    url: https://google.com
  - name: linux-com-avgLatency
    url: https://linux.com
otherPlugin:
  - name: score-name
    optionConsumedByPlugin: optionValue
)";

TEST(Generator, IsReadAsTheProposalWritesIt) {
  const GeneratorReading reading = read(kProposal);
  ASSERT_TRUE(reading.problems.empty()) << reading.problems.front().message;
  const Generator& generator = reading.generator;
  EXPECT_EQ(generator.facts.generation, 3);
  ASSERT_EQ(generator.latencies.size(), 3U);
  EXPECT_EQ(generator.latencies[0].name, "redhat-com-avgLatency");
  EXPECT_EQ(generator.latencies[0].location.host, "redhat.com");
  EXPECT_EQ(generator.latencies[0].runs, 2);
  EXPECT_EQ(generator.latencies[0].wait_between_runs, 10s);
  EXPECT_EQ(generator.latencies[1].runs, 1);
  EXPECT_EQ(generator.latencies[1].interval, 60s);
  EXPECT_EQ(generator.latencies[1].aggregate, Aggregate::Mean);
  EXPECT_EQ(generator.latencies[1].on_error, OnError::Worst);
  ASSERT_EQ(generator.sections.size(), 1U);
  EXPECT_EQ(generator.sections[0].plugin, "otherPlugin");
  EXPECT_THAT(generator.sections[0].names, ElementsAre("score-name"));
  EXPECT_EQ(generator.entry_count(), 4U);
}

TEST(Generator, HasOptionsForEachEntry) {
  const GeneratorReading reading = read(R"(
latencies:
  - {name: a, url: "https://a.com", interval: 30s, timeout: 2s, aggregate: P90, onError: Skip,
     measure: TLS, normalize: {min: 5, max: 500, invert: true, curve: Log}}
  - {name: b, url: "https://b.com", method: tcp}
)");
  ASSERT_TRUE(reading.problems.empty()) << reading.problems.front().message;
  const Latency& a = reading.generator.latencies[0];
  EXPECT_EQ(a.interval, 30s);
  EXPECT_EQ(a.timeout, 2s);
  EXPECT_EQ(a.aggregate, Aggregate::P90);
  EXPECT_EQ(a.on_error, OnError::Skip);
  EXPECT_EQ(a.measure, Measure::Tls);
  EXPECT_EQ(a.normaliser,
            (Normaliser{
                .min = 5, .max = 500, .curve = Curve::Log, .direction = Direction::LowerIsBetter}));
  EXPECT_EQ(reading.generator.latencies[1].location.method, Method::Tcp);
}

TEST(Generator, SaysWhoCarriesItOut) {
  EXPECT_EQ(provider_of(json::read_one_yaml("spec: {latencies: []}").value()), "latency");
  EXPECT_EQ(provider_of(
                json::read_one_yaml("spec: {addOnPlacementSelector: {name: otherPlugin}}").value()),
            "otherPlugin");
}

TEST(Generator, RefusesNamespacesThatDoNotMatch) {
  const Problem elsewhere = problem(R"({addOnPlacementSelector: {namespace: cluster2},
                                        latencies: [{name: a, url: "https://a.com"}]})");
  EXPECT_EQ(elsewhere.reason, "WrongNamespace");
  EXPECT_THAT(elsewhere.message, HasSubstr("write \"cluster1\""));

  const auto object = json::read_one_yaml(R"({metadata: {name: g, namespace: default},
                                             spec: {latencies: [{name: a, url: "tcp://a:1"}]}})");
  const GeneratorReading reading = read_generator(*object, "cluster1", {});
  ASSERT_EQ(reading.problems.size(), 1U);
  EXPECT_EQ(reading.problems[0].reason, "WrongNamespace");
  EXPECT_THAT(reading.problems[0].message, HasSubstr("\"default\""));
}

TEST(Generator, RefusesDuplicateNamesAlsoAcrossPlugins) {
  const Problem twice = problem(R"({latencies: [{name: a, url: "https://a.com"}],
                                    other: [{name: a}]})");
  EXPECT_EQ(twice.reason, "DuplicateName");
  EXPECT_THAT(twice.message, HasSubstr("spec.other[0].name: \"a\" is used twice"));
}

TEST(Generator, SaysWhatIsWrongWithAnEntryAndWhere) {
  struct Case {
    std::string_view fields;
    std::string_view message;
  };
  const Case cases[] = {
      {"runs: 0", "spec.latencies[0].runs: must be from 1 to 20"},
      {"runs: 10000", "spec.latencies[0].runs: must be from 1 to 20"},
      {"runs: many", "spec.latencies[0].runs: must be from 1 to 20"},
      {"interval: 5s", "spec.latencies[0].interval: must be a duration such as 10s, from 10s"},
      {"interval: 60", "spec.latencies[0].interval: must be a duration"},
      {"timeout: 2m", "spec.latencies[0].timeout: must be a duration"},
      {"waitBetweenRuns: -1s", "spec.latencies[0].waitBetweenRuns: must be a duration"},
      {"aggregate: Average", "spec.latencies[0].aggregate: must be one of Mean, Median, P90, Min"},
      {"onError: Ignore", "spec.latencies[0].onError: must be one of Worst, Skip"},
      {"normalize: {min: 3}", "spec.latencies[0].normalize.max: a number"},
      {"normalize: {min: 3, max: 3}", "spec.latencies[0].normalize: "},
      {"method: dns, measure: Connect", "spec.latencies[0].measure: dns has no such part"},
      {"runs: 20, waitBetweenRuns: 10s", "set interval to at least 145s"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.fields);
    const Problem found = problem_of_entry(c.fields);
    EXPECT_EQ(found.reason, "InvalidValue");
    EXPECT_THAT(found.message, HasSubstr(std::string(c.message)));
  }
}

TEST(Generator, RefusesUrlsThatCannotBeMeasured) {
  const Problem scheme = problem("latencies: [{name: a, url: 'gopher://a.com'}]");
  EXPECT_EQ(scheme.reason, "InvalidURL");
  EXPECT_THAT(scheme.message, HasSubstr("spec.latencies[0].url: "));
  const Problem metadata = problem("latencies: [{name: a, url: 'http://169.254.169.254/'}]");
  EXPECT_EQ(metadata.reason, "ForbiddenAddress");
  EXPECT_THAT(metadata.message, HasSubstr("never measured, name another one"));
}

TEST(Generator, RefusesWhatIsNoSection) {
  EXPECT_THAT(problem("other: {name: a}").message, HasSubstr("expected a list"));
  EXPECT_THAT(problem("latencies: 7").message, HasSubstr("expected a list"));
  EXPECT_THAT(problem("../../bin/sh: [{name: a}]").message, HasSubstr("a plugin's name has"));
  EXPECT_THAT(problem("other: [{value: 1}]").message, HasSubstr("spec.other[0].name"));
  EXPECT_EQ(problem("{}").reason, "NothingToMeasure");
}

TEST(Generator, IsLimitedInSize) {
  std::string spec = "latencies:\n";
  for (int i = 0; i <= 100; ++i) spec += "- {name: n" + std::to_string(i) + ", url: 'dns://a'}\n";
  EXPECT_EQ(problem(spec).reason, "TooManyEntries");
}

}  // namespace
}  // namespace berth::scores
