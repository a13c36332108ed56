#include "apiserver/requests/continue_token.h"

#include <algorithm>

#include "base/base64.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kForm = "meta.k8s.io/v1";

// The alphabet of URLs, without padding.
std::string to_url_alphabet(std::string text) {
  std::ranges::replace(text, '+', '-');
  std::ranges::replace(text, '/', '_');
  text.erase(text.find_last_not_of('=') + 1);
  return text;
}

std::string from_url_alphabet(std::string_view encoded) {
  std::string text(encoded);
  std::ranges::replace(text, '-', '+');
  std::ranges::replace(text, '_', '/');
  text.append((4 - text.size() % 4) % 4, '=');
  return text;
}

std::unexpected<Error> not_valid(std::string_view why) {
  return failure(Code::BadRequest, "continue key is not valid: " + std::string(why));
}

// A key that begins somewhere else than it says would leave its collection.
bool is_clean(std::string_view key) {
  const auto parts = split(key, '/');
  return std::ranges::none_of(parts,
                              [](std::string_view part) { return part == "." || part == ".."; });
}

}  // namespace

std::string encode_continue(const ContinueToken& token, std::string_view prefix) {
  const json::Value document =
      json::Value::object({{"v", kForm},
                           {"rv", token.revision},
                           {"start", std::string_view(token.start).substr(prefix.size())}});
  return to_url_alphabet(encode_base64(json::print(document)));
}

Result<ContinueToken> decode_continue(std::string_view text, std::string_view prefix) {
  const auto decoded = decode_base64(from_url_alphabet(text));
  if (!decoded.ok()) return not_valid(decoded.error().message);
  const auto document = json::parse(*decoded, {.depth_max = 4});
  if (!document.ok()) return not_valid(document.error().message);
  const json::Value* form = document->find("v");
  if (!form || form->string_or_empty() != kForm) {
    return not_valid("server does not recognize this encoded version");
  }
  const json::Value* revision = document->find("rv");
  const auto number = revision ? revision->as_int() : std::nullopt;
  if (!number || *number == 0 || *number < -1)
    return not_valid("incorrect encoded start resourceVersion");
  const json::Value* start = document->find("start");
  if (!start || start->string_or_empty().empty()) return not_valid("start key is empty");
  if (!is_clean(start->string_or_empty())) return not_valid(start->string_or_empty());
  return ContinueToken{.revision = *number,
                       .start = std::string(prefix) + std::string(start->string_or_empty())};
}

}  // namespace berth::apiserver
