#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "pki/jwt.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace berth;
  const std::string_view token(reinterpret_cast<const char*>(data), size);
  static const auto key = pki::PrivateKey::generate();
  const auto unverified = pki::UnverifiedJwt::parse(token);
  // Nobody guesses the key.
  CHECK(!pki::verify_jwt(token, {key.public_key()}).ok());
  if (unverified.ok()) {
    const auto verified =
        pki::verify_jwt(pki::sign_jwt(key, unverified->claims), {key.public_key()});
    // Signing may make the token too long to read.
    if (verified.ok()) CHECK(*verified == unverified->claims);
  }
  return 0;
}
