#include "scores/generators/generator.h"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"
#include "cel/time_arithmetic.h"
#include "scores/generators/location.h"

namespace berth::scores {
namespace {

using namespace std::chrono_literals;

constexpr std::size_t kNameMax = 253;
constexpr std::size_t kPluginNameMax = 63;
constexpr std::size_t kSectionsMax = 20;

struct Bounds {
  Duration min;
  Duration max;
  std::string_view text;
};
constexpr Bounds kInterval = {.min = 10s, .max = 24h, .text = "10s to 24h"};
constexpr Bounds kTimeout = {.min = 100ms, .max = 60s, .text = "100ms to 60s"};
constexpr Bounds kWait = {.min = 0s, .max = 10min, .text = "0s to 10m"};

constexpr std::pair<std::string_view, Aggregate> kAggregates[] = {{"Mean", Aggregate::Mean},
                                                                  {"Median", Aggregate::Median},
                                                                  {"P90", Aggregate::P90},
                                                                  {"Min", Aggregate::Min}};
constexpr std::pair<std::string_view, OnError> kOnErrors[] = {{"Worst", OnError::Worst},
                                                              {"Skip", OnError::Skip}};
constexpr std::pair<std::string_view, Measure> kMeasures[] = {{"Total", Measure::Total},
                                                              {"Connect", Measure::Connect},
                                                              {"TLS", Measure::Tls},
                                                              {"FirstByte", Measure::FirstByte}};
constexpr std::pair<std::string_view, Curve> kCurves[] = {{"Linear", Curve::Linear},
                                                          {"Log", Curve::Log}};

bool has_part(Method method, Measure measure) {
  switch (measure) {
    case Measure::Total:
      return true;
    case Measure::Connect:
      return method != Method::Dns;
    case Measure::Tls:
      return method == Method::Https;
    case Measure::FirstByte:
      return method == Method::Http || method == Method::Https;
  }
  return false;
}

// One field of an entry, and what messages call the entry.
struct Field {
  const json::Value& entry;
  std::string_view place;
  std::string_view name;

  const json::Value& value() const { return api::field(entry, name); }
  std::string path() const { return fmt::format("{}.{}", place, name); }
};

// Reads the entries of one generator, and collects what is wrong with them. What cannot be read
// gets its default and a problem.
class Reader {
 public:
  Reader(const json::Value& object, const AddressRules& rules)
      : reading_{.generator = {.facts = api::read_facts(object)}}, rules_(rules) {}

  GeneratorReading read(const json::Value& spec, std::string_view cluster) && {
    check_namespaces(spec, cluster);
    read_latencies(api::field(spec, "latencies"));
    std::size_t sections = 0;
    for (const json::Member& member : spec.members()) {
      if (member.name() == "addOnPlacementSelector" || member.name() == "latencies") continue;
      if (++sections > kSectionsMax) break;
      read_section(member.name(), member.value);
    }
    if (sections > kSectionsMax || reading_.generator.entry_count() > kEntriesMax) {
      add("TooManyEntries",
          fmt::format("more than {} entries or {} plugins; split it into several generators",
                      kEntriesMax, kSectionsMax));
    }
    if (reading_.problems.empty() && reading_.generator.entry_count() == 0) {
      add("NothingToMeasure", "spec has no entries; add some to spec.latencies");
    }
    return std::move(reading_);
  }

 private:
  void add(std::string reason, std::string message) {
    reading_.problems.push_back({.reason = std::move(reason), .message = std::move(message)});
  }

  void check_namespaces(const json::Value& spec, std::string_view cluster) {
    const std::string& home = reading_.generator.facts.object_namespace;
    if (home != cluster) {
      add("WrongNamespace", fmt::format("it is in namespace {}, but this is the agent of cluster "
                                        "{}; move it there",
                                        quote(home), quote(cluster)));
    }
    const std::string selected =
        api::text_field(api::field(spec, "addOnPlacementSelector"), "namespace");
    if (!selected.empty() && selected != home) {
      add("WrongNamespace", fmt::format("spec.addOnPlacementSelector.namespace: {} is another "
                                        "namespace; write {} or leave it out",
                                        quote(selected), quote(home)));
    }
  }

  void read_latencies(const json::Value& list) {
    if (list.is_null()) return;
    if (!list.is_array()) return add("InvalidValue", "spec.latencies: expected a list");
    for (std::size_t i = 0; i < list.size() && i <= kEntriesMax; ++i) {
      read_latency(list.elements()[i], fmt::format("spec.latencies[{}]", i));
    }
  }

  void read_section(std::string_view plugin, const json::Value& list) {
    const std::string place = fmt::format("spec.{}", cut_utf8(plugin, kPluginNameMax));
    if (!is_plugin_name(plugin)) {
      return add("InvalidValue", fmt::format("{}: a plugin's name has letters, digits, - and _, at "
                                             "most {} of them",
                                             place, kPluginNameMax));
    }
    if (!list.is_array()) {
      return add("InvalidValue", place + ": expected a list of objects, each with a name");
    }
    PluginSection section{.plugin = std::string(plugin), .entries = list};
    for (std::size_t i = 0; i < list.size() && i <= kEntriesMax; ++i) {
      if (const auto name = read_name(list.elements()[i], fmt::format("{}[{}]", place, i))) {
        section.names.push_back(*name);
      }
    }
    if (!section.names.empty()) reading_.generator.sections.push_back(std::move(section));
  }

  // Also remembers it: two scores of one object cannot share a name.
  std::optional<std::string> read_name(const json::Value& entry, const std::string& place) {
    std::string name = api::text_field(entry, "name");
    if (name.empty() || name.size() > kNameMax) {
      add("InvalidValue",
          fmt::format("{}.name: a name of at most {} bytes is needed", place, kNameMax));
      return std::nullopt;
    }
    if (!names_.insert(name).second) {
      add("DuplicateName", fmt::format("{}.name: {} is used twice; each score needs a name of its "
                                       "own",
                                       place, quote(name)));
      return std::nullopt;
    }
    return name;
  }

  void read_latency(const json::Value& entry, const std::string& place) {
    auto name = read_name(entry, place);
    if (!name) return;
    Latency latency{
        .name = *std::move(name),
        .location = location_in(entry, place),
        .measure = choice_in({entry, place, "measure"}, kMeasures),
        .runs = runs_in({entry, place, "runs"}),
        .wait_between_runs = duration_in({entry, place, "waitBetweenRuns"}, kWait, 0s),
        .interval = duration_in({entry, place, "interval"}, kInterval, 60s),
        .timeout = duration_in({entry, place, "timeout"}, kTimeout, 5s),
        .aggregate = choice_in({entry, place, "aggregate"}, kAggregates),
        .on_error = choice_in({entry, place, "onError"}, kOnErrors),
        .normaliser = normaliser_in(api::field(entry, "normalize"), place + ".normalize")};
    check_whole(latency, place);
    reading_.generator.latencies.push_back(std::move(latency));
  }

  Location location_in(const json::Value& entry, const std::string& place) {
    auto location =
        read_location(api::text_field(entry, "url"), api::text_field(entry, "method"), rules_);
    if (location.ok()) return *std::move(location);
    const bool forbidden = location.error().code == Code::Forbidden;
    add(forbidden ? "ForbiddenAddress" : "InvalidURL",
        fmt::format("{}.url: {}", place, location.error().message));
    return {};
  }

  std::int64_t runs_in(const Field& field) {
    if (field.value().is_null()) return 1;
    const auto count = field.value().as_int();
    if (count && *count >= 1 && *count <= kRunsMax) return *count;
    add("InvalidValue", fmt::format("{}: must be from 1 to {}", field.path(), kRunsMax));
    return 1;
  }

  Duration duration_in(const Field& field, const Bounds& bounds, Duration fallback) {
    if (field.value().is_null()) return fallback;
    const auto length = cel::parse_duration(field.value().string_or_empty());
    if (length && *length >= bounds.min && *length <= bounds.max) return *length;
    add("InvalidValue",
        fmt::format("{}: must be a duration such as 10s, from {}", field.path(), bounds.text));
    return fallback;
  }

  // The first choice is the default.
  template <typename Choice, std::size_t count>
  Choice choice_in(const Field& field,
                   const std::pair<std::string_view, Choice> (&choices)[count]) {
    const std::string_view text = field.value().string_or_empty();
    if (field.value().is_null()) return choices[0].second;
    std::vector<std::string> known;
    for (const auto& [spelling, value] : choices) {
      if (spelling == text) return value;
      known.emplace_back(spelling);
    }
    add("InvalidValue", fmt::format("{}: must be one of {}", field.path(), join(known, ", ")));
    return choices[0].second;
  }

  std::optional<Normaliser> normaliser_in(const json::Value& bounds, const std::string& place) {
    if (bounds.is_null()) return std::nullopt;
    const auto max = api::field(bounds, "max").as_double();
    if (!max) {
      add("InvalidValue", place + ".max: a number of milliseconds is needed");
      return std::nullopt;
    }
    const bool inverts = api::field(bounds, "invert").as_bool().value_or(false);
    Normaliser normaliser{
        .min = api::field(bounds, "min").as_double().value_or(0),
        .max = *max,
        .curve = choice_in({bounds, place, "curve"}, kCurves),
        .direction = inverts ? Direction::LowerIsBetter : Direction::HigherIsBetter};
    if (const Status status = check_normaliser(normaliser); !status.ok()) {
      add("InvalidValue", fmt::format("{}: {}", place, status.error().message));
      return std::nullopt;
    }
    return normaliser;
  }

  void check_whole(const Latency& latency, const std::string& place) {
    if (!has_part(latency.location.method, latency.measure)) {
      add("InvalidValue", fmt::format("{}.measure: {} has no such part; leave it out", place,
                                      method_name(latency.location.method)));
    }
    // A score holds for three intervals: a round that takes longer than two could let it lapse
    // although all is well.
    const Duration round =
        latency.runs * latency.timeout + (latency.runs - 1) * latency.wait_between_runs;
    if (round <= 2 * latency.interval) return;
    add("InvalidValue",
        fmt::format("{}: {} runs can take {}s, too long for an interval of {}s; set interval to at "
                    "least {}s, or fewer runs, a shorter timeout or waitBetweenRuns",
                    place, latency.runs, round / 1s, latency.interval / 1s,
                    (round / 2 + 999ms) / 1s));
  }

  GeneratorReading reading_;
  const AddressRules& rules_;
  std::set<std::string> names_;
};

}  // namespace

std::string_view method_name(Method method) {
  switch (method) {
    case Method::Http:
      return "http";
    case Method::Https:
      return "https";
    case Method::Tcp:
      return "tcp";
    case Method::Dns:
      return "dns";
  }
  return "";
}

std::size_t Generator::entry_count() const {
  std::size_t count = latencies.size();
  for (const PluginSection& section : sections) count += section.names.size();
  return count;
}

bool is_plugin_name(std::string_view name) {
  const auto is_fine = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '_';
  };
  return !name.empty() && name.size() <= kPluginNameMax && name.front() != '-' &&
         std::ranges::all_of(name, is_fine);
}

std::string provider_of(const json::Value& object) {
  const std::string name =
      api::text_field(api::field(api::field(object, "spec"), "addOnPlacementSelector"), "name");
  return name.empty() ? std::string(kLatencyProvider) : name;
}

GeneratorReading read_generator(const json::Value& object, std::string_view cluster,
                                const AddressRules& rules) {
  return Reader(object, rules).read(api::field(object, "spec"), cluster);
}

}  // namespace berth::scores
