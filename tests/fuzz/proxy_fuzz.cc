// Bytes of any kind as a proxy's URL, and, after a line break, as NO_PROXY.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "http/proxy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::http;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const std::size_t end = std::min(text.find('\n'), text.size());
  const std::string_view no_proxy = text.substr(end);
  if (const auto proxy = parse_proxy(text.substr(0, end)); proxy.ok()) {
    CHECK(!proxy->host.empty() && proxy->port != 0);
    const auto again = parse_proxy(proxy->name());
    CHECK(again.ok());
    CHECK(again->host == proxy->host && again->port == proxy->port);
    goes_direct(no_proxy, proxy->host, proxy->port);
  }
  CHECK(goes_direct(no_proxy, "127.0.0.1", 443));
  goes_direct(no_proxy, "10.1.2.3", 443);
  goes_direct(no_proxy, "2001:db8::1", 443);
  goes_direct(no_proxy, "a.b.example.com", 6443);
  return 0;
}
