#include "pki/pem.h"

#include <fmt/format.h>

#include "base/base64.h"
#include "base/strings.h"

namespace berth::pki {
namespace {

constexpr std::string_view kBegin = "-----BEGIN ";
constexpr std::string_view kEnd = "-----END ";
constexpr std::string_view kDashes = "-----";

// "-----BEGIN X-----" to "X"; empty when the line is none of these.
std::string_view label_of(std::string_view line, std::string_view opening) {
  line = trim(line);
  if (!line.starts_with(opening) || !line.ends_with(kDashes)) return {};
  if (line.size() <= opening.size() + kDashes.size()) return {};
  return line.substr(opening.size(), line.size() - opening.size() - kDashes.size());
}

// The lines of a text, one after the other.
class Lines {
 public:
  explicit Lines(std::string_view text) : rest_(text) {}

  bool done() const { return rest_.empty(); }
  std::size_t number() const { return number_; }

  std::string_view next() {
    ++number_;
    const std::size_t end = rest_.find('\n');
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    return line;
  }

 private:
  std::string_view rest_;
  std::size_t number_ = 0;
};

// What follows the line "-----BEGIN label-----".
Result<PemBlock> read_block(Lines& lines, std::string_view label) {
  const std::size_t start = lines.number();
  PemBlock block{.label = std::string(label), .bytes = {}};
  std::string body;
  while (!lines.done()) {
    const std::string_view line = trim(lines.next());
    if (line.starts_with(kEnd)) {
      if (label_of(line, kEnd) != label) break;
      auto bytes = decode_base64(body);
      if (!bytes.ok()) {
        return failure(std::move(bytes).error().in_context(
            fmt::format("PEM block {} that begins in line {}", quote(label), start)));
      }
      block.bytes = std::move(bytes).value();
      return block;
    }
    if (line.find(':') != std::string_view::npos) {
      block.has_headers = true;
    } else {
      body.append(line);
    }
  }
  return failure(Code::BadRequest, fmt::format("PEM block {} that begins in line {} has no end",
                                               quote(label), start));
}

}  // namespace

Result<std::vector<PemBlock>> parse_pem(std::string_view text) {
  if (text.size() > kPemSizeMax) {
    return failure(Code::BadRequest,
                   fmt::format("PEM text of {} bytes, more than {}", text.size(), kPemSizeMax));
  }
  std::vector<PemBlock> blocks;
  Lines lines(text);
  while (!lines.done()) {
    const std::string_view label = label_of(lines.next(), kBegin);
    if (label.empty()) continue;
    ASSIGN_OR_RETURN(PemBlock block, read_block(lines, label));
    blocks.push_back(std::move(block));
  }
  return blocks;
}

std::string encode_pem(std::string_view label, std::string_view bytes) {
  constexpr std::size_t kLine = 64;
  std::string text = fmt::format("{}{}{}\n", kBegin, label, kDashes);
  const std::string encoded = encode_base64(bytes);
  for (std::size_t at = 0; at < encoded.size(); at += kLine) {
    text.append(encoded, at, kLine).push_back('\n');
  }
  return text + fmt::format("{}{}{}\n", kEnd, label, kDashes);
}

}  // namespace berth::pki
