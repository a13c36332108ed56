// A stream of the simulated network: one side of a conversation.

#pragma once

#include <memory>
#include <utility>

#include "env/network.h"
#include "sim/conversation.h"

namespace berth::sim {

class SimStream final : public env::Stream {
 public:
  SimStream(std::shared_ptr<Conversation> conversation, Conversation::Side side,
            std::shared_ptr<void> ticket)
      : conversation_(std::move(conversation)), side_(side), ticket_(std::move(ticket)) {}
  ~SimStream() override { conversation_->abandon(side_); }

  void start(env::StreamHandler& handler) override { conversation_->start(side_, handler); }
  std::size_t write(std::string_view bytes) override { return conversation_->write(side_, bytes); }
  void pause_reading() override { conversation_->pause(side_); }
  void resume_reading() override { conversation_->resume(side_); }
  void shutdown_write() override { conversation_->shut_down(side_); }
  const env::Peer& peer() const override { return conversation_->peer(side_); }

  const std::shared_ptr<SimLoop>& loop() const { return conversation_->loop(side_); }
  void detach(env::Peer peer, std::string_view unread) {
    conversation_->detach(side_, std::move(peer), unread);
  }

 private:
  std::shared_ptr<Conversation> conversation_;
  Conversation::Side side_;
  std::shared_ptr<void> ticket_;  // Its place in the listener's limit.
};

}  // namespace berth::sim
