#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "pki/certificate.h"
#include "pki/pem.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth::pki;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto certificate = Certificate::from_der(bytes); certificate.ok()) {
    const auto again = Certificate::from_pem(certificate->pem());
    CHECK(again.ok());
    CHECK(again->subject == certificate->subject);
    CHECK(again->names == certificate->names);
    // A key may be of a kind that we refuse.
    if (const auto key = certificate->public_key(); key.ok()) {
      (void)verify_issued_by(*certificate, *certificate, certificate->not_before).ok();
    }
  }
  if (const auto blocks = parse_pem(bytes); blocks.ok()) {
    for (const PemBlock& block : *blocks) {
      const auto again = parse_pem(encode_pem(block.label, block.bytes));
      CHECK(again.ok() && again->size() == 1 && again->front().bytes == block.bytes);
    }
  }
  (void)parse_certificates(bytes).ok();
  (void)PrivateKey::from_pem(bytes).ok();
  return 0;
}
