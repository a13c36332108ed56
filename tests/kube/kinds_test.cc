// The table of kinds, and what is made of it, beside a real server of the version that it is of.

#include <algorithm>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "apiserver/discovery/aggregated.h"
#include "apiserver/discovery/digest.h"
#include "apiserver/discovery/legacy.h"
#include "apiserver/kinds/builtin_kinds.h"
#include "apiserver/kinds/kinds_files.h"
#include "apiserver/protobuf/decoder.h"
#include "base/base64.h"
#include "base/strings.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/child.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/oracle.h"
#include "kube/server.h"

namespace berth::kube {
namespace {

using apiserver::Registry;
using apiserver::Resource;
using json::Value;

class KindsOfARealServer : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto server = Server::start({});
    ASSERT_TRUE(server.ok()) << server.error().message;
    server_ = std::move(*server);
  }
  static void TearDownTestSuite() { server_.reset(); }

  void SetUp() override { ASSERT_NE(server_, nullptr); }

  // What the server answers; null when it does not.
  static Value get(const std::string& path, const std::string& accept = "application/json") {
    const auto answer = server_->folder() / "answer.json";
    const auto pki = server_->folder() / "pki";
    const Status asked = run(
        {"curl", "--silent", "--fail", "--max-time", "20", "--cacert", (pki / "ca.crt").string(),
         "--cert", (pki / "admin.crt").string(), "--key", (pki / "admin.key").string(), "--header",
         "Accept: " + accept, "--output", answer.string(), server_->url() + path});
    EXPECT_TRUE(asked.ok()) << path;
    const auto value = json::parse(contents(answer));
    EXPECT_TRUE(value.ok()) << path;
    return value.ok() ? *value : Value();
  }

  static std::unique_ptr<Server> server_;
};

std::unique_ptr<Server> KindsOfARealServer::server_ = nullptr;

// What only one of the two has, line by line, as diff shows it.
std::string difference(std::string_view table, std::string_view server) {
  const auto table_lines = split(table, '\n');
  const auto server_lines = split(server, '\n');
  const std::set<std::string_view> in_table(table_lines.begin(), table_lines.end());
  const std::set<std::string_view> in_server(server_lines.begin(), server_lines.end());
  std::string text;
  for (const std::string_view line : table_lines) {
    if (!in_server.contains(line)) text += fmt::format("- {}\n", line);
  }
  for (const std::string_view line : server_lines) {
    if (!in_table.contains(line)) text += fmt::format("+ {}\n", line);
  }
  return text;
}

TEST_F(KindsOfARealServer, AreThoseOfTheTable) {
  const char* program = std::getenv("BERTH_KINDS");
  ASSERT_NE(program, nullptr) << "run the tests with make test-kube";
  const Status written = run({program, server_->kubeconfig().string(), server_->folder().string()});
  ASSERT_TRUE(written.ok()) << written.error().message;
  ASSERT_EQ(apiserver::kinds_files().size(), 4u);
  for (const EmbeddedFile& file : apiserver::kinds_files()) {
    const std::string name = std::filesystem::path(file.path).filename();
    const std::string fresh = contents(server_->folder() / name);
    EXPECT_TRUE(fresh == file.text) << name << ": run tools/kinds again if this is wanted\n"
                                    << difference(file.text, fresh);
  }
}

// The document with only those entries of its list whose name is one of ours.
Value only_ours(const Value& list, std::string_view name_member,
                const std::vector<std::string>& ours) {
  Value kept = Value::array();
  for (const Value& entry : list.elements()) {
    const std::string name(entry.find(name_member)->string_or_empty());
    if (std::ranges::find(ours, name) != ours.end()) kept.push_back(entry);
  }
  return kept;
}

std::vector<std::string> names_of(const Registry& registry, std::string_view group,
                                  std::string_view version) {
  std::vector<std::string> names;
  for (const auto& resource : registry.resources(group, version)) {
    names.push_back(resource->gvr.resource);
    for (const auto& subresource : resource->subresources) {
      names.push_back(resource->gvr.resource + "/" + subresource.name);
    }
  }
  return names;
}

TEST_F(KindsOfARealServer, AreDiscoveredInTheSameWords) {
  const Registry registry(apiserver::builtin_resources());
  for (const auto& group : registry.groups()) {
    const std::string path = group.name.empty() ? "/api/v1" : "/apis/" + group.name + "/v1";
    Value expected = get(path);
    Value& resources = expected["resources"];
    resources = only_ours(resources, "name", names_of(registry, group.name, "v1"));
    // Kubernetes still stores definitions as v1beta1; the hash says how a server stores its own.
    if (group.name == "apiextensions.k8s.io") {
      resources.elements()[0]["storageVersionHash"] =
          apiserver::storage_version_hash("apiextensions.k8s.io/v1", "CustomResourceDefinition");
    }
    EXPECT_EQ(apiserver::api_resource_list(registry, group.name, "v1"), json::print(expected));
    if (group.name.empty()) continue;
    EXPECT_EQ(apiserver::api_group(registry, group.name), json::print(get("/apis/" + group.name)));
  }
}

TEST_F(KindsOfARealServer, HaveTheirGroupsInTheSameOrder) {
  const Registry registry(apiserver::builtin_resources());
  std::vector<std::string> ours;
  for (const auto& group : registry.groups()) ours.push_back(group.name);
  Value expected = get("/apis");
  Value& groups = expected["groups"];
  groups = only_ours(groups, "name", ours);
  EXPECT_EQ(apiserver::api_group_list(registry), json::print(expected));
}

// Of a document of aggregated discovery what we serve.
Value aggregated_ours(Value document, const Registry& registry) {
  Value items = Value::array();
  for (Value& item : document["items"].elements()) {
    const Value* name = item.find_path({"metadata", "name"});
    const std::string group(name ? name->string_or_empty() : "");
    Value versions = Value::array();
    for (Value& version : item["versions"].elements()) {
      const auto ours = names_of(registry, group, version["version"].string_or_empty());
      if (ours.empty()) continue;
      Value resources = only_ours(version["resources"], "resource", ours);
      for (Value& resource : resources.elements()) {
        Value* subresources = resource.find("subresources");
        if (!subresources) continue;
        Value kept = Value::array();
        for (const Value& entry : subresources->elements()) {
          const std::string whole = fmt::format("{}/{}", resource["resource"].string_or_empty(),
                                                entry.find("subresource")->string_or_empty());
          if (std::ranges::find(ours, whole) != ours.end()) kept.push_back(entry);
        }
        *subresources = std::move(kept);
      }
      version["resources"] = std::move(resources);
      versions.push_back(version);
    }
    if (versions.size() == 0) continue;
    item["versions"] = std::move(versions);
    items.push_back(item);
  }
  document["items"] = std::move(items);
  return document;
}

TEST_F(KindsOfARealServer, AreDiscoveredTogetherInTheSameWords) {
  const Registry registry(apiserver::builtin_resources());
  const std::string accept(apiserver::kAggregatedContentType);
  EXPECT_EQ(apiserver::aggregated_core(registry).text,
            json::print(aggregated_ours(get("/api", accept), registry)));
  EXPECT_EQ(apiserver::aggregated_groups(registry).text,
            json::print(aggregated_ours(get("/apis", accept), registry)));
}

TEST(ProtobufRequests, RandomObjectsOfAllKindsReadAsTheirJson) {
  const apiserver::MessageTable table(apiserver::read_kinds_file("protobuf"));
  std::string question;
  for (const std::string& kind : table.kinds()) question += fmt::format(" '{}'", kind);
  const std::size_t count = 60 * table.kinds().size();
  const auto pairs = ask_oracle(fmt::format("request-pairs {}{}", count, question));
  ASSERT_EQ(pairs.size(), count) << "run the tests with make test-kube";
  ASSERT_GE(count, 1000u);
  for (const std::string& line : pairs) {
    const Value pair = json::parse(line).value();
    const Value& object = *pair.find("object");
    const auto version =
        api::parse_group_version(object.find("apiVersion")->string_or_empty()).value();
    const auto bytes = decode_base64(pair.find("protobuf")->string_or_empty());
    const auto read =
        apiserver::decode_protobuf(table, bytes.value(),
                                   {.group = version.group,
                                    .version = version.version,
                                    .kind = std::string(object.find("kind")->string_or_empty())});
    ASSERT_TRUE(read.ok()) << read.error().message << "\n" << line;
    ASSERT_TRUE(without_nulls(*read) == without_nulls(object)) << json::print(object) << "\n"
                                                               << json::print(*read);
  }
}

}  // namespace
}  // namespace berth::kube
