// The way to one server: a pool of connections that opens, fills and drops them as requests come.

#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "client/connection_service.h"
#include "client/dial_service.h"
#include "env/clock.h"
#include "env/log.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "env/tls.h"
#include "http/pool_policy.h"
#include "http/session.h"

namespace berth::client {

// Hears one response: head, body*, end, or a failure at any point. Nothing follows end or failure.
// It may send and cancel from inside; it must not destroy the transport.
class ResponseSink {
 public:
  virtual ~ResponseSink() = default;

  virtual void on_head(const http::ResponseHead& head) = 0;
  virtual void on_body(std::string_view bytes) = 0;
  virtual void on_end() = 0;
  virtual void on_failure(const http::StreamFailure& failure) = 0;
};

using TransferId = std::uint64_t;

struct TransportOptions {
  Route route;
  http::ClientOptions http = {};
  http::PoolLimits pool = {};
};

class Transport {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
    env::Network& network;
    env::Log& log;
  };

  Transport(World world, TransportOptions options);
  ~Transport();

  // Never calls the sink from inside. The sink lives until its last call or its cancellation.
  TransferId send(http::Request request, ResponseSink& sink);
  // The sink hears nothing more. Ids that are over are ignored.
  void cancel(TransferId id);
  void give_up(TransferId id);  // For want of an answer: what comes next may need another way.

  // From now on connections are made like this. Those that are open take no new requests; watches
  // on them are ended, so that they move over.
  void set_tls(env::TlsClient tls);

  std::size_t connections() const { return slots_.size(); }

 private:
  class Transfer;
  struct Slot {
    std::unique_ptr<Dial> dial = nullptr;              // While it is being made,
    std::unique_ptr<Connection> connection = nullptr;  // and afterwards.
    bool draining = false;
  };
  using SlotId = std::uint64_t;

  void schedule_pump();
  void pump();
  void start(Transfer& transfer, SlotId slot);
  void dial();
  void on_connected(SlotId slot, Result<std::unique_ptr<env::Stream>> stream);
  void fail_waiting(const Error& error);
  void drop_dead();
  void finish(TransferId id);
  void end(TransferId id, const std::function<void(http::ClientSession&, http::StreamId)>& how);
  std::vector<http::ConnectionView> views() const;

  World world_;
  TransportOptions options_;
  std::map<SlotId, Slot> slots_;
  std::map<TransferId, std::unique_ptr<Transfer>> transfers_;
  std::deque<TransferId> waiting_;
  std::uint64_t ids_ = 0;
  bool pump_scheduled_ = false;
  env::Scope scope_;
};

}  // namespace berth::client
