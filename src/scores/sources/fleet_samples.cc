#include "scores/sources/fleet_samples.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>

#include "api/labels.h"
#include "scores/sources/prometheus_query.h"

namespace berth::scores {
namespace {

// Seconds since 1970, up to the end of the calendar.
std::optional<Time> time_of(double seconds) {
  const bool possible =
      seconds > 0 && seconds < static_cast<double>(Time::max().unix_seconds());  // No NaN either.
  if (!possible) return std::nullopt;
  const double whole = std::floor(seconds);
  return Time::from_unix(static_cast<std::int64_t>(whole),
                         static_cast<std::int32_t>((seconds - whole) * 1e9));
}

// The oldest sample of every cluster, by what the label holds.
std::map<std::string, Time> oldest_samples(std::span<const Series> all, Time now) {
  std::map<std::string, Time> oldest;
  for (const Series& series : all) {
    if (!series.part.starts_with(kTimePart)) continue;
    const auto sampled = time_of(series.number);
    if (!sampled) continue;
    // A clock that runs ahead must not make scores hold for longer.
    const Time known = std::min(*sampled, now);
    const auto [entry, is_new] = oldest.emplace(series.cluster, known);
    if (!is_new) entry->second = std::min(entry->second, known);
  }
  return oldest;
}

}  // namespace

ClusterNames names_by_name(const std::set<std::string>& clusters) {
  ClusterNames names;
  for (const std::string& cluster : clusters) names.by_label.emplace(cluster, cluster);
  return names;
}

ClusterNames names_by_claim(std::span<const api::ManagedCluster> clusters,
                            const std::string& claim) {
  ClusterNames names;
  for (const api::ManagedCluster& cluster : clusters) {
    const auto value = api::Labels(cluster.claims).find(claim);
    if (!value || value->empty()) continue;
    const auto [entry, is_new] = names.by_label.emplace(*value, cluster.facts.name);
    if (is_new) continue;
    names.ambiguous.insert(entry->second);
    names.ambiguous.insert(cluster.facts.name);
  }
  return names;
}

FleetSamples match_series(std::span<const Series> series, const ClusterNames& names, Time now) {
  FleetSamples samples;
  const std::map<std::string, Time> sampled = oldest_samples(series, now);
  std::set<std::string> seen;
  for (const Series& one : series) {
    if (one.part != kValuePart) continue;
    ++samples.series;
    const auto name = names.by_label.find(one.cluster);
    if (name == names.by_label.end()) {
      ++samples.unknown;
      continue;
    }
    const std::string& cluster = name->second;
    if (!seen.insert(cluster).second || names.ambiguous.contains(cluster)) {
      samples.duplicates.insert(cluster);
      continue;
    }
    const auto time = sampled.find(one.cluster);
    if (!std::isfinite(one.number)) {
      ++samples.rejected;
    } else if (time == sampled.end()) {
      ++samples.undated;
    } else {
      samples.clusters[cluster] = {.number = one.number, .sampled = time->second};
    }
  }
  for (const std::string& cluster : samples.duplicates) samples.clusters.erase(cluster);
  return samples;
}

}  // namespace berth::scores
