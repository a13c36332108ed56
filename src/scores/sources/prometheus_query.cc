#include "scores/sources/prometheus_query.h"

#include <fmt/format.h>

#include "base/check.h"
#include "scores/sources/promql_selectors.h"

namespace berth::scores {
namespace {

// On lines of its own: the text may end with a comment.
std::string part(std::string_view expression, std::string_view name) {
  return fmt::format("label_replace((\n{}\n), \"{}\", \"{}\", \"\", \"\")", expression, kPartLabel,
                     name);
}

std::string_view truth(bool yes) { return yes ? "true" : "false"; }

}  // namespace

std::string query_text(const ScoreQuery& query, std::string_view cluster_label) {
  std::string text = part(query.promql, kValuePart);
  std::vector<std::string> times;
  if (!query.sample_time.empty()) {
    times.push_back(query.sample_time);
  } else {
    const auto selectors = selectors_in(query.promql);
    CHECK(selectors.ok());
    for (const std::string& selector : *selectors) {
      times.push_back(fmt::format("min by ({}) (timestamp({}))", cluster_label, selector));
    }
  }
  for (std::size_t i = 0; i < times.size(); ++i) {
    text += "\nor " + part(times[i], fmt::format("{}{}", kTimePart, i));
  }
  return text;
}

FormFields query_form(const ScoreSource& source, const ScoreQuery& query, Time when) {
  const auto milliseconds =
      std::chrono::duration_cast<std::chrono::milliseconds>(source.endpoint.timeout).count();
  FormFields form = {
      {"query", query_text(query, source.cluster_label)},
      {"time", fmt::format("{}.{:03}", when.unix_seconds(), when.nanoseconds() / 1'000'000)},
      {"timeout", fmt::format("{}ms", milliseconds)}};
  if (source.thanos) {
    form.emplace_back("dedup", truth(source.thanos->dedup));
    form.emplace_back("partial_response", truth(source.thanos->partial_response));
  }
  return form;
}

}  // namespace berth::scores
