// Wrong and hostile requests: the hub answers as kube-apiserver does, stays small and stays up.
// Both run where both are here; else the one at hand is compared with what is written down.

#include "kube/hostile/bad_input.h"

#include <cstdlib>
#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "json/parse.h"
#include "kube/blocking_api.h"
#include "kube/objects.h"
#include "kube/raw_request.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using json::Value;

std::unique_ptr<Server> start(ServerKind kind) {
  auto started = Server::start({.kind = kind});
  if (started.ok()) return std::move(*started);
  ADD_FAILURE() << started.error().message;
  return nullptr;
}

constexpr std::string_view kGadgets = R"({
  "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
  "metadata": {"name": "gadgets.bad.berth.dev"},
  "spec": {"group": "bad.berth.dev", "scope": "Namespaced",
    "names": {"plural": "gadgets", "kind": "Gadget"},
    "versions": [{"name": "v1", "served": true, "storage": true,
      "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": {"type": "object",
        "properties": {"size": {"type": "integer", "x-kubernetes-validations": [{"rule": "self != 7"}]},
                       "word": {"type": "string", "pattern": "^(a+)+$"}}}}}}}]}})";

// What the table takes for granted.
void prepare(const Server& server) {
  BlockingApi api(server.kubeconfig());
  const RawRequest kept = post(kJsonType, config_map_text("kept", R"(,"data":{"a":"b"})"));
  ASSERT_EQ(send_raw(server, kept).value().code, 201);
  const Value definition = json::parse(kGadgets).value();
  ASSERT_TRUE(api.create(collection_of(definition), definition).ok());
  ASSERT_TRUE(
      wait_until_served(api, {.group = "bad.berth.dev", .version = "v1", .resource = "gadgets"}));
  const RawRequest gadget = post(
      kJsonType, R"({"apiVersion":"bad.berth.dev/v1","kind":"Gadget","metadata":{"name":"kept"}})",
      std::string(kGadgetsPath));
  ASSERT_EQ(send_raw(server, gadget).value().code, 201);
}

std::string words(const Verdict& verdict) {
  return fmt::format("{} {}", verdict.code, verdict.reason);
}

class BadInputs : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    hub_ = start(ServerKind::EmbeddedHub);
    if (std::getenv("BERTH_KUBE_APISERVER")) kube_ = start(ServerKind::KubeApiserver);
    if (hub_) prepare(*hub_);
    if (kube_) prepare(*kube_);
  }
  static void TearDownTestSuite() {
    hub_.reset();
    kube_.reset();
  }

  static void expect(const Server& server, const BadInput& input, const Verdict& expected) {
    const auto answer = send_raw(server, input.request);
    ASSERT_TRUE(answer.ok()) << answer.error().message;
    const Verdict verdict = {.code = answer->code, .reason = answer->reason};
    EXPECT_EQ(words(verdict), words(expected))
        << (server.kind() == ServerKind::EmbeddedHub ? "hub: " : "kube: ") << input.name << "\n"
        << answer->text;
  }

  static void check(const std::vector<BadInput>& inputs) {
    ASSERT_TRUE(hub_);
    for (const BadInput& input : inputs) {
      if (kube_) expect(*kube_, input, input.expected);
      expect(*hub_, input, input.on_hub ? input.on_hub->verdict : input.expected);
      ASSERT_TRUE(hub_->process().running()) << input.name;
    }
    EXPECT_EQ(send_raw(*hub_, get("/readyz")).value().code, 200);
    EXPECT_LT(peak_memory(), kMemoryMax);
  }

  // In bytes, of the hub since its start.
  static std::int64_t peak_memory() {
    std::ifstream file(fmt::format("/proc/{}/status", hub_->process().id()));
    std::string word;
    while (file >> word) {
      std::int64_t kilobytes = 0;
      if (word == "VmHWM:" && file >> kilobytes) return kilobytes * 1024;
    }
    ADD_FAILURE() << "the peak of the memory is not known";
    return 0;
  }

  // With AddressSanitizer, whose shadow and quarantine of freed memory (256 MB) are in it.
  static constexpr std::int64_t kMemoryMax = std::int64_t{900} << 20;
  static std::unique_ptr<Server> hub_;
  static std::unique_ptr<Server> kube_;  // Null where there is none.
};
std::unique_ptr<Server> BadInputs::hub_;
std::unique_ptr<Server> BadInputs::kube_;

TEST_F(BadInputs, DocumentsAreRefusedAsByKubernetes) { check(bad_documents()); }
TEST_F(BadInputs, EncodingsAreRefusedAsByKubernetes) { check(bad_encodings()); }
TEST_F(BadInputs, PathsAndHeadersAreRefusedAsByKubernetes) { check(bad_paths()); }
TEST_F(BadInputs, QueriesAreRefusedAsByKubernetes) { check(bad_queries()); }
TEST_F(BadInputs, ChangesAreRefusedAsByKubernetes) { check(bad_changes()); }
TEST_F(BadInputs, DefinitionsAreRefusedAsByKubernetes) { check(bad_definitions()); }

}  // namespace
}  // namespace berth::kube
