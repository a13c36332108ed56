// Body: what follows a head when it is sent. Either there as a whole, or pulled piece by piece from
// a source, so that nothing is produced faster than the peer takes it.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

namespace berth::http {

// What a source says after it was asked for bytes.
struct Pull {
  enum class State : std::uint8_t {
    More,     // There may be more at once.
    Waiting,  // Nothing more now: the owner calls Session::resume() when that changes.
    End,      // The body is complete.
    Failed,   // The body cannot be completed: the stream is reset.
  };

  std::size_t bytes = 0;  // Written into the room that was offered.
  State state = State::End;
};

// The producer of a streamed body, for example a watch. It must not call the session from pull().
class BodySource {
 public:
  virtual ~BodySource() = default;

  // Writes at most room.size() bytes; room is never empty. More with no bytes is taken as Waiting.
  virtual Pull pull(std::span<char> room) = 0;
};

class Body {
 public:
  Body() = default;  // Empty.
  Body(std::string text) : content_(std::move(text)) {}
  Body(const char* text) : content_(std::string(text)) {}
  // Shared text goes out to many peers without a copy for each.
  Body(std::shared_ptr<const std::string> text) : content_(std::move(text)) {}
  Body(std::unique_ptr<BodySource> source) : content_(std::move(source)) {}

  // Its size, if that is known before it is sent.
  std::optional<std::uint64_t> length() const;
  bool empty() const { return length() == 0; }

  // Takes the next bytes, as a source does. After End it must not be called again.
  Pull pull(std::span<char> room);

 private:
  std::optional<std::string_view> whole() const;

  std::variant<std::string, std::shared_ptr<const std::string>, std::unique_ptr<BodySource>>
      content_;
  std::size_t sent_ = 0;  // Of a body that is there as a whole.
};

}  // namespace berth::http
