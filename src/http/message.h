// The parts of an HTTP message that both protocol versions share: method, header fields, heads.

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth::http {

// Other is a well-formed method that Berth has no use for; a router answers it with 405.
enum class Method : std::uint8_t { Get, Head, Post, Put, Patch, Delete, Options, Other };

// "GET" and so on. Other is "OTHER": it is received, never sent.
std::string_view method_name(Method method);
Method method_of_name(std::string_view name);  // Methods are case-sensitive.

// The text that goes with a status in HTTP/1.1; "Status" for one without a name of its own.
std::string_view status_text(int status);

constexpr bool is_informational(int status) { return status >= 100 && status < 200; }
constexpr bool is_redirect(int status) { return status >= 300 && status < 400 && status != 304; }

// Whether a response of that status can carry a body at all (RFC 9110, 6.4.1).
constexpr bool has_body(int status) {
  return !is_informational(status) && status != 204 && status != 304;
}

// Header fields in the order of the message. Names are kept in lower case, as HTTP/2 sends them.
// All text lives in one block, so a message of any size costs two allocations.
class Headers {
 public:
  struct Field {
    std::string_view name;
    std::string_view value;

    bool operator==(const Field&) const = default;
  };

  // `name` must be a token. Control characters in `value` become spaces: a text from elsewhere can
  // then neither end the field nor begin another.
  void add(std::string_view name, std::string_view value);
  void clear();  // Keeps the memory.

  std::size_t size() const { return entries_.size(); }
  bool empty() const { return entries_.empty(); }
  Field operator[](std::size_t index) const;  // Valid until the next add() or clear().

  // The first value of that name, which must be in lower case.
  std::optional<std::string_view> find(std::string_view name) const;
  std::size_t count(std::string_view name) const;

  // What the fields weigh against Limits::header_bytes: text plus 32 bytes each (RFC 7541, 4.1).
  std::size_t weight() const { return text_.size() + kFieldOverhead * entries_.size(); }
  static constexpr std::size_t kFieldOverhead = 32;

  bool operator==(const Headers& other) const;

 private:
  struct Entry {
    std::uint32_t begin;
    std::uint32_t name_size;
    std::uint32_t value_size;
  };

  std::string text_;
  std::vector<Entry> entries_;
};

struct RequestHead {
  Method method = Method::Get;
  std::string target = "/";    // Path and query as on the wire: "/api/v1/pods?limit=5".
  std::string authority = {};  // Host, with the port where it was given.
  Headers headers = {};

  bool operator==(const RequestHead&) const = default;
};

struct ResponseHead {
  int status = 200;
  Headers headers = {};

  bool operator==(const ResponseHead&) const = default;
};

// Whether `text` may be a header's name: a token (RFC 9110, 5.6.2).
bool is_token(std::string_view text);

// Whether `text` may be a header's value: no control characters other than the tab.
bool is_field_value(std::string_view text);

// Whether a comma-separated list (as in Connection) has that element, compared without case.
bool list_contains(std::string_view list, std::string_view element);

}  // namespace berth::http
