#include "http/http1_head.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <utility>

#include "base/check.h"
#include "base/strings.h"
#include "http/url.h"

namespace berth::http {
namespace {

constexpr std::string_view kLineEnd = "\r\n";

std::unexpected<Error> malformed(std::string_view what, std::string_view text) {
  constexpr std::size_t kShown = 64;
  return failure(Code::BadRequest,
                 "HTTP/1.1: " + std::string(what) + ": " + quote(text.substr(0, kShown)));
}

// Takes the next line off the front of a text whose lines all end in CRLF.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end - 1);
  text.remove_prefix(end + 1);
  return line;
}

std::string_view trim_blanks(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(" \t");
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(" \t") - begin + 1);
}

Result<Headers> parse_fields(std::string_view text, const Limits& limits) {
  Headers headers;
  while (text != kLineEnd) {
    const std::string_view line = take_line(text);
    const std::size_t colon = line.find(':');
    if (line.starts_with(' ') || line.starts_with('\t')) {
      return malformed("a folded header line", line);
    }
    if (colon == std::string_view::npos || !is_token(line.substr(0, colon))) {
      return malformed("a header line must begin with a name and ':'", line);
    }
    const std::string_view value = trim_blanks(line.substr(colon + 1));
    if (!is_field_value(value)) return malformed("a control character in a header", line);
    if (headers.size() == limits.header_count) {
      return failure(
          Code::RequestEntityTooLarge,
          "HTTP/1.1: more than " + std::to_string(limits.header_count) + " header fields");
    }
    headers.add(line.substr(0, colon), value);
  }
  return headers;
}

// "HTTP/1.1" or "HTTP/1.0": whether it is the latter.
Result<bool> parse_version(std::string_view text) {
  if (text == "HTTP/1.1") return false;
  if (text == "HTTP/1.0") return true;
  return malformed("version HTTP/1.1 or HTTP/1.0 expected", text);
}

bool is_visible_ascii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return c > ' ' && c < 0x7f; });
}

// An absolute target, as proxies write it, becomes path and authority.
Result<RequestHead> parse_target(std::string_view target, Method method) {
  if (!is_visible_ascii(target)) return malformed("an invalid character in the target", target);
  if (target.starts_with('/') || (target == "*" && method == Method::Options)) {
    return RequestHead{.method = method, .target = std::string(target)};
  }
  auto url = parse_url(target);
  if (!url.ok()) return malformed("the target must begin with '/'", target);
  std::string path = url->path.empty() ? "/" : std::move(url->path);
  if (!url->query.empty()) path += "?" + url->query;
  return RequestHead{.method = method, .target = std::move(path), .authority = url->authority()};
}

Result<Http1Request> parse_request_line(std::string_view line, const Limits& limits) {
  const std::size_t first = line.find(' ');
  const std::size_t last = line.rfind(' ');
  if (first == std::string_view::npos || first == last) {
    return malformed("a request line of method, target and version expected", line);
  }
  const std::string_view method = line.substr(0, first);
  if (!is_token(method)) return malformed("a method expected", line);
  const std::string_view target = line.substr(first + 1, last - first - 1);
  if (target.size() > limits.target_bytes) {
    return failure(Code::RequestEntityTooLarge, "HTTP/1.1: the target is longer than " +
                                                    std::to_string(limits.target_bytes) + " bytes");
  }
  Http1Request request;
  ASSIGN_OR_RETURN(request.is_http10, parse_version(line.substr(last + 1)));
  ASSIGN_OR_RETURN(request.head, parse_target(target, method_of_name(method)));
  return request;
}

// The framing that the fields say; nullopt when they say nothing.
Result<std::optional<BodyFraming>> parse_framing(const Headers& headers) {
  const auto length = headers.find("content-length");
  const auto coding = headers.find("transfer-encoding");
  if (length && coding) {
    return malformed("both content-length and transfer-encoding", *coding);
  }
  if (coding) {
    if (headers.count("transfer-encoding") > 1 || lower_ascii(*coding) != "chunked") {
      return malformed("no transfer-encoding but chunked is known", *coding);
    }
    return BodyFraming{.kind = BodyFraming::Kind::Chunked};
  }
  if (!length) return std::nullopt;
  const bool digits = !length->empty() && length->find_first_not_of("0123456789") == length->npos;
  const auto bytes = digits ? parse_uint64(*length) : std::nullopt;
  if (!bytes || headers.count("content-length") > 1) {
    return malformed("one content-length with one number expected", *length);
  }
  return BodyFraming{.kind = BodyFraming::Kind::Length, .length = *bytes};
}

bool connection_says(const Headers& headers, std::string_view option) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Headers::Field field = headers[i];
    if (field.name == "connection" && list_contains(field.value, option)) return true;
  }
  return false;
}

bool keeps_alive(const Headers& headers, bool is_http10) {
  if (connection_says(headers, "close")) return false;
  return !is_http10 || connection_says(headers, "keep-alive");
}

// The one Host header; HTTP/1.0 may go without.
Result<std::string_view> parse_host(const Headers& headers, bool is_http10) {
  const std::string_view host = headers.find("host").value_or("");
  const std::size_t count = headers.count("host");
  if (count > 1 || (count == 0 && !is_http10)) {
    return malformed("exactly one Host header expected", host);
  }
  if (host.find_first_of(" \t/?#@") != std::string_view::npos) {
    return malformed("a host expected in Host", host);
  }
  return host;
}

void append_number(std::uint64_t number, OutputBuffer& out) {
  const auto room = out.room(20);
  const auto end = std::to_chars(room.data(), room.data() + room.size(), number).ptr;
  out.commit(static_cast<std::size_t>(end - room.data()));
}

void write_fields(const Headers& headers, const SentBody& body, OutputBuffer& out) {
  for (std::size_t i = 0; i < headers.size(); ++i) {
    const Headers::Field field = headers[i];
    if (is_connection_field(field.name)) continue;
    CHECK(is_token(field.name));
    out.append(field.name);
    out.append(": ");
    out.append(field.value);
    out.append(kLineEnd);
  }
  if (body.framing == SentFraming::Chunked) out.append("transfer-encoding: chunked\r\n");
  if (body.framing == SentFraming::Length) {
    out.append("content-length: ");
    append_number(body.length, out);
    out.append(kLineEnd);
  }
}

}  // namespace

Result<std::optional<std::size_t>> HeadScanner::scan(std::string_view text, const Limits& limits) {
  const std::string_view within = text.substr(0, limits.header_bytes);
  for (std::size_t end; (end = within.find('\n', scanned_)) != std::string_view::npos;) {
    scanned_ = end + 1;
    if (end == line_begin_ || within[end - 1] != '\r') {
      return malformed("a line must end in CR and LF", within.substr(line_begin_));
    }
    if (end == 1) return malformed("a line of text expected at the start", "");
    if (end - 1 == line_begin_) return end + 1;
    line_begin_ = end + 1;
  }
  scanned_ = within.size();
  if (text.size() < limits.header_bytes) return std::nullopt;
  return failure(Code::RequestEntityTooLarge, "HTTP/1.1: the head is larger than " +
                                                  std::to_string(limits.header_bytes) + " bytes");
}

Result<Http1Request> parse_http1_request(std::string_view text, const Limits& limits) {
  ASSIGN_OR_RETURN(Http1Request request, parse_request_line(take_line(text), limits));
  ASSIGN_OR_RETURN(request.head.headers, parse_fields(text, limits));
  const Headers& headers = request.head.headers;
  ASSIGN_OR_RETURN(const std::string_view host, parse_host(headers, request.is_http10));
  if (request.head.authority.empty()) request.head.authority = host;
  ASSIGN_OR_RETURN(const auto framing, parse_framing(headers));
  request.framing = framing.value_or(BodyFraming{});
  if (request.is_http10 && request.framing.kind == BodyFraming::Kind::Chunked) {
    return malformed("transfer-encoding in HTTP/1.0", "chunked");
  }
  // An upgrade is never granted, and what comes after a request for one is not to be trusted.
  const bool upgrade = headers.find("upgrade").has_value();
  request.keep_alive = !request.is_http10 && !upgrade && !connection_says(headers, "close");
  request.expects_continue =
      !request.is_http10 && list_contains(headers.find("expect").value_or(""), "100-continue");
  return request;
}

Result<Http1Response> parse_http1_response(std::string_view text, Method request,
                                           const Limits& limits) {
  const std::string_view line = take_line(text);
  Http1Response response;
  ASSIGN_OR_RETURN(const bool is_http10, parse_version(line.substr(0, 8)));
  const auto status = parse_uint64(line.substr(std::min<std::size_t>(line.size(), 9), 3));
  const bool separated = line.size() == 12 || (line.size() > 12 && line[12] == ' ');
  if (!separated || line[8] != ' ' || !status || *status < 100 || *status > 599) {
    return malformed("a status from 100 to 599 expected after the version", line);
  }
  response.head.status = static_cast<int>(*status);
  ASSIGN_OR_RETURN(response.head.headers, parse_fields(text, limits));
  response.keep_alive = keeps_alive(response.head.headers, is_http10);
  ASSIGN_OR_RETURN(const auto framing, parse_framing(response.head.headers));
  if (request == Method::Head || !has_body(response.head.status)) return response;
  response.framing = framing.value_or(BodyFraming{.kind = BodyFraming::Kind::UntilClose});
  if (response.framing.kind == BodyFraming::Kind::UntilClose) response.keep_alive = false;
  return response;
}

bool is_connection_field(std::string_view name) {
  constexpr std::string_view kNames[] = {"connection", "content-length",   "transfer-encoding",
                                         "keep-alive", "proxy-connection", "upgrade"};
  return std::ranges::find(kNames, name) != std::end(kNames);
}

void write_http1_request(const RequestHead& head, const SentBody& body, OutputBuffer& out) {
  out.append(method_name(head.method));
  out.append(" ");
  out.append(head.target);
  out.append(" HTTP/1.1\r\nhost: ");
  out.append(head.authority);
  out.append(kLineEnd);
  write_fields(head.headers, body, out);
  out.append(kLineEnd);
}

void write_http1_response(const ResponseHead& head, const SentBody& body, Persistence persistence,
                          OutputBuffer& out) {
  out.append("HTTP/1.1 ");
  append_number(static_cast<std::uint64_t>(head.status), out);
  out.append(" ");
  out.append(status_text(head.status));
  out.append(kLineEnd);
  write_fields(head.headers, body, out);
  if (persistence == Persistence::Close) out.append("connection: close\r\n");
  out.append(kLineEnd);
}

Pull write_http1_body(Body& body, SentFraming framing, std::size_t bytes_max, OutputBuffer& out) {
  if (framing != SentFraming::Chunked) {
    const Pull pulled = body.pull(out.room(bytes_max));
    out.commit(pulled.bytes);
    return pulled;
  }
  // The chunk's size goes before its data but is known after them: four digits are kept free.
  constexpr std::size_t kSizeLine = 6;
  constexpr std::string_view kDigits = "0123456789abcdef";
  const std::size_t chunk_max = std::min<std::size_t>(bytes_max, 0xffff);
  const auto room = out.room(kSizeLine + chunk_max);
  const Pull pulled = body.pull(room.subspan(kSizeLine));
  if (pulled.bytes > 0) {
    for (std::size_t i = 0; i < 4; ++i) room[i] = kDigits[(pulled.bytes >> (12 - 4 * i)) & 15];
    room[4] = '\r';
    room[5] = '\n';
    out.commit(kSizeLine + pulled.bytes);
    out.append(kLineEnd);
  }
  if (pulled.state == Pull::State::End) out.append("0\r\n\r\n");
  return pulled;
}

}  // namespace berth::http
