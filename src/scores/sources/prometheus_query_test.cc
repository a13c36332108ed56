#include "scores/sources/prometheus_query.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "scores/sources/promql_selectors.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

TEST(PrometheusQuery, AsksForNumbersAndForTheOldestSampleOfEverySelector) {
  EXPECT_EQ(query_text({.promql = "sum by (cluster) (a - b{x=\"1\"}) # free"}, "cluster"),
            R"promql(label_replace((
sum by (cluster) (a - b{x="1"}) # free
), "berth_part", "value", "", "")
or label_replace((
min by (cluster) (timestamp(a))
), "berth_part", "time0", "", "")
or label_replace((
min by (cluster) (timestamp(b{x="1"}))
), "berth_part", "time1", "", ""))promql");
}

TEST(PrometheusQuery, AsksForTheSampleTimeThatTheSourceNames) {
  const std::string text = query_text(
      {.promql = "cluster:free:sum", .sample_time = "max by (id) (timestamp(raw))"}, "id");
  EXPECT_TRUE(
      text.ends_with("or label_replace((\nmax by (id) (timestamp(raw))\n), "
                     "\"berth_part\", \"time0\", \"\", \"\")"));
  EXPECT_FALSE(text.contains("timestamp(cluster:free:sum)"));
}

TEST(PrometheusQuery, HasBalancedBracketsItself) {
  const std::string text = query_text({.promql = "sum(a) + on () group_left () sum(b)"}, "cluster");
  EXPECT_TRUE(selectors_in(text).ok());
}

TEST(PrometheusQuery, NamesItsTimeAndItsPatience) {
  ScoreSource source{.endpoint = {.timeout = 1500ms}};
  const FormFields form =
      query_form(source, {.promql = "a"}, Time::from_unix(1'800'000'000, 45'999'999));
  ASSERT_EQ(form.size(), 3U);
  EXPECT_EQ(form[0].first, "query");
  EXPECT_EQ(form[1], (std::pair<std::string, std::string>{"time", "1800000000.045"}));
  EXPECT_EQ(form[2], (std::pair<std::string, std::string>{"timeout", "1500ms"}));
}

TEST(PrometheusQuery, TellsThanosWhetherPartsMayBeMissing) {
  const auto has = [](const FormFields& form, const std::string& name, const std::string& value) {
    return std::ranges::find(form, std::pair(name, value)) != form.end();
  };
  ScoreSource source{.thanos = ThanosOptions{}};
  const FormFields whole = query_form(source, {.promql = "a"}, Time());
  EXPECT_TRUE(has(whole, "dedup", "true"));
  EXPECT_TRUE(has(whole, "partial_response", "false"));
  source.thanos = ThanosOptions{.dedup = false, .partial_response = true};
  const FormFields partial = query_form(source, {.promql = "a"}, Time());
  EXPECT_TRUE(has(partial, "dedup", "false"));
  EXPECT_TRUE(has(partial, "partial_response", "true"));
}

}  // namespace
}  // namespace berth::scores
