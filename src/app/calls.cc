// Tested by tests/kube/join_command_test.cc.
#include "app/calls.h"

#include <chrono>
#include <future>
#include <thread>
#include <utility>

#include "app/advice.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

constexpr const char* kManager = "berth";

client::ApiOptions options_for(const client::ClientConfig& config, RateLimit rate) {
  client::ApiOptions options{
      .user_agent = "berth/" BERTH_VERSION, .rate = rate, .call = {.retry = {.attempts_max = 3}}};
  if (config.request_timeout > Duration::zero()) options.call.timeout = config.request_timeout;
  return options;
}

}  // namespace

Calls::Calls(env::Env& env, const client::ClientConfig& config, RateLimit rate)
    : env_(env), server_(config.server) {
  runtime::run_on(env.loop, [&] {
    api_ = std::make_unique<client::Api>(env, config, options_for(config, rate));
  });
}

Calls::~Calls() {
  runtime::run_on(env_.loop, [this] { api_.reset(); });
}

Result<json::Value> Calls::wait(const Start& start) {
  std::promise<Result<json::Value>> answered;
  runtime::run_on(env_.loop, [&] {
    start([&answered](Result<json::Value> answer) { answered.set_value(std::move(answer)); });
  });
  return answered.get_future().get();
}

Result<json::Value> Calls::get(const client::ResourcePath& path) {
  return wait([&](client::Done done) { api_->get(path, std::move(done)); });
}

Result<std::vector<json::Value>> Calls::list(const client::ResourcePath& collection,
                                             const std::string& labels) {
  std::promise<Result<client::WholeList>> answered;
  runtime::run_on(env_.loop, [&] {
    api_->list_all(
        collection, {.selection = {.labels = labels}},
        [&answered](Result<client::WholeList> list) { answered.set_value(std::move(list)); });
  });
  ASSIGN_OR_RETURN(client::WholeList list, answered.get_future().get());
  return std::move(list.items);
}

Result<json::Value> Calls::create(const client::ResourcePath& collection,
                                  const json::Value& object) {
  return wait([&](client::Done done) {
    api_->create(collection, object, {.field_manager = kManager}, std::move(done));
  });
}

Result<json::Value> Calls::edit(const client::ResourcePath& path,
                                const client::ChangeFunction& change) {
  return wait([&](client::Done done) {
    client::edit(*api_, {.path = path, .change = change, .write = {.field_manager = kManager}},
                 std::move(done));
  });
}

Result<json::Value> Calls::merge(const client::ResourcePath& path, const json::Value& patch) {
  return wait([&](client::Done done) {
    api_->patch(path, patch, {.write = {.field_manager = kManager}}, std::move(done));
  });
}

Result<json::Value> Calls::apply(const client::ResourcePath& path, const json::Value& object) {
  return wait([&](client::Done done) {
    api_->patch(path, object,
                {.type = client::PatchType::Apply,
                 .write = {.field_manager = kManager},
                 .conflicts = client::ApplyConflicts::TakeOver},
                std::move(done));
  });
}

Result<json::Value> Calls::remove(const client::ResourcePath& path) {
  return wait([&](client::Done done) { api_->remove(path, {}, std::move(done)); });
}

Status Calls::all(const std::vector<Request>& requests) {
  if (requests.empty()) return {};
  Status outcome;
  std::size_t open = requests.size();
  std::promise<void> answered;
  runtime::run_on(env_.loop, [&] {
    for (const Request& request : requests) {
      request(*api_, [&](const Result<json::Value>& answer) {
        if (!answer.ok() && outcome.ok()) outcome = failure(answer.error());
        if (--open == 0) answered.set_value();
      });
    }
  });
  answered.get_future().wait();
  return outcome;
}

std::string Calls::text_of(const Error& error) const { return text_with_advice(error, server_); }

bool wait_for(Duration patience, const std::function<bool()>& holds) {
  const auto deadline = std::chrono::steady_clock::now() + patience;
  while (!holds()) {
    if (std::chrono::steady_clock::now() >= deadline) return false;
    std::this_thread::sleep_for(std::chrono::seconds(1));
  }
  return true;
}

}  // namespace berth::app
