// Follows a collection without keeping it: whoever listens is told every state and every change,
// and decides what is worth remembering.

#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "client/api_service.h"
#include "client/projection.h"
#include "client/reflector.h"
#include "env/env.h"
#include "env/scope.h"

namespace berth::client {

// For whoever vouches for what he was told. What a watch brings may have been held up on its way,
// and silence may mean anything: so the server is asked every now and then how far it is, and only
// what has been told up to there is known to have been true at that time.
struct FollowerProof {
  Duration every = std::chrono::seconds(10);

  // Then all is read anew. On a quiet watch the server tells how far it is every 60 to 75 seconds.
  Duration age_max = std::chrono::seconds(100);
};

struct FollowerSpec {
  ResourcePath collection;
  Selection selection = {};
  Projection projection = Projection::only({});
  std::optional<FollowerProof> proof = std::nullopt;
};

struct FollowerListener {
  // All objects that there are: at first, and whenever the hub no longer knows what changed since.
  std::function<void(const std::vector<ObjectPtr>&)> on_state;
  std::function<void(const Object&)> on_put;
  std::function<void(const Object&)> on_removed;
};

class Follower final : public WatchListener {
 public:
  // Starts at once. The Api outlives the follower. Listeners are called on the loop, and must not
  // destroy the follower.
  Follower(const env::Env& env, Api& api, FollowerSpec spec, FollowerListener listener);
  ~Follower() override;

  bool has_synced() const { return synced_; }

  // When what was told was last proven to be all that there is. Nothing before the first state;
  // without FollowerProof only states prove anything.
  std::optional<Instant> last_sign() const { return last_sign_; }
  bool is_watching() const { return watching_; }  // A watch is open.

  // What went wrong last while it could not follow; empty while all is well.
  const std::string& trouble() const { return trouble_; }

  void on_opened() override;
  void on_events(std::vector<WatchEvent> events) override;
  void on_closed(const Status& why) override;

 private:
  void react(const Reaction& reaction);
  void tell(const CacheChange& change);
  void proceed(const Step& step);
  void abandon();
  void list(ListOptions options);
  void on_page(Result<json::Value> answer);
  void arm_deadline();
  void begin_proof();
  void ask_how_far();
  void prove();
  void complain(const Error& error);

  env::Env env_;
  Api& api_;
  FollowerSpec spec_;
  FollowerListener listener_;
  Reflector reflector_;
  std::shared_ptr<const protobuf::DecodingPlan> protobuf_;  // Null: JSON.
  std::optional<CallId> call_ = std::nullopt;
  std::string trouble_ = {};
  bool synced_ = false;
  bool watching_ = false;
  Instant asked_ = {};  // When the newest state was asked for.
  std::optional<Instant> last_sign_ = std::nullopt;
  // How far the server was, and when it was asked; in order, only what has not been told yet.
  struct Distance {
    Instant asked;
    std::string version;
  };
  std::deque<Distance> distances_ = {};
  env::Timer timer_ = {};  // A delay, or the deadline of the open watch.
  env::Timer proof_ = {};
  env::Scope scope_;
};

}  // namespace berth::client
