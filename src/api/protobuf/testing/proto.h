// Writes protobuf messages field by field, for tests: Proto().text(1, "name").message(2,
// Proto()...).

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace berth::api::testing {

class Proto {
 public:
  Proto& number(std::uint32_t field, std::uint64_t value);
  Proto& text(std::uint32_t field, std::string_view value);
  Proto& message(std::uint32_t field, const Proto& value) { return text(field, value.bytes()); }
  Proto& entry(std::uint32_t field, std::string_view name, std::string_view value);  // Of a map.

  const std::string& bytes() const { return bytes_; }

 private:
  void varint(std::uint64_t value);

  std::string bytes_ = {};
};

}  // namespace berth::api::testing
