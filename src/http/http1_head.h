// HTTP/1.1 heads (RFC 9112): finding their end, reading and writing them. Strict where leniency has
// let requests be smuggled past somebody: lines end in CRLF only (Go also takes a bare LF), folded
// lines, two lengths, or a length beside a transfer-encoding are refused.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"
#include "http/body.h"
#include "http/limits.h"
#include "http/message.h"
#include "http/output_buffer.h"

namespace berth::http {

// Finds the end of a head that arrives in pieces, looking at every byte once.
class HeadScanner {
 public:
  // `text` is all that has arrived since the head's first byte. The size of the head with its empty
  // line; nullopt while that has not come. Too large a head is RequestEntityTooLarge.
  Result<std::optional<std::size_t>> scan(std::string_view text, const Limits& limits);

  void reset() { *this = {}; }

 private:
  std::size_t scanned_ = 0;
  std::size_t line_begin_ = 0;
};

// How the end of a received body is found.
struct BodyFraming {
  enum class Kind : std::uint8_t { None, Length, Chunked, UntilClose };

  Kind kind = Kind::None;
  std::uint64_t length = 0;

  bool operator==(const BodyFraming&) const = default;
};

struct Http1Request {
  RequestHead head = {};
  BodyFraming framing = {};
  bool is_http10 = false;
  bool keep_alive = true;
  bool expects_continue = false;
};

struct Http1Response {
  ResponseHead head = {};
  BodyFraming framing = {};
  bool keep_alive = true;
};

// `text` is a whole head as HeadScanner found it. Errors: RequestEntityTooLarge for too many
// fields or too long a target, BadRequest for everything else.
Result<Http1Request> parse_http1_request(std::string_view text, const Limits& limits);

// `request` is the method that is answered: a response to HEAD has no body.
Result<Http1Response> parse_http1_response(std::string_view text, Method request,
                                           const Limits& limits);

// How a body that is sent tells its end.
enum class SentFraming : std::uint8_t { None, Length, Chunked, UntilClose };

struct SentBody {
  SentFraming framing = SentFraming::None;
  std::uint64_t length = 0;
};

enum class Persistence : std::uint8_t { KeepAlive, Close };

void write_http1_request(const RequestHead& head, const SentBody& body, OutputBuffer& out);
void write_http1_response(const ResponseHead& head, const SentBody& body, Persistence persistence,
                          OutputBuffer& out);

// Pulls one piece of a body into the output, framed. At most `bytes_max` bytes of the body.
Pull write_http1_body(Body& body, SentFraming framing, std::size_t bytes_max, OutputBuffer& out);

// Whether a field belongs to the connection and not to the message. Sessions write these
// themselves.
bool is_connection_field(std::string_view name);

}  // namespace berth::http
