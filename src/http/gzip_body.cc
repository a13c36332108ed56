#include "http/gzip_body.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "base/check.h"

namespace berth::http {
namespace {

constexpr std::size_t kPiece = 16 * 1024;

}  // namespace

GzipBody::GzipBody(Body body) : body_(std::move(body)) {}

Pull GzipBody::pull(std::span<char> room) {
  std::size_t written = 0;
  while (written < room.size()) {
    if (sent_ == packed_.size()) {
      if (complete_) break;
      if (pack() == Pull::State::Failed) return {.bytes = 0, .state = Pull::State::Failed};
      continue;
    }
    const std::size_t bytes = std::min(room.size() - written, packed_.size() - sent_);
    std::memcpy(room.data() + written, packed_.data() + sent_, bytes);
    written += bytes;
    sent_ += bytes;
  }
  const bool is_over = complete_ && sent_ == packed_.size();
  return {.bytes = written, .state = is_over ? Pull::State::End : Pull::State::More};
}

// Takes up the next piece; often nothing comes of it yet.
Pull::State GzipBody::pack() {
  std::array<char, kPiece> piece;
  const Pull pulled = body_.pull(piece);
  CHECK(pulled.state != Pull::State::Waiting);
  if (pulled.state == Pull::State::Failed) return pulled.state;
  packed_ = encoder_.encode({piece.data(), pulled.bytes});
  sent_ = 0;
  if (pulled.state == Pull::State::End) {
    packed_ += encoder_.finish();
    complete_ = true;
  }
  return pulled.state;
}

}  // namespace berth::http
