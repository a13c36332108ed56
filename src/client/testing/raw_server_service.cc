// Tested by client/hostile_server_test.cc.

#include "client/testing/raw_server_service.h"

#include <utility>

#include "base/check.h"
#include "http/session.h"
#include "http/testing/frames.h"

namespace berth::client::testing {
namespace {

using http::testing::FrameType;

constexpr std::size_t kQueuedMax = 64 * 1024;
constexpr std::size_t kFrameHead = 9;

std::uint8_t number(char c) { return static_cast<std::uint8_t>(c); }

}  // namespace

class RawServer::Peer final : public env::StreamHandler {
 public:
  Peer(RawServer& server, std::unique_ptr<env::Stream> stream)
      : server_(server), stream_(std::move(stream)) {
    h2_ = stream_->peer().protocol == http::alpn_name(http::Protocol::Http2);
    stream_->start(*this);
    if (h2_) stream_->write(http::testing::frame(FrameType::Settings, 0, 0, ""));
  }

  bool is_dead() const { return stream_ == nullptr; }

  void on_received(std::string_view bytes) override {
    received_ += bytes;
    h2_ ? read_frames() : read_requests();
  }
  void on_drained() override { pour(); }
  void on_ended() override { stream_.reset(); }
  void on_closed(const Status&) override { stream_.reset(); }

 private:
  void read_requests() {
    for (std::size_t end; (end = received_.find("\r\n\r\n")) != std::string::npos;) {
      received_.erase(0, end + 4);
      answer(0);
    }
  }

  void read_frames() {
    if (!greeted_ && received_.size() < http::testing::kPreface.size()) return;
    if (!std::exchange(greeted_, true)) received_.erase(0, http::testing::kPreface.size());
    while (received_.size() >= kFrameHead) {
      const std::size_t length =
          number(received_[0]) * 65536u + number(received_[1]) * 256u + number(received_[2]);
      if (received_.size() < kFrameHead + length) return;
      const auto type = static_cast<FrameType>(received_[3]);
      const std::uint32_t stream = number(received_[7]) * 256u + number(received_[8]);
      received_.erase(0, kFrameHead + length);
      if (type == FrameType::Headers) answer(stream);
    }
  }

  void answer(std::uint32_t stream) {
    ++server_.requests_;
    if (!stream_) return;
    answer_ = server_.answering_(stream);
    stream_->write(answer_.first);
    if (answer_.close) return stream_->shutdown_write();
    answer_.pause == Duration::zero() ? pour() : drip();
  }

  void pour() {
    if (answer_.endless.empty() || answer_.pause != Duration::zero()) return;
    while (stream_ && stream_->write(answer_.endless) < kQueuedMax) {
    }
  }

  void drip() {
    if (!stream_) return;
    stream_->write(answer_.endless.substr(dripped_++ % answer_.endless.size(), 1));
    timer_ = env::after(server_.env_.loop, server_.env_.clock, answer_.pause, [this] { drip(); });
  }

  RawServer& server_;
  std::unique_ptr<env::Stream> stream_;
  bool h2_ = false;
  bool greeted_ = false;
  std::string received_;
  RawAnswer answer_;
  std::size_t dripped_ = 0;
  env::Timer timer_;
};

RawServer::RawServer(const env::Env& env, std::optional<env::TlsServer> tls, RawAnswering answering)
    : env_(env), answering_(std::move(answering)) {
  std::vector<env::Seat> seats;
  seats.push_back({&env_.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                     ++connections_;
                     std::erase_if(peers_, [](const auto& peer) { return peer->is_dead(); });
                     peers_.push_back(std::make_unique<Peer>(*this, std::move(stream)));
                   })});
  auto listener = env_.network.listen(
      {.address = {.host = "", .port = 6443}, .tls = std::move(tls)}, std::move(seats));
  CHECK(listener.ok());
  listener_ = *std::move(listener);
}

RawServer::~RawServer() = default;

}  // namespace berth::client::testing
