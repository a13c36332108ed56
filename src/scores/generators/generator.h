// AddOnPlacementScoreGenerator: what an administrator wants measured from one cluster.
//
//   spec:
//     addOnPlacementSelector: {name: latency, namespace: cluster1}
//     latencies:
//       - {name: redhat-com-avgLatency, url: "https://redhat.com", runs: 2, waitBetweenRuns: 10s}
//     otherPlugin:
//       - {name: score-name, optionConsumedByPlugin: optionValue}
//
// Every key of spec besides these two is the section of the plugin of that name.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/kinds/fields.h"
#include "base/result.h"
#include "base/time.h"
#include "json/value.h"
#include "scores/generators/address_rules.h"
#include "scores/normalise.h"

namespace berth::scores {

inline constexpr std::string_view kLatencyProvider = "latency";
inline constexpr std::size_t kEntriesMax = 100;  // Of one generator.
inline constexpr std::int64_t kRunsMax = 20;

enum class Method : std::uint8_t { Http, Https, Tcp, Dns };

std::string_view method_name(Method method);

struct Location {
  Method method = Method::Https;
  std::string host = {};  // A name in lower case or an address, without brackets.
  std::uint16_t port = 0;
  std::string authority = {};  // What an HTTP server is told it was called.
  std::string target = "/";    // Path and query.

  bool operator==(const Location&) const = default;
};

// Which part of a run is the measured time.
enum class Measure : std::uint8_t {
  Total,      // From the beginning of the connection to the first byte of the answer.
  Connect,    // TCP alone.
  Tls,        // The handshake alone.
  FirstByte,  // From the request to the first byte of the answer.
};

enum class Aggregate : std::uint8_t { Mean, Median, P90, Min };

// What a run that failed counts as.
enum class OnError : std::uint8_t { Worst, Skip };

struct Latency {
  std::string name = {};  // Of the score.
  Location location = {};
  Measure measure = Measure::Total;
  std::int64_t runs = 1;
  Duration wait_between_runs = Duration::zero();
  Duration interval = std::chrono::seconds(60);
  Duration timeout = std::chrono::seconds(5);  // Of one run.
  Aggregate aggregate = Aggregate::Mean;
  OnError on_error = OnError::Worst;
  std::optional<Normaliser> normaliser = std::nullopt;  // Absent: milliseconds, 0 to 100.

  bool operator==(const Latency&) const = default;
};

struct PluginSection {
  std::string plugin = {};
  std::vector<std::string> names = {};  // Of its scores.
  json::Value entries = {};             // The list as it was written.

  bool operator==(const PluginSection&) const = default;
};

struct Generator {
  api::ObjectFacts facts = {};
  std::vector<Latency> latencies = {};
  std::vector<PluginSection> sections = {};

  std::size_t entry_count() const;
};

// Why a generator is refused.
struct Problem {
  std::string reason;   // CamelCase, for the condition.
  std::string message;  // Names the place and what to do.

  bool operator==(const Problem&) const = default;
};

struct GeneratorReading {
  Generator generator = {};
  std::vector<Problem> problems = {};  // Empty: it can be carried out.
};

// Who is asked to carry it out: spec.addOnPlacementSelector.name, ours when it says nothing.
std::string provider_of(const json::Value& object);

// The namespace `cluster` is that of the cluster from which is measured.
GeneratorReading read_generator(const json::Value& object, std::string_view cluster,
                                const AddressRules& rules);

// A plugin's name is a file's name: letters, digits, '-' and '_', no more than 63.
bool is_plugin_name(std::string_view name);

}  // namespace berth::scores
