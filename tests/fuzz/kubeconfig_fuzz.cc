#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "client/client_config.h"
#include "client/kubeconfig.h"
#include "json/print.h"

// Whatever a file says, it is understood or refused; what is written reads back the same.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::client;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto config = parse_kubeconfig(text, "/folder/config");
  if (!config.ok()) {
    CHECK(config.error().message.starts_with("/folder/config: "));
    return 0;
  }
  const auto resolved = resolve_config(*config, {});
  if (resolved.ok()) CHECK(!resolved->server.host.empty());
  const berth::json::Value document = document_of(*config);
  const auto again = parse_kubeconfig(berth::json::print(document), "/folder/config");
  CHECK(again.ok());
  CHECK(document_of(*again) == document);
  return 0;
}
