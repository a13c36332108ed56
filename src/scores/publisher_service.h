// Keeps one AddOnPlacementScore on the hub true, for as long as its provider can vouch for it.

#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"
#include "client/api_service.h"
#include "env/env.h"
#include "env/metrics.h"
#include "env/scope.h"
#include "json/value.h"
#include "scores/hub_clock.h"
#include "scores/publish_timing.h"
#include "scores/score_status.h"

namespace berth::scores {

struct PublisherOptions {
  ScoreObject object;
  PublishTimes times = {};  // Have passed check_publish_times.
  std::string field_manager = "berth-scores";
};

// Asks its provider at every refresh and whenever something may have changed, and writes what
// differs. An outage of the hub only delays it; what it writes afterwards is measured afterwards.
class Publisher {
 public:
  // What is true now. Scores without valid_until hold for the usual time; one that is given is in
  // the hub's time, like `now`.
  using Measure = std::function<Report(Time now)>;

  enum class Demand : std::uint8_t {
    Wanted,
    Unwanted,  // Nobody asks for these scores: the object is not made, one that exists is kept up.
  };

  // Starts at once. The Api outlives the publisher; a call of it should end well within a refresh.
  // Measure is called on the loop and must not destroy the publisher.
  Publisher(const env::Env& env, client::Api& hub, PublisherOptions options, Measure measure);

  // Something may have changed. Cheap: however often it is called, one turn of the loop asks once.
  void on_changed();

  void set_demand(Demand demand);
  void set_owner(
      std::optional<api::OwnerReference> owner);  // Nothing: of objects made from now on.

  // When scores that were measured then were last accepted by the hub.
  std::optional<Instant> last_published() const { return published_at_; }

  // Whether the scores on the hub still hold, as far as we know: for leases and liveness.
  bool is_live() const;

  // What went wrong last while nothing could be written; empty while all is well.
  const std::string& trouble() const { return trouble_; }

  const PublisherOptions& options() const { return options_; }

 private:
  void check();
  void arm();
  void begin();
  void fetch();
  void create();
  void adopt();
  void write();
  void note_time(const json::Value& answer, Instant sent);
  void on_written(const Report& report);
  void on_seen(json::Value object);
  void succeed();
  void rest();
  void fail(const Error& error);
  Report measure() const;
  Time hub_now() const;
  client::ResourcePath path(std::string subresource = {}) const;
  client::PatchOptions patch_options() const;

  env::Env env_;
  client::Api& hub_;
  PublisherOptions options_;
  Measure measure_;
  PublishTiming timing_;
  HubClock clock_;
  std::optional<json::Value> object_ = std::nullopt;  // As last seen on the hub.
  Demand demand_ = Demand::Wanted;
  bool checking_ = false;
  bool busy_ = false;        // A request is under way.
  bool asked_time_ = false;  // What the hub's time is.
  int refetches_ = 0;        // In a row, because the object had changed under our hands.
  std::optional<Instant> published_at_ = std::nullopt;
  Instant live_until_ = Instant::min();
  std::string trouble_ = {};
  env::Counter& writes_;
  env::Counter& failures_;
  env::Gauge& published_gauge_;
  env::Timer timer_ = {};
  env::Scope scope_;
};

}  // namespace berth::scores
