// ApiServer: the shell around the verbs. One for each I/O loop: it authenticates and authorizes
// requests, answers them from the newest snapshot, hands writes to the store and streams watches.

#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include <boost/unordered/unordered_flat_map.hpp>

#include "apiserver/auth/audit.h"
#include "apiserver/auth/followed_rbac.h"
#include "apiserver/auth/snapshot_objects.h"
#include "apiserver/custom/custom_registry.h"
#include "apiserver/hub_facts.h"
#include "apiserver/paths/served_paths.h"
#include "apiserver/verbs/outcome.h"
#include "apiserver/verbs/view.h"
#include "apiserver/watch/watch_hub.h"
#include "apiserver/watch/watch_stream.h"
#include "base/random.h"
#include "base/strings.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/random.h"
#include "env/scope.h"
#include "http/handler_service.h"
#include "store/store_service.h"

namespace berth::apiserver {

struct ApiLimits {
  std::size_t requests_per_user = 200;  // That wait for their answer, on one loop.
  std::size_t watches_per_user = 5'000;
  store::HistoryBounds history = {};  // For watches and pages that fell behind.
};

// One line for every request that was answered.
using AuditSink = std::function<void(std::string line)>;

class ApiServer final : public http::Handler {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Entropy& entropy;
    env::Log& log;
    env::Metrics& metrics;
  };

  // The store outlives it. `audit` may be empty.
  ApiServer(World world, store::Store& store, std::shared_ptr<const HubFacts> facts,
            ApiLimits limits, AuditSink audit);
  ~ApiServer() override;

  void on_request(http::ServerRequest request, http::Answer answer) override;
  void on_refused(const http::ServerRequest& request, const Error& error,
                  http::Answer answer) override;

  // A request from inside the process, by a user that is already known and allowed. No watches.
  using Performed = std::move_only_function<void(Response)>;
  void perform(ApiRequest request, Performed done);

  // Serves a path of its own: POST only, for those who may. To be said before anything is served.
  using Route = std::function<void(const ApiRequest& request, Performed done)>;
  void add_route(std::string path, Route route) { routes_[std::move(path)] = std::move(route); }

  // The hub has heard from the store: watches from earlier revisions are complete.
  bool is_ready() const { return hub_.has_begun(); }

  // Says that it is not ready any more, and ends all watches. What is under way goes on.
  void prepare_to_stop();

  std::size_t watches() const { return streams_.size(); }

 private:
  struct Exchange;
  using Patience = std::multimap<Instant, std::weak_ptr<Exchange>>;
  struct OpenWatch {
    WatchStream* stream;
    api::Gvr gvr;
  };

  void refresh(const store::Snapshot& snapshot);
  View view();
  Result<User> authenticate(const http::ServerRequest& request);
  Result<User> authenticate_token(const Credentials& credentials,
                                  const store::SnapshotPtr& snapshot);
  const Result<CertificateIdentity>* certificate_of(const http::ServerRequest& request);
  Attempt<void> admit(const http::ServerRequest& request, ApiRequest& parsed, AuditFacts& audit);
  std::shared_ptr<Exchange> begin(ApiRequest request);
  Attempt<void> authorize(const User& user, const Attributes& attributes);

  void run(const std::shared_ptr<Exchange>& exchange);
  void carry_out(const std::shared_ptr<Exchange>& exchange, Outcome outcome);
  void write(const std::shared_ptr<Exchange>& exchange, WriteIntent intent);
  void give_up_late_writes(Instant now);
  void on_written(const std::shared_ptr<Exchange>& exchange);
  void start_watch(const std::shared_ptr<Exchange>& exchange, WatchPlan plan);
  void send(Exchange& exchange, Response response);

  Status shutdown_check() const;
  Status hub_check() const;
  void on_batch(const store::BatchPtr& batch);
  void on_tick();
  void end_unserved_watches();
  void for_each_stream(const std::function<void(const OpenWatch& watch)>& visit);

  World world_;
  store::Store& store_;
  std::shared_ptr<const HubFacts> facts_;
  ApiLimits limits_;
  AuditSink audit_;
  Random random_;
  WatchHub hub_;
  CustomRegistry definitions_;
  ServedPaths paths_;

  std::shared_ptr<const Registry> registry_;
  store::Revision registry_revision_ = 0;
  FollowedRbac rbac_;

  // What client certificates say, by their bytes: read once.
  boost::unordered_flat_map<std::string, Result<CertificateIdentity>, StringHash, std::equal_to<>>
      certificates_;

  // By the header that shows the token.
  struct KnownToken {
    User user;
    store::Revision accounts = 0;  // Of the service accounts, as they were.
    Instant until;
  };
  std::map<std::string, KnownToken, std::less<>> tokens_;

  std::map<std::string, std::size_t, std::less<>> requests_of_;
  std::map<std::string, std::size_t, std::less<>> watches_of_;
  std::map<std::uint64_t, OpenWatch> streams_;  // By the order in which they began.
  std::uint64_t next_stream_ = 0;
  Patience patience_;  // Until when the clients of the writes under way wait.
  std::map<std::string, Route, std::less<>> routes_;
  bool stopping_ = false;
  env::Counter& requests_;
  env::Timer tick_;
  env::Scope scope_;
};

}  // namespace berth::apiserver
