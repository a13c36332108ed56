#include "http/client_rules.h"

#include <algorithm>
#include <string>

#include "base/strings.h"

namespace berth::http {
namespace {

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

}  // namespace

Status check_request(const RequestHead& head) {
  if (head.method == Method::Other) return failure(Code::BadRequest, "HTTP: unknown method");
  if (!head.target.starts_with('/') || !is_visible_ascii(head.target)) {
    return failure(Code::BadRequest, "HTTP: invalid target " + quote(head.target));
  }
  if (head.authority.empty() || !is_visible_ascii(head.authority)) {
    return failure(Code::BadRequest, "HTTP: invalid host " + quote(head.authority));
  }
  for (std::size_t i = 0; i < head.headers.size(); ++i) {
    if (const auto name = head.headers[i].name; !is_token(name)) {
      return failure(Code::BadRequest, "HTTP: invalid header name " + quote(name));
    }
  }
  return {};
}

Status check_response(const ResponseHead& head) {
  if (head.status == 101) {
    return failure(Code::InternalError, "HTTP: the server switches protocols, which nobody asked");
  }
  if (is_redirect(head.status)) {
    const auto location = head.headers.find("location").value_or("nowhere");
    return failure(Code::InternalError, "HTTP: the server redirects (" +
                                            std::to_string(head.status) + ") to " +
                                            quote(location) + ", which is refused");
  }
  return {};
}

}  // namespace berth::http
