// Tested by api_service_test.cc.

#include "client/transport_service.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace berth::client {

// One request on its way. Stands between the session and the sink, so that a cancelled sink is
// never called again.
class Transport::Transfer final : public http::ResponseHandler {
 public:
  Transfer(Transport& transport, TransferId id, http::Request request, ResponseSink& sink)
      : request(std::move(request)), transport_(transport), id_(id), sink_(&sink) {}

  void on_head(http::StreamId, const http::ResponseHead& head) override { sink_->on_head(head); }

  void on_body(http::StreamId stream_id, std::string_view bytes) override {
    // Used up when the call returns. The session outlives this call, the transfer may not.
    http::ClientSession& session = connection->session();
    sink_->on_body(bytes);
    session.release(stream_id, bytes.size());
  }

  void on_end(http::StreamId) override {
    ResponseSink& sink = *sink_;
    transport_.finish(id_);  // Ends this object's life.
    sink.on_end();
  }

  void on_failure(http::StreamId, const http::StreamFailure& failure) override { fail(failure); }

  void fail(const http::StreamFailure& failure) {
    ResponseSink& sink = *sink_;
    const http::StreamFailure copy = failure;
    transport_.finish(id_);
    sink.on_failure(copy);
  }

  http::Request request;             // Moved out when it is started.
  Connection* connection = nullptr;  // Null while it waits.
  http::StreamId stream = 0;

 private:
  Transport& transport_;
  TransferId id_;
  ResponseSink* sink_;
};

Transport::Transport(World world, TransportOptions options)
    : world_(world), options_(std::move(options)) {}

Transport::~Transport() = default;

TransferId Transport::send(http::Request request, ResponseSink& sink) {
  const TransferId id = ++ids_;
  transfers_[id] = std::make_unique<Transfer>(*this, id, std::move(request), sink);
  waiting_.push_back(id);
  schedule_pump();
  return id;
}

void Transport::cancel(TransferId id) {
  end(id, [](http::ClientSession& session, http::StreamId stream) { session.cancel(stream); });
}

void Transport::give_up(TransferId id) {
  end(id, [this](http::ClientSession& session, http::StreamId stream) {
    session.give_up(stream, world_.clock.monotonic());
  });
}

void Transport::end(TransferId id,
                    const std::function<void(http::ClientSession&, http::StreamId)>& how) {
  const auto found = transfers_.find(id);
  if (found == transfers_.end()) return;
  Transfer& transfer = *found->second;
  if (transfer.connection) {
    how(transfer.connection->session(), transfer.stream);
    transfer.connection->flush();
  } else {
    std::erase(waiting_, id);
  }
  transfers_.erase(found);
}

void Transport::set_tls(env::TlsClient tls) {
  options_.route.tls = std::move(tls);
  for (auto& [id, slot] : slots_) {
    slot.draining = true;
    if (!slot.connection) continue;
    slot.connection->session().shutdown(world_.clock.monotonic());
    slot.connection->flush();
  }
}

void Transport::finish(TransferId id) {
  transfers_.erase(id);
  schedule_pump();
}

void Transport::schedule_pump() {
  if (pump_scheduled_) return;
  pump_scheduled_ = true;
  world_.loop.post(scope_.guard([this] {
    pump_scheduled_ = false;
    pump();
  }));
}

std::vector<http::ConnectionView> Transport::views() const {
  std::vector<http::ConnectionView> views;
  views.reserve(slots_.size());
  for (const auto& [id, slot] : slots_) {
    http::ConnectionView view{.state = http::ConnectionView::State::Connecting};
    if (slot.draining) {
      view.state = http::ConnectionView::State::Draining;
    } else if (slot.connection) {
      const http::ClientSession& session = slot.connection->session();
      view = {.state = http::ConnectionView::State::Ready,
              .protocol = session.protocol(),
              .free_streams = session.free_streams(),
              .settled = session.settled()};
    }
    views.push_back(view);
  }
  return views;
}

void Transport::pump() {
  drop_dead();
  std::deque<TransferId> waiting = std::exchange(waiting_, {});
  while (!waiting.empty()) {
    const TransferId id = waiting.front();
    waiting.pop_front();
    const auto found = transfers_.find(id);
    if (found == transfers_.end()) continue;  // Cancelled by a sink that heard of another's end.
    Transfer& transfer = *found->second;
    const http::PoolDemand demand{.kind = transfer.request.kind, .queued_before = waiting_.size()};
    const http::PoolChoice choice = http::choose_connection(views(), demand, options_.pool);
    if (choice.action == http::PoolChoice::Action::Use) {
      start(transfer,
            std::next(slots_.begin(), static_cast<std::ptrdiff_t>(choice.connection))->first);
      continue;
    }
    if (choice.action == http::PoolChoice::Action::Open) dial();
    waiting_.push_back(id);
  }
}

void Transport::start(Transfer& transfer, SlotId slot) {
  Connection& connection = *slots_.at(slot).connection;
  transfer.connection = &connection;
  auto stream =
      connection.session().start(std::move(transfer.request), transfer, world_.clock.monotonic());
  if (stream.ok()) {
    transfer.stream = *stream;
    connection.flush();
  } else {
    transfer.fail({.error = stream.error(), .processed = http::Processed::No});
  }
}

void Transport::dial() {
  const SlotId slot = ++ids_;
  slots_[slot].dial =
      std::make_unique<Dial>(Dial::World{world_.clock, world_.loop, world_.network}, options_.route,
                             [this, slot](Result<std::unique_ptr<env::Stream>> stream) {
                               on_connected(slot, std::move(stream));
                             });
}

void Transport::on_connected(SlotId slot, Result<std::unique_ptr<env::Stream>> stream) {
  const auto dial = std::move(slots_.at(slot).dial);
  const bool outdated = slots_.at(slot).draining;  // Made with settings that have changed since.
  if (!stream.ok() || outdated) {
    slots_.erase(slot);
    if (!stream.ok()) {
      world_.log.warn("client.connect_failed", {{"server", env::to_string(options_.route.server)},
                                                {"error", stream.error().message}});
      fail_waiting(stream.error());
    }
    return schedule_pump();
  }
  slots_.at(slot).connection =
      std::make_unique<Connection>(Connection::World{world_.clock, world_.loop}, *std::move(stream),
                                   options_.http, [this] { schedule_pump(); });
  schedule_pump();
}

// A server that cannot be reached: whoever waits hears it, and decides whether to try again.
void Transport::fail_waiting(const Error& error) {
  const bool another_way =
      std::ranges::any_of(slots_, [](const auto& entry) { return !entry.second.draining; });
  if (another_way) return;
  const std::deque<TransferId> waiting = std::exchange(waiting_, {});
  for (const TransferId id : waiting) {
    const auto found = transfers_.find(id);
    if (found == transfers_.end()) continue;
    found->second->fail({.error = error, .processed = http::Processed::No});
  }
}

void Transport::drop_dead() {
  std::erase_if(slots_, [](const auto& entry) {
    return entry.second.connection && entry.second.connection->is_dead();
  });
}

}  // namespace berth::client
