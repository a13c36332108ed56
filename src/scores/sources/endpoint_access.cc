#include "scores/sources/endpoint_access.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "base/base64.h"
#include "base/strings.h"

namespace berth::scores {
namespace {

constexpr std::size_t kTokenBytesMax = 16 * 1024;

std::string_view name_of(MaterialRef::Kind kind) {
  return kind == MaterialRef::Kind::Secret ? "Secret" : "ConfigMap";
}

std::unexpected<Error> missing(const MaterialRef& reference, std::string_view what) {
  return failure(Code::NotFound,
                 fmt::format("{} {}: {}", name_of(reference.kind), reference.name, what));
}

Result<std::string> read(const MaterialRef& reference, const FindMaterial& find) {
  const json::Value* object = find(reference.kind, reference.name);
  if (!object) {
    return missing(reference, fmt::format("there is none with the label {}=true in the namespace "
                                          "of the source",
                                          kSourceMaterialLabel));
  }
  const bool is_secret = reference.kind == MaterialRef::Kind::Secret;
  const json::Value& data = api::field(*object, "data");
  std::string text = api::text_field(data, reference.key);
  const bool is_binary = is_secret || text.empty();
  if (!is_secret && is_binary) {
    text = api::text_field(api::field(*object, "binaryData"), reference.key);
  }
  if (text.empty()) return missing(reference, fmt::format("has no {}", quote(reference.key)));
  if (!is_binary) return text;
  auto decoded = decode_base64(text);
  if (!decoded.ok()) {
    return missing(reference, fmt::format("{} is not base64", quote(reference.key)));
  }
  return decoded;
}

// A token goes into a header: one line of visible characters.
Result<std::string> read_token(const MaterialRef& reference, const FindMaterial& find) {
  ASSIGN_OR_RETURN(const std::string text, read(reference, find));
  std::string token(trim(text));
  const bool fits = !token.empty() && token.size() <= kTokenBytesMax &&
                    std::ranges::all_of(token, [](char c) { return c > ' ' && c < '\x7f'; });
  if (!fits) {
    return missing(reference, fmt::format("{} is no token: one line of visible characters is",
                                          quote(reference.key)));
  }
  return token;
}

}  // namespace

Result<EndpointAccess> read_access(const Endpoint& endpoint, const FindMaterial& find) {
  EndpointAccess access{.authorities_pem = endpoint.authorities_pem};
  if (endpoint.token) {
    ASSIGN_OR_RETURN(access.token, read_token(*endpoint.token, find));
  }
  if (endpoint.authorities) {
    ASSIGN_OR_RETURN(access.authorities_pem, read(*endpoint.authorities, find));
  }
  if (!endpoint.client_certificate_secret.empty()) {
    MaterialRef reference{.name = endpoint.client_certificate_secret, .key = "tls.crt"};
    ASSIGN_OR_RETURN(access.certificates_pem, read(reference, find));
    reference.key = "tls.key";
    ASSIGN_OR_RETURN(access.key_pem, read(reference, find));
  }
  return access;
}

}  // namespace berth::scores
