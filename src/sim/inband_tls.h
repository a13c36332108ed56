// The simulated TLS handshake as bytes of a stream that is already open: for whoever comes through
// a tunnel, where the two ends of a conversation are not the two ends of the encryption.
//
// The client sends its settings, the server answers what introduce() says to them. What follows is
// not encrypted; see sim_tls.h.

#pragma once

#include <memory>
#include <string>

#include "env/network.h"
#include "sim/fabric.h"
#include "sim/sim_stream.h"

namespace berth::sim {

// Both keep themselves alive until their time-out.
class InbandClient final : public env::StreamHandler,
                           public std::enable_shared_from_this<InbandClient> {
 public:
  InbandClient(Fabric& fabric, std::unique_ptr<SimStream> stream, env::SecureOptions options,
               env::Connected done);

  void begin();

  void on_received(std::string_view bytes) override;
  void on_drained() override {}
  void on_ended() override;
  void on_closed(const Status& why) override;

 private:
  void finish(Result<env::Peer> outcome);

  Fabric& fabric_;
  std::unique_ptr<SimStream> stream_;  // Null once it is handed on.
  env::SecureOptions options_;
  env::Connected done_;
  std::string received_;
  std::string unread_;
};

// A peer that says anything else is dropped without a word.
class InbandServer final : public env::StreamHandler,
                           public std::enable_shared_from_this<InbandServer> {
 public:
  using Greeted = std::move_only_function<void(std::unique_ptr<env::Stream>)>;

  struct Terms {
    env::TlsServer tls;
    Duration handshake_timeout;
  };
  InbandServer(Fabric& fabric, std::unique_ptr<SimStream> stream, Terms terms, Greeted greeted);

  void begin();

  void on_received(std::string_view bytes) override;
  void on_drained() override {}
  void on_ended() override { stream_.reset(); }
  void on_closed(const Status&) override { stream_.reset(); }

 private:
  Fabric& fabric_;
  std::unique_ptr<SimStream> stream_;
  Terms terms_;
  Greeted greeted_;
  std::string received_;
};

}  // namespace berth::sim
