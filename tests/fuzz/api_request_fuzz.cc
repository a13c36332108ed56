#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "apiserver/testing/foos.h"
#include "apiserver/testing/test_hub.h"
#include "base/check.h"
#include "json/parse.h"

namespace {

using berth::apiserver::testing::HubAnswer;
using berth::apiserver::testing::HubCall;
using berth::apiserver::testing::kDefinitions;
using berth::apiserver::testing::kFooDefinition;
using berth::apiserver::testing::kFoos;
using berth::apiserver::testing::TestHub;

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

// "PATCH /path?query", "content-type or accept: value" lines, an empty line, the body.
HubCall read_call(std::string_view text) {
  std::string_view first = take_line(text);
  const std::size_t space = first.find(' ');
  HubCall call{.method = berth::http::method_of_name(first.substr(0, space)),
               .target = std::string(space == first.npos ? "/" : first.substr(space + 1))};
  for (std::string_view line = take_line(text); !line.empty(); line = take_line(text)) {
    const std::size_t colon = line.find(": ");
    if (colon == line.npos) continue;
    const bool is_accept = line.substr(0, colon) == "accept";
    call.headers.emplace_back(is_accept ? "accept" : "content-type", line.substr(colon + 2));
  }
  call.body = text;
  return call;
}

bool is_resource(const HubCall& call) {
  const auto info = berth::apiserver::read_request_info(call.method, call.target);
  return !info.ok() || info->is_resource;
}

// Where the reference itself says 500: a scale without its field, an applied value of a wrong type.
bool is_known_failure(std::string_view message) {
  return message.contains("replicas") || message.contains("typed patch object") ||
         message.contains("decode managed fields");
}

// An answer that says why, in a form that every client reads.
void check_answer(const HubAnswer& answer) {
  CHECK(answer.status >= 200 && answer.status < 600);
  CHECK(answer.status != 500 || is_known_failure(answer.at("/message")));
  if (answer.status < 400 || answer.body == "404 page not found\n") return;
  CHECK(answer.at("/kind") == "Status");
  CHECK(answer.at("/code") == std::to_string(answer.status));
  CHECK(!answer.at("/message").empty());
}

}  // namespace

// Whatever one request says, the hub answers it, and goes on to serve what it has.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const HubCall call = read_call({reinterpret_cast<const char*>(data), size});
  if (!is_resource(call)) return 0;
  TestHub hub;
  hub.post(std::string(kDefinitions), std::string(kFooDefinition));
  hub.post(std::string(kFoos), R"({"metadata":{"name":"a","labels":{"x":"1"}},
                                   "spec":{"n":5,"replicas":2,"tags":["u","v"]}})");
  const auto before = hub.revision();
  const HubAnswer answer = hub.send(call);
  check_answer(answer);
  CHECK(hub.revision() == before || answer.status < 300);
  for (const char* list : {"/api/v1/namespaces", "/api/v1/configmaps", "/apis/ex.io/v1/foos"}) {
    const HubAnswer there = hub.get(list);
    CHECK(there.status == 200 || there.body == "404 page not found\n");
    CHECK(there.status != 200 || berth::json::parse(there.body).ok());
  }
  return 0;
}
