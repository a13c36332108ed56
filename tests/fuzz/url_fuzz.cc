#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/url.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  if (const auto url = parse_url(text); url.ok()) {
    const auto again = parse_url(url->text());
    CHECK(again.ok());
    CHECK(again->text() == url->text());
    CHECK(again->host == url->host);
    CHECK(again->port_or_default() == url->port_or_default());
  }
  if (const auto items = parse_query(text); items.ok()) {
    CHECK(parse_query(build_query(*items)).value() == *items);
  }
  if (const auto segments = split_path(text); segments.ok()) {
    for (const auto& segment : *segments) CHECK(!segment.empty() && segment != "..");
  }
  return 0;
}
