#include <cstddef>
#include <cstdint>
#include <string_view>

#include "apiserver/requests/continue_token.h"
#include "base/check.h"

// A token leads nowhere outside of its list, and what is read back is what was meant.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::apiserver;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const std::string_view prefix : {"", "team/"}) {
    const auto token = decode_continue(text, prefix);
    if (!token.ok()) {
      CHECK(token.error().code == berth::Code::BadRequest);
      continue;
    }
    CHECK(token->start.starts_with(prefix) && token->start.size() > prefix.size());
    CHECK(token->revision == -1 || token->revision > 0);
    const auto again = decode_continue(encode_continue(*token, prefix), prefix);
    CHECK(again.ok() && again->revision == token->revision && again->start == token->start);
  }
  return 0;
}
