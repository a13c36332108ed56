#include "scores/sources/score_source.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/names.h"
#include "api/quantity.h"
#include "base/base64.h"
#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "scores/sources/promql_selectors.h"

namespace berth::scores {
namespace {

constexpr std::size_t kQueriesMax = 20;
constexpr std::size_t kPromqlBytesMax = 8192;
constexpr std::size_t kUrlBytesMax = 2048;

std::unexpected<Error> refuse(std::string_view place, std::string_view what) {
  return failure(Code::Invalid, fmt::format("{}: {}", place, what));
}

struct Lengths {
  Duration least;
  Duration most;
  Duration otherwise;  // When nothing is said.
};

Result<Duration> read_length(const json::Value& object, std::string_view name,
                             std::string_view place, const Lengths& lengths) {
  const std::string text = api::text_field(object, name);
  if (text.empty()) return lengths.otherwise;
  const auto length = cel::parse_duration(text);
  if (!length) {
    return refuse(place, fmt::format("{} is no length of time; say 30s, 5m or 1h", quote(text)));
  }
  if (*length < lengths.least || *length > lengths.most) {
    const auto seconds = [](Duration d) {
      return std::chrono::duration_cast<std::chrono::seconds>(d).count();
    };
    return refuse(place, fmt::format("{} is not between {}s and {}s", text, seconds(lengths.least),
                                     seconds(lengths.most)));
  }
  return *length;
}

Result<MaterialRef> read_reference(const json::Value& reference, std::string_view place,
                                   MaterialRef otherwise) {
  MaterialRef read = std::move(otherwise);
  read.name = api::text_field(reference, "name");
  if (read.name.empty()) return refuse(fmt::format("{}.name", place), "is missing");
  if (const std::string key = api::text_field(reference, "key"); !key.empty()) read.key = key;
  return read;
}

bool is_plain_url(std::string_view url) {
  const bool has_scheme = url.starts_with("http://") || url.starts_with("https://");
  if (!has_scheme || url.size() > kUrlBytesMax) return false;
  const std::string_view rest = url.substr(url.find("//") + 2);
  const std::string_view authority = rest.substr(0, rest.find('/'));
  const bool has_blank = std::ranges::any_of(url, [](char c) { return c <= ' ' || c == '\x7f'; });
  return !authority.empty() && !has_blank && !authority.contains('@') && !rest.contains('?') &&
         !rest.contains('#');
}

Status read_tls(const json::Value& tls, Endpoint& endpoint) {
  constexpr std::string_view kPlace = "spec.endpoint.tls";
  const std::string bundle = api::text_field(tls, "caBundle");
  const json::Value& reference = api::field(tls, "caRef");
  if (!bundle.empty() && reference.is_object()) {
    return refuse(kPlace, "there can be one of caBundle and caRef");
  }
  if (!bundle.empty()) {
    auto pem = decode_base64(bundle);
    if (!pem.ok()) return refuse("spec.endpoint.tls.caBundle", pem.error().message);
    endpoint.authorities_pem = *std::move(pem);
  }
  if (reference.is_object()) {
    const bool secret = api::text_field(reference, "kind") == "Secret";
    ASSIGN_OR_RETURN(
        endpoint.authorities,
        read_reference(reference, "spec.endpoint.tls.caRef",
                       {.kind = secret ? MaterialRef::Kind::Secret : MaterialRef::Kind::ConfigMap,
                        .key = "ca.crt"}));
  }
  if (const json::Value& client = api::field(tls, "clientCertificate"); client.is_object()) {
    ASSIGN_OR_RETURN(const MaterialRef secret,
                     read_reference(api::field(client, "secretRef"),
                                    "spec.endpoint.tls.clientCertificate.secretRef", {}));
    endpoint.client_certificate_secret = secret.name;
  }
  endpoint.server_name = api::text_field(tls, "serverName");
  return {};
}

Result<Endpoint> read_endpoint(const json::Value& object) {
  using namespace std::chrono_literals;
  Endpoint endpoint{.url = api::text_field(object, "url")};
  if (!is_plain_url(endpoint.url)) {
    return refuse("spec.endpoint.url",
                  fmt::format("{} is not http://HOST or https://HOST with an optional port and "
                              "path, and nothing else",
                              quote(cut_utf8(endpoint.url, 256))));
  }
  ASSIGN_OR_RETURN(endpoint.timeout, read_length(object, "timeout", "spec.endpoint.timeout",
                                                 {.least = 1s, .most = 5min, .otherwise = 30s}));
  const json::Value& token = api::field(object, "bearerToken");
  const json::Value& tls = api::field(object, "tls");
  if ((token.is_object() || tls.is_object()) && !endpoint.url.starts_with("https://")) {
    return refuse("spec.endpoint.url", "tls and bearerToken need a url that begins with https");
  }
  if (token.is_object()) {
    ASSIGN_OR_RETURN(endpoint.token,
                     read_reference(api::field(token, "secretRef"),
                                    "spec.endpoint.bearerToken.secretRef", {.key = "token"}));
  }
  RETURN_IF_ERROR(read_tls(tls, endpoint));
  return endpoint;
}

Result<double> read_bound(const json::Value& object, std::string_view name,
                          std::string_view place) {
  const json::Value& value = api::field(object, name);
  const std::string full = fmt::format("{}.{}", place, name);
  if (value.is_null()) return refuse(full, "is missing; it goes with the type Bounds");
  const auto quantity = api::Quantity::from_json(value);
  if (!quantity.ok()) return refuse(full, quantity.error().message);
  return quantity->as_approximate_double();
}

Result<FleetNormaliser> read_normaliser(const json::Value& object, std::string_view place) {
  FleetNormaliser read;
  const std::string type = api::text_field(object, "type");
  if (type == "FleetRange") {
    read.type = FleetNormaliser::Type::FleetRange;
  } else if (type == "FleetRank") {
    read.type = FleetNormaliser::Type::FleetRank;
  } else if (!type.empty() && type != "Bounds") {
    return refuse(fmt::format("{}.type", place),
                  fmt::format("{} is none of Bounds, FleetRange and FleetRank", quote(type)));
  }
  read.line.curve = api::text_field(object, "curve") == "Log" ? Curve::Log : Curve::Linear;
  read.line.range = api::text_field(object, "range") == "Positive" ? Range::Positive : Range::Full;
  const bool invert = api::field(object, "invert").as_bool().value_or(false);
  read.line.direction = invert ? Direction::LowerIsBetter : Direction::HigherIsBetter;
  if (read.type != FleetNormaliser::Type::Bounds) return read;
  ASSIGN_OR_RETURN(read.line.min, read_bound(object, "min", place));
  ASSIGN_OR_RETURN(read.line.max, read_bound(object, "max", place));
  if (const Status good = check_normaliser(read.line); !good.ok()) {
    return refuse(place, good.error().message);
  }
  return read;
}

Result<ScoreQuery> read_query(const json::Value& object, const std::string& place) {
  using namespace std::chrono_literals;
  ScoreQuery query{.score_name = api::text_field(object, "scoreName"),
                   .promql = api::text_field(object, "promql"),
                   .sample_time = api::text_field(object, "sampleTime")};
  if (query.score_name.empty()) return refuse(place + ".scoreName", "is missing");
  if (trim(query.promql).empty()) return refuse(place + ".promql", "is missing");
  if (query.promql.size() > kPromqlBytesMax || query.sample_time.size() > kPromqlBytesMax) {
    return refuse(place, fmt::format("a query has at most {} bytes", kPromqlBytesMax));
  }
  const auto selectors = selectors_in(query.promql);
  if (!selectors.ok()) return refuse(place + ".promql", selectors.error().message);
  if (query.sample_time.empty() && selectors->empty()) {
    return refuse(place + ".promql", "reads no series, so that no sample time is known");
  }
  const auto times = selectors_in(query.sample_time);
  if (!times.ok()) return refuse(place + ".sampleTime", times.error().message);
  ASSIGN_OR_RETURN(query.interval, read_length(object, "interval", place + ".interval",
                                               {.least = 5s, .most = 24h, .otherwise = 60s}));
  if (const json::Value& normalize = api::field(object, "normalize"); normalize.is_object()) {
    ASSIGN_OR_RETURN(query.normaliser, read_normaliser(normalize, place + ".normalize"));
  }
  return query;
}

Status read_queries(const json::Value& spec, ScoreSource& source) {
  const auto queries = api::elements_field(spec, "queries");
  if (queries.empty()) return refuse("spec.queries", "is missing");
  if (queries.size() > kQueriesMax) {
    return refuse("spec.queries", fmt::format("there can be {} at most", kQueriesMax));
  }
  std::set<std::string> names;
  for (std::size_t i = 0; i < queries.size(); ++i) {
    const std::string place = fmt::format("spec.queries[{}]", i);
    ASSIGN_OR_RETURN(ScoreQuery query, read_query(queries[i], place));
    if (!names.insert(query.score_name).second) {
      return refuse(place + ".scoreName",
                    fmt::format("{} is there already", quote(query.score_name)));
    }
    if (query.interval >= source.valid_for) {
      return refuse(place + ".interval", "is not shorter than spec.validFor");
    }
    source.queries.push_back(std::move(query));
  }
  return {};
}

Status read_cluster_match(const json::Value& spec, ScoreSource& source) {
  if (const std::string label = api::text_field(spec, "clusterLabel"); !label.empty()) {
    source.cluster_label = label;
  }
  if (!is_label_name(source.cluster_label)) {
    return refuse("spec.clusterLabel",
                  fmt::format("{} is no name of a label", quote(source.cluster_label)));
  }
  const json::Value& match = api::field(spec, "clusterMatch");
  const bool by_claim = api::text_field(match, "type") == "Claim";
  source.cluster_claim = api::text_field(match, "claimName");
  if (by_claim != source.cluster_claim.empty()) return {};
  return refuse("spec.clusterMatch.claimName",
                by_claim ? "is missing; it goes with the type Claim" : "goes with the type Claim");
}

}  // namespace

const ScoreQuery* ScoreSource::find_query(std::string_view score_name) const {
  const auto found = std::ranges::find(queries, score_name, &ScoreQuery::score_name);
  return found == queries.end() ? nullptr : &*found;
}

bool same_spec(const ScoreSource& a, const ScoreSource& b) {
  return a.facts.uid == b.facts.uid && a.endpoint == b.endpoint && a.thanos == b.thanos &&
         a.cluster_label == b.cluster_label && a.cluster_claim == b.cluster_claim &&
         a.queries == b.queries && a.target == b.target && a.placement == b.placement &&
         a.valid_for == b.valid_for && a.hysteresis == b.hysteresis;
}

Result<ScoreSource> read_score_source(const json::Value& object) {
  using namespace std::chrono_literals;
  const json::Value& spec = api::field(object, "spec");
  ScoreSource source{.facts = api::read_facts(object)};
  ASSIGN_OR_RETURN(source.endpoint, read_endpoint(api::field(spec, "endpoint")));
  if (const json::Value& thanos = api::field(spec, "thanos"); thanos.is_object()) {
    source.thanos = ThanosOptions{
        .dedup = api::field(thanos, "dedup").as_bool().value_or(true),
        .partial_response = api::field(thanos, "partialResponse").as_bool().value_or(false)};
  }
  RETURN_IF_ERROR(read_cluster_match(spec, source));
  ASSIGN_OR_RETURN(source.valid_for, read_length(spec, "validFor", "spec.validFor",
                                                 {.least = 10s, .most = 168h, .otherwise = 3min}));
  RETURN_IF_ERROR(read_queries(spec, source));
  source.target = api::text_field(spec, "targetScoreName");
  if (source.target.empty()) source.target = source.facts.name;
  if (const auto problems = api::check_dns1123_subdomain(source.target); !problems.empty()) {
    return refuse("spec.targetScoreName", problems.front());
  }
  source.placement = api::text_field(api::field(spec, "placementRef"), "name");
  if (source.placement.empty()) return refuse("spec.placementRef.name", "is missing");
  source.hysteresis = api::int32_field(spec, "hysteresis").value_or(1);
  if (source.hysteresis < 1 || source.hysteresis > kScoreMax - kScoreMin) {
    return refuse("spec.hysteresis", "is not between 1 and 200");
  }
  return source;
}

}  // namespace berth::scores
