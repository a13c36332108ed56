#include "client/watch_decoder.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::client {
namespace {

bool is_space(char byte) { return byte == ' ' || byte == '\n' || byte == '\r' || byte == '\t'; }

Error bad_event(std::string problem) {
  return {.code = Code::InternalError,
          .message = fmt::format("the watch sent a bad event: {}", problem)};
}

}  // namespace

std::optional<WatchEvent::Type> event_type(std::string_view name) {
  if (name == "ADDED") return WatchEvent::Type::Added;
  if (name == "MODIFIED") return WatchEvent::Type::Modified;
  if (name == "DELETED") return WatchEvent::Type::Deleted;
  if (name == "BOOKMARK") return WatchEvent::Type::Bookmark;
  if (name == "ERROR") return WatchEvent::Type::Error;
  return std::nullopt;
}

std::size_t WatchDecoder::scan(std::string_view bytes) {
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    const char byte = bytes[at];
    if (state_ == State::InEscape) {
      state_ = State::InString;
    } else if (state_ == State::InString) {
      at = std::min(bytes.find_first_of("\"\\", at), bytes.size());
      if (at == bytes.size()) break;
      state_ = bytes[at] == '"' ? State::Inside : State::InEscape;
    } else if (byte == '"') {
      state_ = State::InString;
    } else if (byte == '{' || byte == '[') {
      ++depth_;
    } else if (byte == '}' || byte == ']') {
      if (--depth_ == 0) {
        state_ = State::Between;
        return at + 1;
      }
    }
  }
  return bytes.size();
}

DecodedEvents WatchDecoder::feed(std::string_view bytes) {
  DecodedEvents result;
  // Not kept: between events, a watch at rest would hold many times what it waits for.
  json::Parser parser;
  while (!bytes.empty() && state_ != State::Failed) {
    if (state_ == State::Between) {
      const std::size_t start =
          static_cast<std::size_t>(std::ranges::find_if_not(bytes, is_space) - bytes.begin());
      bytes.remove_prefix(start);
      if (bytes.empty()) break;
      if (bytes[0] != '{') {
        fail(result, bad_event(fmt::format("expected '{{', found {}", quote(bytes.substr(0, 1)))));
        break;
      }
      state_ = State::Inside;
      depth_ = 0;
    }
    const std::string_view piece = bytes.substr(0, scan(bytes));
    bytes.remove_prefix(piece.size());
    if (partial_.size() + piece.size() > event_bytes_max_) {
      fail(result,
           {.code = Code::RequestEntityTooLarge,
            .message = fmt::format("an event of the watch exceeds {} bytes", event_bytes_max_)});
      break;
    }
    const bool complete = state_ == State::Between;
    if (!complete || !partial_.empty()) partial_ += piece;
    if (!complete) break;
    auto event = decode(parser, partial_.empty() ? piece : std::string_view(partial_));
    partial_ = {};
    if (!event.ok()) {
      fail(result, std::move(event).error());
    } else {
      result.events.push_back(std::move(*event));
    }
  }
  return result;
}

Result<WatchEvent> WatchDecoder::decode(json::Parser& parser, std::string_view text) {
  auto document = parser.parse(text);
  if (!document.ok()) return failure(bad_event(document.error().message));
  const json::Value* name = document->find("type");
  const auto type = name ? event_type(name->string_or_empty()) : std::nullopt;
  if (!type) {
    return failure(bad_event(name ? fmt::format("unknown type {}", quote(name->string_or_empty()))
                                  : std::string("it has no type")));
  }
  json::Value* object = document->find("object");
  if (!object || !object->is_object()) return failure(bad_event("it has no object"));
  return WatchEvent{.type = *type, .object = std::move(*object)};
}

void WatchDecoder::fail(DecodedEvents& result, Error error) {
  state_ = State::Failed;
  partial_ = {};
  result.failure = std::move(error);
}

}  // namespace berth::client
