#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "pki/authority.h"
#include "pki/request.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  static const auto authority =
      pki::Authority::make("fuzz", Time::from_unix(1'800'000'000), std::chrono::hours(1));
  for (const auto& request : {pki::Request::from_pem(bytes), pki::Request::from_der(bytes)}) {
    if (!request.ok()) continue;
    // What can be read can be signed, unless its names cannot be written; and then says the same.
    const auto certificate =
        pki::sign_request(authority, *request, {"client auth"},
                          {.now = Time::from_unix(1'800'000'000), .life = std::chrono::hours(1)});
    if (!certificate.ok()) continue;
    CHECK(certificate->subject == request->subject);
    CHECK(certificate->names == request->names);
    CHECK(!certificate->is_authority);
  }
  return 0;
}
