#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "scores/sources/prometheus_query.h"
#include "scores/sources/promql_selectors.h"

// Whatever is taken for a query stays one inside the larger query that is sent, and reads the same
// series there.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::scores;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto selectors = selectors_in(text);
  if (!selectors.ok()) return 0;
  for (const std::string& selector : *selectors) CHECK(text.contains(selector));
  const auto sent = selectors_in(query_text({.promql = std::string(text)}, "cluster"));
  CHECK(sent.ok());
  CHECK(*sent == *selectors);
  return 0;
}
