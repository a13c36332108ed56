#include "pki/openssl.h"

#include <array>
#include <ctime>

#include <openssl/err.h>

namespace berth::pki {

Error openssl_error(std::string_view what) {
  std::array<char, 256> reason{};
  const unsigned long code = ERR_peek_error();
  if (code != 0) ERR_error_string_n(code, reason.data(), reason.size());
  ERR_clear_error();
  std::string message(what);
  if (code != 0) message.append(": ").append(reason.data());
  return {.code = Code::BadRequest, .message = std::move(message)};
}

Result<Time> read_asn1_time(const ASN1_TIME* moment) {
  std::tm parts{};
  if (moment == nullptr || ASN1_TIME_to_tm(moment, &parts) != 1) {
    return failure(openssl_error("a time in a certificate cannot be read"));
  }
  return Time::from_unix(timegm(&parts));
}

}  // namespace berth::pki
