#include "kube/blocking_api.h"

#include "client/config_service.h"

namespace berth::kube {

using json::Value;
using Answer = Result<Value>;
using Call = std::function<void(Answer)>;

BlockingApi::BlockingApi(const std::filesystem::path& kubeconfig, client::ApiOptions options)
    : system_({.loops = 1, .workers = 1, .log = {.level = env::Level::Warn}}) {
  const auto config =
      client::load_config({.kubeconfig = {.flag = kubeconfig.string()}}, env().disk, env().log);
  CHECK(config.ok());
  on_loop([&] { api_ = std::make_unique<client::Api>(env(), *config, std::move(options)); });
}

BlockingApi::~BlockingApi() {
  on_loop([this] { api_.reset(); });
}

Answer BlockingApi::get(const client::ResourcePath& path) {
  return wait<Answer>([&](client::Api& api, Call done) { api.get(path, done); });
}

Answer BlockingApi::list(const client::ResourcePath& collection,
                         const client::ListOptions& options) {
  return wait<Answer>([&](client::Api& api, Call done) { api.list(collection, options, done); });
}

Result<client::WholeList> BlockingApi::list_all(const client::ResourcePath& collection) {
  using Listed = Result<client::WholeList>;
  return wait<Listed>([&](client::Api& api, std::function<void(Listed)> done) {
    api.list_all(collection, {}, done);
  });
}

Answer BlockingApi::create(const client::ResourcePath& collection, const Value& object,
                           const client::WriteOptions& options) {
  return wait<Answer>(
      [&](client::Api& api, Call done) { api.create(collection, object, options, done); });
}

Answer BlockingApi::update(const client::ResourcePath& path, const Value& object) {
  return wait<Answer>([&](client::Api& api, Call done) { api.update(path, object, {}, done); });
}

Answer BlockingApi::patch(const client::ResourcePath& path, const Value& patch,
                          const client::PatchOptions& options) {
  return wait<Answer>([&](client::Api& api, Call done) { api.patch(path, patch, options, done); });
}

Answer BlockingApi::remove(const client::ResourcePath& path, const client::DeleteOptions& options) {
  return wait<Answer>([&](client::Api& api, Call done) { api.remove(path, options, done); });
}

bool BlockingApi::eventually(const std::function<bool()>& holds, std::chrono::seconds patience) {
  return wait_until(
      [&] {
        bool held = false;
        on_loop([&] { held = holds(); });
        return held;
      },
      patience);
}

}  // namespace berth::kube
