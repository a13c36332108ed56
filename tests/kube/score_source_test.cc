// ScoreSources with a real Prometheus: one query for the fleet, a score for each cluster.

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "api/conditions.h"
#include "api/kinds/add_on_placement_score.h"
#include "base/base64.h"
#include "base/rfc3339.h"
#include "json/parse.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/crds.h"
#include "kube/prometheus.h"
#include "kube/server.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

using namespace std::chrono_literals;
using ::testing::HasSubstr;
using ::testing::Not;

Time now() {
  return Time(
      std::chrono::duration_cast<Duration>(std::chrono::system_clock::now().time_since_epoch()));
}

std::string indented(const std::string& text, const std::string& spaces) {
  std::string lines;
  for (const char c : text) lines += c == '\n' ? "\n" + spaces : std::string(1, c);
  return spaces + lines;
}

class ScoreSources : public ::testing::Test {
 protected:
  void SetUp() override {
    auto server = start_with_berth_crds();
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = *std::move(server);
    apply_yaml(*server_, "{apiVersion: v1, kind: Namespace, metadata: {name: monitoring}}");
  }

  void start_prometheus() {
    auto prometheus =
        Prometheus::start({.folder = server_->folder(), .target = exposition_.port()});
    ASSERT_TRUE(prometheus.ok()) << prometheus.error().message;
    prometheus_ = *std::move(prometheus);
  }

  void start_controllers() {
    auto controllers =
        kube::start_controllers(*server_, {"--controllers=clustersets,placement,scores"});
    ASSERT_TRUE(controllers.ok()) << controllers.error().message;
    controllers_ = *std::move(controllers);
  }

  // A Placement that selects all of them.
  void make_fleet(const std::vector<std::string>& clusters) {
    for (const std::string& name : clusters) make_cluster(*server_, name);
    apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1beta2
kind: ManagedClusterSetBinding
metadata: {name: global, namespace: monitoring}
spec: {clusterSet: global}
---
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: all, namespace: monitoring}
spec: {}
)");
  }

  static std::string source(const std::string& endpoint, const std::string& promql,
                            const std::string& more = "") {
    return fmt::format(R"(
apiVersion: scores.berth.dev/v1alpha1
kind: ScoreSource
metadata: {{name: fleet, namespace: monitoring}}
spec:
  endpoint: {}
  placementRef: {{name: all}}
  queries:
    - {{scoreName: cpu, promql: '{}', interval: 5s, normalize: {{min: 0, max: 100}}}}
{})",
                       endpoint, promql, more);
  }

  void apply_source(const std::string& promql = "sum by (cluster) (free)",
                    const std::string& more = "") {
    apply_yaml(*server_, source("{url: '" + prometheus_->url() + "'}", promql, more));
  }

  std::optional<api::AddOnPlacementScore> score(const std::string& cluster) {
    const auto text =
        kubectl(*server_, {"get", "addonplacementscore", "fleet", "-n", cluster, "-o", "json"});
    if (!text.ok()) return std::nullopt;
    return api::read_add_on_placement_score(json::parse(*text).value());
  }

  // The value once it is that, or the last one; 1000: none.
  std::int32_t score_until(const std::string& cluster, std::int32_t expected) {
    std::int32_t last = 1000;
    wait_until([&] {
      const auto found = score(cluster);
      last = found && !found->scores.empty() ? found->scores[0].value : 1000;
      return last == expected;
    });
    return last;
  }

  std::string ready_until(const std::string& expected) {
    return kubectl_until(
        *server_,
        {"get", "scoresource", "fleet", "-n", "monitoring", "-o",
         R"(jsonpath={.status.conditions[?(@.type=="Ready")].status} {.status.conditions[?(@.type=="Ready")].reason})"},
        expected);
  }

  std::string status(const std::string& path) {
    return checked_kubectl(*server_, {"get", "scoresource", "fleet", "-n", "monitoring", "-o",
                                      "jsonpath={.status." + path + "}"});
  }

  static std::string sample(const std::string& cluster, const std::string& number,
                            std::optional<Time> when = std::nullopt) {
    const std::string stamp = when ? fmt::format(" {}000", when->unix_seconds()) : "";
    return fmt::format("free{{cluster=\"{}\",node=\"n\"}} {}{}\n", cluster, number, stamp);
  }

  std::unique_ptr<Server> server_;
  Exposition exposition_;
  std::unique_ptr<Prometheus> prometheus_;
  Child controllers_;
};

TEST_F(ScoreSources, OneQueryGivesEachClusterAScoreThatPlacementsFollow) {
  exposition_.set(sample("oslo", "80") + sample("rome", "30") + "free{cluster=\"rome\"} 10\n" +
                  sample("elsewhere", "99"));
  start_prometheus();
  start_controllers();
  make_fleet({"oslo", "rome"});
  apply_source();
  EXPECT_EQ(score_until("oslo", 60), 60);
  EXPECT_EQ(score_until("rome", -20), -20) << "the sum of its two series";
  EXPECT_EQ(ready_until("True QueriesAnswered"), "True QueriesAnswered");
  checked_kubectl(*server_,
                  {"wait", "--for=condition=Ready", "scoresource/fleet", "-n", "monitoring"});
  EXPECT_EQ(status("queries[0].unknown"), "1");
  const std::string table = checked_kubectl(*server_, {"get", "scoresource", "-n", "monitoring"});
  EXPECT_THAT(table, HasSubstr("NAME    SCORE   CLUSTERS   SCORED   READY   REASON"));
  EXPECT_THAT(table, HasSubstr("fleet   fleet   2          2        True    QueriesAnswered"));
  apply_yaml(*server_, R"(
apiVersion: cluster.open-cluster-management.io/v1beta1
kind: Placement
metadata: {name: best, namespace: monitoring}
spec:
  numberOfClusters: 1
  prioritizerPolicy:
    mode: Exact
    configurations:
      - scoreCoordinate: {type: AddOn, addOn: {resourceName: fleet, scoreName: cpu}}
        weight: 1
)");
  const std::vector<std::string> best = {"get",
                                         "placementdecision",
                                         "best-decision-1",
                                         "-n",
                                         "monitoring",
                                         "-o",
                                         "jsonpath={.status.decisions[*].clusterName}"};
  EXPECT_EQ(kubectl_until(*server_, best, "oslo"), "oslo");
  exposition_.set(sample("oslo", "5") + sample("rome", "30"));
  EXPECT_EQ(score_until("oslo", -90), -90);
  EXPECT_EQ(kubectl_until(*server_, best, "rome"), "rome");
  checked_kubectl(*server_, {"delete", "scoresource", "fleet", "-n", "monitoring"});
  EXPECT_TRUE(wait_until([&] { return !score("oslo") && !score("rome"); }));
}

TEST_F(ScoreSources, AScoreEndsAtTheTimeOfItsSampleHoweverLongPrometheusGoesOnToAnswer) {
  exposition_.set(sample("oslo", "80"));
  start_prometheus();
  start_controllers();
  make_fleet({"oslo", "rome"});
  apply_source("sum by (cluster) (free)", "  validFor: 70s\n");
  ASSERT_EQ(score_until("oslo", 60), 60);
  // As when a cluster's own Prometheus stops to send: its samples keep their time. Only now, since
  // servers take their time to start, and what is left of it has to be enough to see the score.
  const Time sampled = now().truncated_to_seconds() - 40s;
  exposition_.set(sample("oslo", "80") + sample("rome", "30", sampled));
  ASSERT_EQ(score_until("rome", -40), -40);
  EXPECT_EQ(score("rome")->valid_until, sampled + 70s);
  EXPECT_TRUE(wait_until([&] { return status("queries[0].stale") == "1"; }));
  EXPECT_GE(now(), sampled + 70s);
  EXPECT_EQ(prometheus_->series("sum by (cluster) (free)"), 2) << "it still answers";
  EXPECT_EQ(score("rome")->valid_until, sampled + 70s) << "and the score has ended";
  EXPECT_GT(score("oslo")->valid_until, now());
}

TEST_F(ScoreSources, GapsAndNaNsKeepTheScoreUntilItEnds) {
  exposition_.set(sample("oslo", "80") + sample("rome", "30"));
  start_prometheus();
  start_controllers();
  make_fleet({"oslo", "rome"});
  apply_source();
  ASSERT_EQ(score_until("rome", -40), -40);
  ASSERT_EQ(score_until("oslo", 60), 60);
  exposition_.set(sample("oslo", "NaN") + sample("kyiv", "1"));
  ASSERT_TRUE(wait_until([&] { return prometheus_->series("free{cluster=\"rome\"}") == 0; }));
  make_fleet({"kyiv", "oslo", "rome"});
  ASSERT_EQ(score_until("kyiv", -98), -98) << "a later answer has come";
  EXPECT_EQ(score_until("rome", -40), -40);
  EXPECT_EQ(score_until("oslo", 60), 60);
  EXPECT_GT(score("rome")->valid_until, now());
}

TEST_F(ScoreSources, ErrorsOfAQueryAreToldAsPrometheusTellsThem) {
  exposition_.set(sample("rome", "30"));
  start_prometheus();
  start_controllers();
  make_fleet({"rome"});
  apply_source("sum by (cluster) (free) +* 2");
  EXPECT_EQ(ready_until("False QueryFailed"), "False QueryFailed");
  EXPECT_THAT(status("queries[0].lastError"), HasSubstr("bad_data: "));
  EXPECT_THAT(status("queries[0].lastError"), HasSubstr("parse error"));
  apply_source("scalar(free)");
  EXPECT_TRUE(wait_until([&] {
    return status("queries[0].lastError").contains("expected type instant vector");
  })) << status("queries[0].lastError");
  apply_source("free * on (cluster) group_left () free");
  EXPECT_EQ(score_until("rome", 100), 100);
  EXPECT_EQ(ready_until("True QueriesAnswered"), "True QueriesAnswered");
  for (const std::string expected :
       {"ScoreSource/fleet Warning QueryFailed\n", "ScoreSource/fleet Normal QueriesAnswered\n"}) {
    EXPECT_TRUE(wait_until([&] {
      return checked_kubectl(
                 *server_,
                 {"get", "events", "-n", "monitoring", "-o",
                  R"(jsonpath={range .items[*]}{.involvedObject.kind}/{.involvedObject.name} )"
                  R"({.type} {.reason}{"\n"}{end})"})
          .contains(expected);
    })) << expected;
  }
}

TEST_F(ScoreSources, TrustTheirAuthorityAndShowTheirToken) {
  exposition_.set(sample("rome", "30"));
  start_prometheus();
  const auto pki = server_->folder() / "pki";
  const TokenDoor door(pki, prometheus_->port(), "s3cret-of-the-door");
  start_controllers();
  make_fleet({"rome"});
  const std::string promql = "sum by (cluster) (free)";
  apply_yaml(*server_, source("{url: '" + door.url() +
                                  "', tls: {caRef: {name: trust}}, "
                                  "bearerToken: {secretRef: {name: access}}}",
                              promql));
  EXPECT_EQ(ready_until("False CredentialsMissing"), "False CredentialsMissing");
  const auto put_secret = [this](const std::string& token) {
    apply_yaml(*server_, fmt::format(R"(
apiVersion: v1
kind: Secret
metadata: {{name: access, namespace: monitoring, labels: {{scores.berth.dev/score-source: "true"}}}}
stringData: {{token: {}}}
)",
                                     token));
  };
  put_secret("wrong-at-first");
  apply_yaml(*server_, fmt::format(R"(
apiVersion: v1
kind: ConfigMap
metadata: {{name: trust, namespace: monitoring, labels: {{scores.berth.dev/score-source: "true"}}}}
data:
  ca.crt: |
{}
)",
                                   indented(contents(pki / "ca.crt"), "    ")));
  EXPECT_EQ(ready_until("False QueryFailed"), "False QueryFailed");
  EXPECT_EQ(status("queries[0].lastError"),
            "the server answered 401: check the credentials of the endpoint");
  put_secret("s3cret-of-the-door");
  EXPECT_EQ(score_until("rome", -40), -40) << "a changed Secret counts at once";
  const std::string told = checked_kubectl(*server_, {"get", "scoresource", "-A", "-o", "yaml"}) +
                           contents(controllers_log(*server_));
  EXPECT_THAT(told, Not(HasSubstr("s3cret-of-the-door")));
  EXPECT_THAT(told, Not(HasSubstr("wrong-at-first")));
  // Without the authority nobody there is trusted.
  apply_yaml(
      *server_,
      source("{url: '" + door.url() + "', bearerToken: {secretRef: {name: access}}}", promql));
  EXPECT_EQ(ready_until("False QueryFailed"), "False QueryFailed");
}

TEST_F(ScoreSources, ShowTheirCertificateToAPrometheusThatAsksForOne) {
  exposition_.set(sample("rome", "30"));
  const auto pki = server_->folder() / "pki";
  auto secured =
      Prometheus::start({.folder = server_->folder(), .target = exposition_.port(), .pki = pki});
  ASSERT_TRUE(secured.ok()) << secured.error().message;
  start_controllers();
  make_fleet({"rome"});
  const std::string bundle = encode_base64(contents(pki / "ca.crt"));
  const std::string url = (*secured)->url();
  apply_yaml(*server_, source("{url: '" + url + "', tls: {caBundle: '" + bundle + "'}}", "free"));
  EXPECT_EQ(ready_until("False QueryFailed"), "False QueryFailed");
  checked_kubectl(*server_, {"create", "secret", "tls", "ours", "-n", "monitoring",
                             "--cert=" + (pki / "admin.crt").string(),
                             "--key=" + (pki / "admin.key").string()});
  checked_kubectl(*server_, {"label", "secret", "ours", "-n", "monitoring",
                             "scores.berth.dev/score-source=true"});
  apply_yaml(*server_, source("{url: '" + url + "', tls: {caBundle: '" + bundle +
                                  "', clientCertificate: {secretRef: {name: ours}}}}",
                              "free"));
  EXPECT_EQ(score_until("rome", -40), -40);
}

TEST_F(ScoreSources, ThatMakeNoSenseDoNotGetIn) {
  struct Case {
    std::string endpoint;
    std::string more;
    std::string message;
  };
  const Case cases[] = {
      {"{url: 'ftp://x'}", "", "spec.endpoint.url"},
      {"{url: 'http://u:p@x'}", "", "spec.endpoint.url"},
      {"{url: 'http://x', bearerToken: {secretRef: {name: a}}}", "", "begins with https"},
      {"{url: 'https://x', tls: {caBundle: eA==, caRef: {name: a}}}", "",
       "there can be one of caBundle and caRef"},
      {"{url: 'http://x', timeout: 10m}", "", "must be between 1s and 5m"},
      {"{url: 'http://x'}", "  validFor: 5s", "must be between 10s and 168h"},
      {"{url: 'http://x'}", "    - {scoreName: slow, promql: x, interval: 4m}",
       "validFor must be longer than the interval of every query"},
      {"{url: 'http://x'}", "    - {scoreName: cpu, promql: x}", "Duplicate value"},
      {"{url: 'http://x'}", "    - {scoreName: b, promql: x, normalize: {min: 1}}",
       "min and max go with the type Bounds"},
      {"{url: 'http://x'}", "    - {scoreName: b, promql: x, normalize: {type: FleetRank, max: 1}}",
       "min and max go with the type Bounds"},
      {"{url: 'http://x'}", "  clusterMatch: {type: Claim}", "claimName goes with the type Claim"},
      {"{url: 'http://x'}", "  clusterLabel: a-b", "spec.clusterLabel"},
      {"{url: 'http://x'}", "  hysteresis: 0", "spec.hysteresis"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.message);
    const auto refused =
        kubectl(*server_, {"create", "-f", "-"}, source(c.endpoint, "free", c.more + "\n"));
    ASSERT_FALSE(refused.ok());
    EXPECT_THAT(refused.error().message, HasSubstr(c.message));
  }
  apply_yaml(*server_, source("{url: 'http://x'}", "free"));
  EXPECT_EQ(checked_kubectl(*server_,
                            {"get", "scoresource", "fleet", "-n", "monitoring", "-o",
                             "jsonpath={.spec.validFor} {.spec.hysteresis} {.spec.clusterLabel} "
                             "{.spec.clusterMatch.type} {.spec.endpoint.timeout} "
                             "{.spec.queries[0].normalize.type}"}),
            "3m 1 cluster Name 30s Bounds");
}

}  // namespace
}  // namespace berth::kube
