// Objects of built-in kinds that are wrong: the hub says what kube-apiserver says, of the same
// fields and in the same words. What that is stands in objects/invalid.txt; BERTH_REWRITE=1 writes
// it anew from the real server.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <re2/re2.h>

#include "api/kinds/fields.h"
#include "json/merge_patch.h"
#include "json/print.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/paths.h"
#include "kube/server.h"
#include "kube/server_kinds.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using json::Value;

const fs::path kExpected = source_path("tests/kube/objects/invalid.txt");

// The reference shows whole objects as its own program holds them, and appends how they differ.
std::string comparable(std::string message) {
  message = message.substr(0, message.find('\n'));
  RE2::GlobalReplace(&message, "[0-9a-f]{8}-[0-9a-f-]{27}", "UID");
  RE2::GlobalReplace(&message, R"(value: \{.*\}(: |$))", R"(value: {}\1)");
  return message;
}

std::string verdict(const Result<Value>& answer) {
  if (answer.ok()) return "  accepted\n";
  const Error& error = answer.error();
  std::set<std::string> lines;
  for (const Cause& cause : error.causes) {
    lines.insert(
        fmt::format("  {}: {}: {}\n", cause.field, cause.reason, comparable(cause.message)));
  }
  if (lines.empty()) lines.insert(fmt::format("  {}\n", comparable(error.message)));
  return fmt::format("  {} {}\n{}", http_status(error.code), reason(error.code),
                     fmt::join(lines, ""));
}

std::string verdict_on(BlockingApi& api, const Value& base, const Value& said) {
  static const std::set<std::string> kOfTheCluster = {"Namespace", "PriorityClass", "ClusterRole",
                                                      "ClusterRoleBinding"};
  Value object = base;
  if (!kOfTheCluster.contains(api::text_field(base, "kind"))) {
    object["metadata"]["namespace"] = "default";
  }
  client::ResourcePath path = collection_of(object);
  const Value& change = api::field(said, "change");
  if (api::field(said, "update").as_bool() != true) {
    return verdict(api.create(path, json::apply_merge_patch(object, change)));
  }
  const Value& start = api::field(said, "start");
  const auto created =
      api.create(path, start.is_null() ? object : json::apply_merge_patch(object, start));
  EXPECT_TRUE(created.ok()) << created.error().message;
  path.name = api::text_field(api::field(object, "metadata"), "name");
  return verdict(api.patch(path, change, {}));
}

std::string verdicts(const Server& server) {
  BlockingApi api(server.kubeconfig(), {.rate = {.per_second = 0}});
  const Value document = read_objects("invalid").at(0);
  std::string all;
  int number = 0;
  for (const Value& said : api::elements_field(document, "cases")) {
    const std::string kind = api::text_field(said, "base");
    Value base = api::field(api::field(document, "bases"), kind);
    base["metadata"]["name"] = fmt::format("bad-{}", ++number);
    const bool is_update = api::field(said, "update").as_bool() == true;
    all += fmt::format("{}{}: {}\n{}\n", kind, is_update ? ", updated" : "",
                       json::print(api::field(said, "change")), verdict_on(api, base, said));
  }
  return all;
}

class InvalidObjects : public ::testing::TestWithParam<ServerKind> {};

TEST_P(InvalidObjects, AreRefusedInKubernetesWords) {
  auto server = Server::start({.kind = GetParam()});
  ASSERT_TRUE(server.ok()) << server.error().message;
  const std::string said = verdicts(**server);
  if (std::getenv("BERTH_REWRITE") && GetParam() == ServerKind::KubeApiserver) {
    std::ofstream(kExpected) << said;
    return;
  }
  std::ifstream file(kExpected);
  const std::string expected((std::istreambuf_iterator<char>(file)),
                             std::istreambuf_iterator<char>());
  EXPECT_EQ(said, expected);
}

INSTANTIATE_TEST_SUITE_P(OnEach, InvalidObjects, ::testing::ValuesIn(client_servers()),
                         [](const auto& test) { return name_of(test.param); });

}  // namespace
}  // namespace berth::kube
