#include "client/testing/model_server_service.h"

#include <optional>

#include <gtest/gtest.h>

#include "client/api_service.h"
#include "sim/world.h"

namespace berth::client::testing {
namespace {

using namespace std::chrono_literals;

// The status of the answer to one GET.
int answer_to(const std::string& target, const ModelServerOptions& options) {
  sim::World world{{}};
  ModelStore store;
  store.put("a");
  world.add_node("server").start([&](std::span<env::Env> loops) {
    return std::make_shared<ModelServer>(loops[0], store, options);
  });
  std::optional<int> status;
  world.add_node("client").start([&](std::span<env::Env> loops) {
    auto api = std::make_shared<Api>(loops[0], model_config("http"), ApiOptions{});
    api->fetch(plain_request(target), {.retry = {.attempts_max = 1}},
               [&](Result<RestAnswer> answer) {
                 status = answer.ok() ? answer->status : http_status(answer.error().code);
               });
    return api;
  });
  world.run_until([&] { return status.has_value(); }, 1min);
  return status.value_or(0);
}

TEST(ModelServer, ServesOneCollectionAndSaysNoToTheRest) {
  const std::string list = "/api/v1/namespaces/default/configmaps";
  EXPECT_EQ(answer_to(list, {}), 200);
  EXPECT_EQ(answer_to("/api/v1/pods", {}), 404);
  EXPECT_EQ(answer_to(list + "?continue=7:x", {}), 410);
  EXPECT_EQ(answer_to(list + "?resourceVersion=999", {}), 504);
  EXPECT_EQ(answer_to(list, {.token = "secret"}), 401);
  EXPECT_EQ(answer_to(list, {.trouble = [] { return 503; }}), 503);
}

}  // namespace
}  // namespace berth::client::testing
