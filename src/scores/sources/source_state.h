// All that is known about one ScoreSource: its clusters, what its queries were answered, and the
// scores that follow. Pure: answers and times are told to it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "scores/sources/fleet_samples.h"
#include "scores/sources/prometheus_answer.h"
#include "scores/sources/score_publication.h"
#include "scores/sources/score_source.h"

namespace berth::scores {

// What became of one query.
struct QueryOutcome {
  std::optional<Time> last_success = std::nullopt;
  std::string last_error = {};  // Since then; empty: none.
  std::string warning = {};     // Of the last answer.
  FleetSamples samples = {};    // Of the last answer, without its measurements.
  std::size_t stale = 0;        // Numbers in it whose samples were too old,
  std::size_t scored = 0;       // and clusters that got a score.
};

class SourceState {
 public:
  explicit SourceState(ScoreSource source);

  const ScoreSource& source() const { return source_; }

  // The object has changed in a way that makes no difference to what is asked.
  void set_facts(api::ObjectFacts facts) { source_.facts = std::move(facts); }

  // The clusters that the Placement selects. Those of which no ManagedCluster is known are in no
  // series. What is known about clusters that left is forgotten; those that came are looked up in
  // the last answers. Whether anything is different now.
  bool set_clusters(const std::set<std::string>& selected,
                    std::span<const api::ManagedCluster> clusters);
  const std::set<std::string>& clusters() const { return selected_; }

  // The answer to that query, which was evaluated at `now`. A sample that is older than the one
  // known changes nothing: replicas may lag behind each other.
  void take(const ScoreQuery& query, Result<PrometheusAnswer> answer, Time now);

  const QueryOutcome& outcome(std::string_view score_name) const;

  // What to publish for one of clusters().
  Publication publication(const std::string& cluster) const;

  // How many clusters have a score that holds at that time.
  std::size_t scored(Time now) const;

 private:
  struct Entry {
    std::int32_t value = 0;
    Time sampled = {};
  };
  struct Answer {
    std::vector<Series> series = {};
    std::string warning = {};
    Time asked = {};
  };

  void evaluate(const ScoreQuery& query, const Answer& answer);

  ScoreSource source_;
  std::set<std::string> selected_;
  ClusterNames names_;
  std::map<std::string, std::map<std::string, Entry>> entries_;  // By cluster and score.
  std::map<std::string, QueryOutcome, std::less<>> outcomes_;    // By score.
  std::map<std::string, Answer> answers_;                        // The last good ones, by score.
};

}  // namespace berth::scores
