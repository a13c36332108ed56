#include "apiserver/objects/list_body.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace berth::apiserver {

ListBody::ListBody(std::string head, std::vector<store::EntryPtr> entries, std::string tail)
    : head_(std::move(head)), entries_(std::move(entries)), tail_(std::move(tail)) {}

http::Pull ListBody::pull(std::span<char> room) {
  std::size_t written = 0;
  while (written < room.size() && !is_over()) {
    const std::string_view rest = piece().substr(sent_);
    const std::size_t bytes = std::min(rest.size(), room.size() - written);
    std::memcpy(room.data() + written, rest.data(), bytes);
    written += bytes;
    sent_ += bytes;
    if (bytes < rest.size()) break;
    ++at_;
    sent_ = 0;
  }
  return {.bytes = written, .state = is_over() ? http::Pull::State::End : http::Pull::State::More};
}

std::string_view ListBody::piece() const {
  if (at_ == 0) return head_;
  const std::size_t after_head = at_ - 1;
  const std::size_t index = after_head / 2;
  if (after_head % 2 == 0 && index < entries_.size()) return entries_[index]->text;
  return index + 1 < entries_.size() ? "," : std::string_view(tail_);
}

bool ListBody::is_over() const {
  const std::size_t commas = entries_.empty() ? 0 : entries_.size() - 1;
  return at_ == entries_.size() + commas + 2;
}

}  // namespace berth::apiserver
