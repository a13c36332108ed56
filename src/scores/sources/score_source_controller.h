// Turns ScoreSources into AddOnPlacementScores: asks, and writes what is worth a write.
//
//   source, placement, secrets change --> work_source: what to ask, about whom; its status
//   an answer, a score object changes  --> work_score: one cluster's object, at its turn
//
// What follows from an answer is in source_state.h and score_publication.h; this only carries it.

#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/followed_service.h"
#include "control/reconciler_service.h"
#include "control/recorder_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "scores/sources/query_runner_service.h"
#include "scores/sources/source_materials_service.h"
#include "scores/sources/source_state.h"
#include "scores/sources/source_status.h"
#include "scores/sources/write_pacer_service.h"

namespace berth::scores {

struct ScoreSourceOptions {
  RateLimit writes = {.per_second = 20, .burst = 40};  // Of scores, over all sources.
  std::size_t in_work_max = 64;
  Duration status_interval = std::chrono::seconds(60);  // For what only counts on.
};

client::Gvr source_resource();

class ScoreSourceController {
 public:
  // All that is borrowed outlives the controller.
  ScoreSourceController(const env::Env& env, client::Api& api, client::Informers& informers,
                        control::RecorderService& recorder, const control::MayWrite& may_write,
                        ScoreSourceOptions options = {});

  bool has_synced() const { return followed_.has_synced() && materials_.has_synced(); }
  bool is_idle() const { return reconciler_.is_idle(); }

 private:
  enum class Kind : std::uint8_t { Sources, Scores, Clusters, Decisions };

  // A source, or one AddOnPlacementScore.
  struct Key {
    Kind kind = Kind::Sources;
    client::ObjectKey object = {};

    auto operator<=>(const Key&) const = default;
  };

  // A source that exists.
  struct Active {
    std::string uid = {};
    std::optional<Error> refusal = std::nullopt;
    std::optional<Obstacle> obstacle = std::nullopt;
    std::optional<SourceState> state = std::nullopt;  // Unless it is refused.
    EndpointAccess access = {};                       // That the runner was made with.
    std::unique_ptr<QueryRunner> runner = nullptr;    // While nothing keeps it from asking.
    std::set<std::string> taken = {};                 // Clusters whose score is somebody else's.
    std::optional<Instant> status_written = std::nullopt;
  };

  void on_changed(Kind kind, const client::ObjectKey& key);
  void add_sources_of(const std::string& ns);
  void add_scores_of(const Active& active);
  void start_when_synced();

  void work(const Key& key);
  void work_source(const Key& key);
  void retire(const client::ObjectKey& source);
  void refresh(const client::ObjectKey& source, const client::Object& object, Active& active);
  void refresh_clusters(Active& active);
  void refresh_runner(const client::ObjectKey& source, Active& active);
  void on_answer(const client::ObjectKey& source, const ScoreQuery& query,
                 Result<PrometheusAnswer> answer, Time asked);
  void write_status(const Key& key, const client::Object& object, Active& active);
  void on_status_written(const Key& key, const Status& status);

  void work_score(const Key& key);
  Active* find_source(const std::string& uid);
  Active* claimant_of(const client::ObjectKey& score, const Active* owner);
  void publish(const Key& key, const client::Object* object, const Active& active);
  void remove_when_over(const Key& key, const client::Object& object);
  void confirm_orphan(const Key& key, const client::ObjectPtr& object);
  void submit_score(const Key& key, control::Change change);

  env::Env env_;
  client::Api& api_;
  control::RecorderService& recorder_;
  ScoreSourceOptions options_;
  std::map<client::ObjectKey, Active> sources_;
  WritePacer pacer_;
  control::Committer committer_;
  control::Reconciler<Key> reconciler_;
  SourceMaterials materials_;
  control::Followed<Kind> followed_;
  env::Scope scope_;
};

}  // namespace berth::scores
