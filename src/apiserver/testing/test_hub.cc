#include "apiserver/testing/test_hub.h"

#include <array>

#include <fmt/format.h>

#include "apiserver/auth/snapshot_objects.h"
#include "apiserver/kinds/kinds_files.h"
#include "apiserver/verbs/dispatch.h"
#include "base/check.h"
#include "base/rfc3339.h"
#include "json/parse.h"
#include "json/pointer.h"
#include "json/print.h"
#include "store/group.h"

namespace berth::apiserver::testing {
namespace {

constexpr std::string_view kIssuer = "https://hub.test";
constexpr int kAttemptsMax = 100;
constexpr std::string_view kTokens = "admin-token,admin,1,system:masters\neve-token,eve,2\n";

}  // namespace

// The table of kinds is the same for all hubs and takes a while to read.
std::shared_ptr<const HubFacts> test_facts() {
  static const std::shared_ptr<const HubFacts> kFacts = [] {
    const pki::PrivateKey key = pki::PrivateKey::generate();
    return std::make_shared<HubFacts>(HubFacts{
        .kinds = std::make_shared<BuiltinKinds>(read_builtin_kinds()),
        .messages = std::make_shared<MessageTable>(read_kinds_file("protobuf")),
        .authenticator = Authenticator({.issuer = std::string(kIssuer),
                                        .audiences = {std::string(kIssuer)},
                                        .keys = {key.public_key()},
                                        .static_tokens = StaticTokens::parse(kTokens).value()}),
        .token_issuer = {.issuer = std::string(kIssuer),
                         .audiences = {std::string(kIssuer)},
                         .key = key},
        .address = "127.0.0.1:6443"});
  }();
  return kFacts;
}

namespace {

HubAnswer read(Response response) {
  HubAnswer answer{.status = response.status, .headers = std::move(response.headers)};
  std::array<char, 4096> room;
  while (true) {
    const http::Pull pull = response.body.pull(room);
    answer.body.append(room.data(), pull.bytes);
    if (pull.state != http::Pull::State::More) return answer;
  }
}

// As the shell reads a request.
Result<ApiRequest> read(const HubCall& call) {
  ApiRequest request;
  ASSIGN_OR_RETURN(request.info, read_request_info(call.method, call.target));
  ASSIGN_OR_RETURN(request.query, http::parse_query(http::split_target(call.target).query));
  for (const auto& [name, value] : call.headers) request.headers.add(name, value);
  request.body = call.body;
  request.user = call.user;
  return request;
}

HubCall call_of(http::Method method, std::string target, std::string body,
                std::string content_type) {
  return {.method = method,
          .target = std::move(target),
          .body = std::move(body),
          .headers = {{"content-type", std::move(content_type)}, {"user-agent", "curl/8.0"}}};
}

}  // namespace

json::Value HubAnswer::json() const { return json::parse(body).value_or(json::Value()); }

std::string HubAnswer::at(std::string_view pointer) const {
  const json::Value document = json();
  const auto parsed = json::Pointer::parse(pointer);
  CHECK(parsed.ok());
  const json::Value* value = json::find(document, *parsed);
  if (!value) return {};
  return value->is_string() ? std::string(value->string_or_empty()) : json::print(*value);
}

std::vector<std::string> HubAnswer::warnings() const {
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < headers.size(); ++i) {
    if (headers[i].name == "warning") texts.emplace_back(headers[i].value);
  }
  return texts;
}

User admin() {
  return {.name = "admin", .groups = {std::string(kMasters), std::string(kAuthenticated)}};
}

User plain_user(std::string name) {
  return {.name = std::move(name), .groups = {std::string(kAuthenticated)}};
}

std::string drained(http::BodySource& source) {
  std::string text;
  std::array<char, 1024> room;
  while (true) {
    const http::Pull pull = source.pull(room);
    text.append(room.data(), pull.bytes);
    if (pull.state != http::Pull::State::More) return text;
  }
}

TestHub::TestHub(std::size_t changes_max)
    : facts_(test_facts()),
      definitions_(*facts_->kinds),
      snapshot_(std::make_shared<store::Snapshot>()),
      watches_({.changes_max = changes_max}),
      random_(1),
      now_(*parse_rfc3339("2026-01-02T03:04:05Z")) {
  watches_.take(std::make_shared<store::Batch>(), Instant());
  for (const char* name : {"default", "kube-system", "team"}) {
    const HubAnswer made =
        post("/api/v1/namespaces", fmt::format(R"({{"metadata":{{"name":"{}"}}}})", name));
    CHECK(made.status == 201);
  }
}

TestHub::~TestHub() = default;

View TestHub::view() {
  return {.snapshot = snapshot_,
          .registry = definitions_.at(*snapshot_),
          .rbac = std::make_shared<Rbac>(rbac_objects(*snapshot_)),
          .facts = facts_,
          .now = now_,
          .random = random_,
          .new_uid = [this] { return fmt::format("00000000-0000-4000-8000-{:012}", ++uids_); },
          .snapshot_at =
              [this, snapshot = snapshot_](store::Revision revision) {
                return watches_.snapshot_at(*snapshot, revision);
              }};
}

Result<std::vector<store::Written>> TestHub::commit(std::vector<store::EntryWrite> writes) {
  if (competing_) std::exchange(competing_, nullptr)();
  if (failing_) return failure(*std::exchange(failing_, std::nullopt));
  // Each write stands for itself: those before one that fails are made.
  store::Group group(snapshot_);
  Result<std::vector<store::Written>> written;
  for (store::EntryWrite& write : writes) {
    auto done = group.add(std::move(write));
    if (!done.ok()) {
      written = failure(std::move(done).error());
    } else if (written.ok()) {
      written->push_back(*std::move(done));
    }
  }
  const auto batch = std::make_shared<store::Batch>(std::move(group).batch());
  snapshot_ = store::applied(*snapshot_, batch->changes);
  watches_.take(batch, Instant());
  ++commits_;
  return written;
}

Response TestHub::watched(WatchPlan plan) {
  Response response = json_response(200, std::string());
  for (const std::string& warning : plan.warnings) add_warning(response, warning);
  WatchStream stream(watches_, std::move(plan), [] {}, Instant());
  response.body = http::Body(drained(stream));
  return response;
}

Outcome TestHub::run(const ApiRequest& request) { return handle(request, view()); }

Response TestHub::carried_out(const ApiRequest& request, Outcome outcome) {
  for (int attempt = 0; attempt < kAttemptsMax; ++attempt) {
    if (auto* response = std::get_if<Response>(&outcome.what)) return std::move(*response);
    if (auto* plan = std::get_if<WatchPlan>(&outcome.what)) return watched(std::move(*plan));
    auto& intent = std::get<WriteIntent>(outcome.what);
    const auto written = commit(std::move(intent.writes));
    if (written.ok()) {
      outcome = Outcome(intent.then(view(), *written));
    } else if (written.error().code == Code::Conflict) {
      outcome = run(request);
    } else {
      return refusal_response(written.error());
    }
  }
  return refusal_response(Error{.code = Code::Conflict, .message = "it never ends"});
}

HubAnswer TestHub::send(const HubCall& call) {
  auto request = read(call);
  if (!request.ok()) return read(refusal_response(std::move(request).error()));
  CHECK(request->info.is_resource);
  return perform(*request);
}

HubAnswer TestHub::perform(const ApiRequest& request) {
  return read(carried_out(request, run(request)));
}

HubAnswer TestHub::get(std::string target, std::string accept) {
  HubCall call{.target = std::move(target)};
  if (!accept.empty()) call.headers.emplace_back("accept", std::move(accept));
  return send(call);
}

HubAnswer TestHub::post(std::string target, std::string body) {
  return send(call_of(http::Method::Post, std::move(target), std::move(body), "application/json"));
}

HubAnswer TestHub::put(std::string target, std::string body) {
  return send(call_of(http::Method::Put, std::move(target), std::move(body), "application/json"));
}

HubAnswer TestHub::merge(std::string target, std::string body) {
  return patch(std::move(target), std::move(body), "application/merge-patch+json");
}

HubAnswer TestHub::patch(std::string target, std::string body, std::string content_type) {
  return send(
      call_of(http::Method::Patch, std::move(target), std::move(body), std::move(content_type)));
}

HubAnswer TestHub::apply(std::string target, std::string body) {
  return patch(std::move(target), std::move(body), "application/apply-patch+yaml");
}

HubAnswer TestHub::remove(std::string target, std::string body) {
  return send(
      call_of(http::Method::Delete, std::move(target), std::move(body), "application/json"));
}

std::unique_ptr<WatchStream> TestHub::watch(std::string target, std::string accept) {
  target += target.contains('?') ? "&watch=true" : "?watch=true";
  HubCall call{.target = std::move(target)};
  if (!accept.empty()) call.headers.emplace_back("accept", std::move(accept));
  const auto request = read(call);
  CHECK(request.ok());
  Outcome outcome = run(*request);
  auto* plan = std::get_if<WatchPlan>(&outcome.what);
  CHECK(plan != nullptr);
  return std::make_unique<WatchStream>(watches_, std::move(*plan), [] {}, Instant());
}

}  // namespace berth::apiserver::testing
