// One open connection with its HTTP session: moves bytes between the two and keeps their time.

#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string_view>

#include "env/clock.h"
#include "env/loop.h"
#include "env/network.h"
#include "env/scope.h"
#include "http/limits.h"
#include "http/session.h"

namespace berth::client {

// Lives on one loop. After any call to session() from outside its handlers, call flush().
class Connection final : public env::StreamHandler {
 public:
  struct World {
    env::Clock& clock;
    env::Loop& loop;
  };

  // `on_change` runs later, on the loop, when streams have become free, the server has said how
  // many there are, or the connection has died: the owner may destroy the connection from inside
  // it.
  Connection(World world, std::unique_ptr<env::Stream> stream, const http::ClientOptions& options,
             std::function<void()> on_change);

  http::ClientSession& session() { return *session_; }
  const http::ClientSession& session() const { return *session_; }
  void flush();

  // No bytes can pass any more.
  bool is_dead() const { return stream_ == nullptr; }

  void on_received(std::string_view bytes) override;
  void on_drained() override;
  void on_ended() override;
  void on_closed(const Status& why) override;

 private:
  // Runs the call on the session, then sends what it produced. Calls from inside handlers are
  // flushed by the outermost one.
  void drive(const std::function<void(Instant)>& call);
  void send_output();
  void close();
  void arm_timer();
  void announce();

  World world_;
  std::unique_ptr<env::Stream> stream_;  // Null once it is closed.
  std::unique_ptr<http::ClientSession> session_;
  std::function<void()> on_change_;
  env::Timer timer_;
  std::optional<Instant> armed_for_;
  bool driving_ = false;
  bool full_ = false;  // The stream has enough to send for now.
  bool paused_ = false;
  bool announced_ = false;
  std::size_t free_announced_ = 0;  // How many streams were free when the owner last heard.
  bool settled_announced_ = false;
  env::Scope scope_;
};

}  // namespace berth::client
