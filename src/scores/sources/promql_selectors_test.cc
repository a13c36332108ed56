#include "scores/sources/promql_selectors.h"

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace berth::scores {
namespace {

using Selectors = std::vector<std::string>;

TEST(PromqlSelectors, AreFoundWhereverAnExpressionReadsSeries) {
  struct Case {
    std::string_view promql;
    Selectors selectors;
  };
  const Case cases[] = {
      {"free", {"free"}},
      {" free # a comment with (", {"free"}},
      {"free{cluster=\"a\"}", {"free{cluster=\"a\"}"}},
      {"free {job = 'x}y'}", {"free {job = 'x}y'}"}},
      {"{__name__=~\"a|b\"}", {"{__name__=~\"a|b\"}"}},
      {"{\"dotted.name\", job=`}`}", {"{\"dotted.name\", job=`}`}"}},
      {"ns:rule:sum", {"ns:rule:sum"}},
      {"sum by (cluster) (free)", {"free"}},
      {"sum(free) by (cluster)", {"free"}},
      {"SUM BY(cluster)(free)", {"free"}},
      {"sum without (node, pod) (free)", {"free"}},
      {"topk(3, free)", {"free"}},
      {"topk by (cluster) (3, free)", {"free"}},
      {"quantile(0.9, free) by (cluster)", {"free"}},
      {"count_values(\"version\", build)", {"build"}},
      {"rate(requests_total{job=\"web\"}[5m])", {"requests_total{job=\"web\"}"}},
      {"max_over_time(rate(x[5m])[1h:1m])", {"x"}},
      {"x offset 5m - x offset -1w", {"x"}},
      {"x @ 1609746000 + y @ start() + z @ end()", {"x", "y", "z"}},
      {"a * on (cluster) group_left (region) b", {"a", "b"}},
      {"a * on(cluster, node) group_left() (1 - b)", {"a", "b"}},
      {"a / ignoring(x) group_right b", {"a", "b"}},
      {"a and b or c unless d", {"a", "b", "c", "d"}},
      {"a > bool 5", {"a"}},
      {"a == 0x1f + 1e-3 - .5 * Inf / NaN", {"a"}},
      {"a atan2 b % 2 ^ 3", {"a", "b"}},
      {"label_replace(a, \"cluster\", \"$1\", \"id\", \"(.*)\")", {"a"}},
      {"byte_count - one_or_two", {"byte_count", "one_or_two"}},
      {"vector(1)", {}},
      {"time()", {}},
      {"", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.promql);
    const auto found = selectors_in(c.promql);
    ASSERT_TRUE(found.ok()) << found.error().message;
    EXPECT_EQ(*found, c.selectors);
  }
}

TEST(PromqlSelectors, AreThoseOfTheFreeCpuThatTheSchedulerSees) {
  const auto found = selectors_in(R"promql(
      sum by (cluster) (kube_node_status_allocatable{resource="cpu"}
          * on (cluster, node) group_left () (1 - kube_node_spec_unschedulable))
      - sum by (cluster) (kube_pod_container_resource_requests{resource="cpu"}
          * on (cluster, namespace, pod) group_left ()
          max by (cluster, namespace, pod) (kube_pod_status_phase{phase=~"Pending|Running"} == 1))
  )promql");
  ASSERT_TRUE(found.ok());
  EXPECT_EQ(*found, (Selectors{"kube_node_status_allocatable{resource=\"cpu\"}",
                               "kube_node_spec_unschedulable",
                               "kube_pod_container_resource_requests{resource=\"cpu\"}",
                               "kube_pod_status_phase{phase=~\"Pending|Running\"}"}));
}

TEST(PromqlSelectors, AreRefusedWithThePlaceWhenBracketsOrStringsAreOpen) {
  struct Case {
    std::string_view promql;
    std::string_view message;
  };
  const Case cases[] = {
      {"sum(free", "character 4: this bracket is not closed"},
      {"free)", "character 5: this bracket was never opened"},
      {"free]", "character 5: this bracket was never opened"},
      {"free}", "character 5: this bracket was never opened"},
      {"free{a=\"b\"", "character 5: this bracket is not closed"},
      {"free{{}", "character 5: this bracket is not closed"},
      {"free[5m", "character 5: this bracket is not closed"},
      {"sum by (a", "character 8: this bracket is not closed"},
      {"free{a=\"b", "character 8: this string has no end"},
      {"free{a=\"b\\", "character 8: this string has no end"},
      {"free{a=\"b\n\"}", "character 8: this string has no end"},
      {"`", "character 1: this string has no end"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.promql);
    const auto found = selectors_in(c.promql);
    ASSERT_FALSE(found.ok());
    EXPECT_EQ(found.error().message, c.message);
  }
}

TEST(LabelNames, AreWhatPrometheusTakes) {
  for (const std::string_view good : {"cluster", "clusterID", "_x", "a1"}) {
    EXPECT_TRUE(is_label_name(good)) << good;
  }
  for (const std::string_view bad : {"", "1a", "a-b", "a.b", "a b", "a\"", "a:b"}) {
    EXPECT_FALSE(is_label_name(bad)) << bad;
  }
}

}  // namespace
}  // namespace berth::scores
