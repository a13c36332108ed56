#include "kube/raw_request.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "json/parse.h"
#include "kube/child.h"
#include "kube/contents.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kTextBytes = 400;
constexpr std::size_t kEarlyAnswerBytes = 3 << 20;

// "HTTP/2 404 " and what follows; of the last answer, since "100 Continue" may come before.
int code_in(std::string_view headers) {
  const std::size_t start = headers.rfind("HTTP/");
  const std::size_t space = headers.find(' ', start);
  int code = 0;
  if (start == std::string_view::npos || space == std::string_view::npos) return code;
  std::from_chars(headers.data() + space + 1, headers.data() + headers.size(), code);
  return code;
}

std::string reason_in(const std::string& body) {
  const auto status = json::parse(body);
  const json::Value* reason = status.ok() ? status->find("reason") : nullptr;
  return std::string(reason ? reason->string_or_empty() : "");
}

}  // namespace

Result<RawAnswer> send_raw(const Server& server, const RawRequest& request) {
  const fs::path folder = server.folder();
  const fs::path pki = folder / "pki";
  const fs::path body = folder / "raw-body";
  const fs::path headers = folder / "raw-headers";
  const fs::path answer = folder / "raw-answer";
  const fs::path settings = folder / "raw-request";
  fs::remove(headers);
  fs::remove(answer);
  std::ofstream(body, std::ios::binary) << request.body;
  // In a file, since a header may be longer than a command line.
  std::ofstream lines(settings, std::ios::binary);
  for (const std::string& header : request.headers) lines << header << "\n";
  lines.close();
  std::vector<std::string> command = {"curl",
                                      "--silent",
                                      "--max-time",
                                      "60",
                                      "--path-as-is",
                                      "--header",
                                      "@" + settings.string(),
                                      "--dump-header",
                                      headers,
                                      "--output",
                                      answer,
                                      "--cacert",
                                      pki / "ca.crt",
                                      "--cert",
                                      pki / "admin.crt",
                                      "--key",
                                      pki / "admin.key",
                                      "--request",
                                      request.method,
                                      "--globoff"};
  if (!request.content_type.empty() || !request.body.empty()) {
    command.insert(command.end(), {"--data-binary", "@" + body.string(), "--header",
                                   "Content-Type: " + request.content_type});
  }
  // Over HTTP/2, curl 7 loses answers that come before it has sent everything.
  if (request.body.size() > kEarlyAnswerBytes) command.push_back("--http1.1");
  command.push_back(server.url() + request.target);
  // It fails where the server cut the stream, which may be after an answer.
  const Status ended = run(command);
  if (!ended.ok() && ended.error().code == Code::NotFound) return std::unexpected(ended.error());
  const std::string text = contents(answer);
  return RawAnswer{.code = code_in(contents(headers)),
                   .reason = reason_in(text),
                   .text = text.substr(0, kTextBytes)};
}

}  // namespace berth::kube
