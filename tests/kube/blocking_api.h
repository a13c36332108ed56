// An Api on a loop of its own, asked from the test's thread: each call waits for its answer.

#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <utility>

#include "base/check.h"
#include "client/api_service.h"
#include "kube/waiting.h"
#include "runtime/system.h"

namespace berth::kube {

class BlockingApi {
 public:
  explicit BlockingApi(const std::filesystem::path& kubeconfig, client::ApiOptions options = {});
  ~BlockingApi();

  Result<json::Value> get(const client::ResourcePath& path);
  Result<json::Value> list(const client::ResourcePath& collection,
                           const client::ListOptions& options = {});
  Result<client::WholeList> list_all(const client::ResourcePath& collection);
  Result<json::Value> create(const client::ResourcePath& collection, const json::Value& object,
                             const client::WriteOptions& options = {});
  Result<json::Value> update(const client::ResourcePath& path, const json::Value& object);
  Result<json::Value> patch(const client::ResourcePath& path, const json::Value& patch,
                            const client::PatchOptions& options);
  Result<json::Value> remove(const client::ResourcePath& path,
                             const client::DeleteOptions& options = {});

  env::Env& env() { return system_.env(0); }
  client::Api& api() { return *api_; }  // On the loop only.

  // Runs on the loop and waits until it returns.
  void on_loop(env::Task task) { runtime::run_on(env().loop, std::move(task)); }

  // Asks on the loop, again and again, until it holds. False if that took longer.
  bool eventually(const std::function<bool()>& holds,
                  std::chrono::seconds patience = kWaitPatience);

  // Starts something on the loop and waits for what it answers.
  template <typename Answer>
  Answer wait(std::function<void(client::Api&, std::function<void(Answer)>)> start) {
    auto promise = std::make_shared<std::promise<Answer>>();
    std::future<Answer> future = promise->get_future();
    on_loop(
        [&] { start(*api_, [promise](Answer answer) { promise->set_value(std::move(answer)); }); });
    CHECK(future.wait_for(std::chrono::seconds(120)) == std::future_status::ready);
    return future.get();
  }

 private:
  runtime::System system_;
  std::unique_ptr<client::Api> api_;
};

}  // namespace berth::kube
