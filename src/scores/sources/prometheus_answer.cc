#include "scores/sources/prometheus_answer.h"

#include <charconv>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/strings.h"
#include "json/parse.h"
#include "scores/sources/prometheus_query.h"

namespace berth::scores {
namespace {

constexpr std::size_t kDepthMax = 16;
constexpr std::size_t kMessageMax = 512;
constexpr std::size_t kWarningsMax = 5;

std::string shortened(std::string_view text) { return std::string(cut_utf8(text, kMessageMax)); }

Code code_of_type(std::string_view type) {
  if (type == "bad_data") return Code::BadRequest;
  if (type == "timeout" || type == "canceled") return Code::Timeout;
  if (type == "unavailable") return Code::ServiceUnavailable;
  if (type == "not_found") return Code::NotFound;
  return Code::InternalError;  // "execution", "internal", and what others invent.
}

Code code_of_status(int http_status) {
  switch (http_status) {
    case 401:
      return Code::Unauthorized;
    case 403:
      return Code::Forbidden;
    case 404:
      return Code::NotFound;
    case 429:
      return Code::TooManyRequests;
    case 502:
    case 503:
      return Code::ServiceUnavailable;
    case 504:
      return Code::Timeout;
    default:
      return http_status >= 500 ? Code::InternalError : Code::BadRequest;
  }
}

std::string_view advice(int http_status) {
  switch (http_status) {
    case 401:
      return ": check the credentials of the endpoint";
    case 403:
      return ": the endpoint's credentials may not query";
    case 404:
      return ": there is no Prometheus API below the endpoint's url";
    default:
      return "";
  }
}

std::unexpected<Error> refuse(std::string_view place, std::string_view what) {
  return failure(Code::InternalError, fmt::format("the server's answer: {}: {}", place, what));
}

// As Prometheus prints numbers: "1.5e+06", "NaN", "+Inf", "-Inf".
std::optional<double> parse_number(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text.starts_with('+')) text.remove_prefix(1);
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (text.empty() || error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

Result<Series> read_series(const json::Value& item, std::string_view cluster_label,
                           std::size_t index) {
  const auto value = api::elements_field(item, "value");
  const auto text = value.size() == 2 ? value[1].as_string() : std::nullopt;
  const auto number = text ? parse_number(*text) : std::nullopt;
  if (!number) {
    const bool is_histogram = item.find("histogram") != nullptr;
    return refuse(fmt::format("data.result[{}]", index),
                  is_histogram ? "is a histogram, where a number was expected"
                               : "has no value [TIME, \"NUMBER\"]");
  }
  const json::Value& metric = api::field(item, "metric");
  return Series{.cluster = api::text_field(metric, cluster_label),
                .part = api::text_field(metric, kPartLabel),
                .number = *number};
}

Result<std::vector<Series>> read_vector(const json::Value& data, std::string_view cluster_label) {
  const std::string type = api::text_field(data, "resultType");
  if (type != "vector") {
    return refuse("data.resultType",
                  fmt::format("is {}, where \"vector\" was expected: the query has to give one "
                              "number for each cluster",
                              quote(shortened(type))));
  }
  const json::Value& result = api::field(data, "result");
  if (!result.is_array()) return refuse("data.result", "is no list");
  if (result.size() > kSeriesMax) {
    return failure(Code::RequestEntityTooLarge,
                   fmt::format("the server's answer has {} series, more than {}: aggregate by the "
                               "cluster label",
                               result.size(), kSeriesMax));
  }
  std::vector<Series> all;
  all.reserve(result.size());
  for (const json::Value& item : result.elements()) {
    ASSIGN_OR_RETURN(Series series, read_series(item, cluster_label, all.size()));
    all.push_back(std::move(series));
  }
  return all;
}

}  // namespace

Result<PrometheusAnswer> read_prometheus_answer(int http_status, std::string_view body,
                                                std::string_view cluster_label) {
  const bool good = http_status >= 200 && http_status < 300;
  const auto document = json::parse(body, {.depth_max = kDepthMax});
  const std::string status = document.ok() ? api::text_field(*document, "status") : "";
  if (status == "error") {
    const std::string type = api::text_field(*document, "errorType");
    return failure(code_of_type(type),
                   fmt::format("{}: {}", type.empty() ? "error" : shortened(type),
                               shortened(api::text_field(*document, "error"))));
  }
  if (!good) {
    return failure(code_of_status(http_status),
                   fmt::format("the server answered {}{}", http_status, advice(http_status)));
  }
  if (!document.ok()) return refuse("not JSON", document.error().message);
  if (status != "success") return refuse("status", "is neither \"success\" nor \"error\"");
  PrometheusAnswer answer;
  ASSIGN_OR_RETURN(answer.series, read_vector(api::field(*document, "data"), cluster_label));
  for (const std::string& warning : api::texts_field(*document, "warnings")) {
    if (answer.warnings.size() == kWarningsMax) break;
    answer.warnings.push_back(shortened(warning));
  }
  return answer;
}

}  // namespace berth::scores
