// Certificate requests (PKCS #10): what an agent sends to get a certificate for its key.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "pki/key.h"
#include "pki/subject.h"

namespace berth::pki {

inline constexpr std::size_t kRequestSizeMax = std::size_t{64} << 10;

// A request whose signature was checked: its maker holds the private key.
struct Request {
  Subject subject;
  AlternativeNames names = {};
  PublicKey key;

  // The first PEM block has to be a "CERTIFICATE REQUEST".
  static Result<Request> from_pem(std::string_view pem);
  static Result<Request> from_der(std::string_view der);
};

// In PEM. Fails on a subject or names that cannot be written.
Result<std::string> make_request(const PrivateKey& key, const Subject& subject,
                                 const AlternativeNames& names = {});

}  // namespace berth::pki
