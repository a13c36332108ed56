#include "http/body.h"

#include <algorithm>
#include <cstring>

namespace berth::http {

std::optional<std::string_view> Body::whole() const {
  if (const auto* text = std::get_if<std::string>(&content_)) return *text;
  if (const auto* text = std::get_if<std::shared_ptr<const std::string>>(&content_)) return **text;
  return std::nullopt;
}

std::optional<std::uint64_t> Body::length() const {
  const auto text = whole();
  return text ? std::optional<std::uint64_t>(text->size()) : std::nullopt;
}

Pull Body::pull(std::span<char> room) {
  const auto text = whole();
  if (!text) {
    const Pull pulled = std::get<std::unique_ptr<BodySource>>(content_)->pull(room);
    const bool idle = pulled.state == Pull::State::More && pulled.bytes == 0;
    return idle ? Pull{.bytes = 0, .state = Pull::State::Waiting} : pulled;
  }
  const std::size_t bytes = std::min(room.size(), text->size() - sent_);
  if (bytes > 0) std::memcpy(room.data(), text->data() + sent_, bytes);
  sent_ += bytes;
  return {.bytes = bytes, .state = sent_ == text->size() ? Pull::State::End : Pull::State::More};
}

}  // namespace berth::http
