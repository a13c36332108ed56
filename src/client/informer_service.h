// A cache of one collection that follows its server, and tells its handlers what changes.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "client/api_service.h"
#include "client/informer.h"
#include "client/informer_metrics_service.h"
#include "client/projection.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/metrics.h"
#include "env/scope.h"

namespace berth::client {

// How a server may send what changes.
enum class WireFormat : std::uint8_t {
  Compact,  // As protobuf if we know the kind's messages and the server has it; else as JSON.
  Json,
};

struct InformerSpec {
  ResourcePath collection;
  Selection selection = {};
  Projection projection = Projection::everything();
  std::vector<Index> indexes = {};
  ReflectorOptions reflector = {};
  WireFormat wire = WireFormat::Compact;
  Duration resync = Duration::zero();  // How often handlers hear of everything again; 0: never.
};

using DeltaHandler = std::move_only_function<void(const Delta&)>;
using HandlerId = std::uint64_t;

class InformerService final : public WatchListener {
 public:
  // The Api outlives the service.
  InformerService(const env::Env& env, Api& api, InformerSpec spec);
  ~InformerService() override;

  void start();

  // The handler hears every object that is there, then every change, in order, one at a time, on
  // the loop; the store is always at least as new as what it hears. It may do what it likes, except
  // destroy the service.
  HandlerId add_handler(DeltaHandler handler);
  void remove_handler(HandlerId id);

  const Store& store() const { return informer_.store(); }
  const std::string& last_version() const { return informer_.reflector().last_version(); }

  // Whether the first state is in the store; whether that handler has heard all of it.
  bool has_synced() const { return informer_.has_synced(); }
  bool has_synced(HandlerId id) const;

  // Runs the task once the first state is in the store; once the store shows what a write was
  // answered with. Later, on the loop.
  void when_synced(env::Task task);
  void when_reached(std::string resource_version, env::Task task);

  // How often that has happened since the start.
  std::uint64_t count(Incident incident) const;

  // What it is waiting for now, for messages.
  std::string_view waits_for() const { return informer_.reflector().waits_for(); }

  // What went wrong last while it could not follow; empty while all is well.
  const std::string& trouble() const { return trouble_; }

  void on_opened() override;
  void on_events(std::vector<WatchEvent> events) override;
  void on_closed(const Status& why) override;

 private:
  struct Handler {
    DeltaHandler handle;
    std::deque<Delta> queue = {};
    bool scheduled = false;
    bool synced = false;           // Has heard the whole first state.
    std::size_t until_synced = 0;  // How many deltas of it are still in the queue.
  };

  void react(InformerReaction reaction);
  void follow(const Step& step);
  void abandon();
  void list(const ListOptions& options);
  void on_page(Result<json::Value> page);
  void arm_deadline();
  void schedule(HandlerId id);
  void deliver(HandlerId id);
  void release_waiters();
  void arm_resync();
  void note(Incident incident);
  void measure();
  void begin_watch(WatchOptions options);
  void end_watch();
  void arm_patience();
  void complain(const Error& error);
  void distrust_protobuf(const Error& error);

  env::Env env_;
  Api& api_;
  InformerSpec spec_;
  Informer informer_;
  std::map<HandlerId, Handler> handlers_;
  HandlerId ids_ = 0;
  std::shared_ptr<const protobuf::DecodingPlan> protobuf_;  // Null: JSON is all that we can read.
  std::optional<CallId> call_ = std::nullopt;
  std::vector<std::pair<std::string, env::Task>> waiters_ = {};  // "" waits for the first state.
  std::map<Incident, std::uint64_t> incidents_ = {};
  std::string trouble_ = {};
  InformerMetrics metrics_;
  Instant started_{};         // The whole.
  Instant request_began_{};   // The list, from its first page, or the watch.
  std::size_t received_ = 0;  // Objects of that list, or events of that watch.
  bool watching_ = false;
  env::Timer patience_ = {};  // Until the first state has taken suspiciously long.
  env::Timer timer_ = {};     // A delay, or the deadline of the open watch.
  env::Timer resync_ = {};
  env::Scope scope_;
};

}  // namespace berth::client
