#include "kube/accounts.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "api/kinds/fields.h"
#include "base/strings.h"
#include "client/errors.h"
#include "json/parse.h"
#include "json/yaml_read.h"
#include "kube/blocking_api.h"
#include "kube/commands.h"
#include "kube/contents.h"
#include "kube/objects.h"
#include "kube/paths.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr std::string_view kLog = "audit.log";
constexpr int kForbidden = 403;

// The namespace, the account, its roles and their bindings: what runs is the test's own.
bool is_about_rights(const Value& object) {
  const std::string kind = api::text_field(object, "kind");
  const std::array<std::string_view, 2> others = {"Namespace", "ServiceAccount"};
  return api::text_field(object, "apiVersion").starts_with("rbac.") ||
         std::ranges::find(others, kind) != others.end();
}

std::vector<Value> manifests_of(const Account& account) {
  const fs::path output = fs::temp_directory_path() / fmt::format("berth-manifests-{}", ::getpid());
  const Status printed = run({"sh", "-c",
                              fmt::format("{} manifests {} > {}", berth_program().string(),
                                          account.part, output.string())});
  EXPECT_TRUE(printed.ok()) << printed.error().message;
  auto objects = json::read_yaml(contents(output));
  fs::remove(output);
  EXPECT_TRUE(objects.ok()) << objects.error().message;
  return objects.ok() ? *std::move(objects) : std::vector<Value>();
}

Status create(BlockingApi& api, const Value& object) {
  const auto made = api.create(collection_of(object), object);
  if (made.ok() || client::is_already_exists(made.error())) return {};
  return failure(made.error());
}

std::vector<std::string> texts(const Value& rule, std::string_view field) {
  std::vector<std::string> words;
  for (const Value& word : api::elements_field(rule, field)) {
    words.emplace_back(word.string_or_empty());
  }
  return words;
}

std::vector<Right> rights_of(const Value& rule) {
  std::vector<Right> rights;
  for (const std::string& group : texts(rule, "apiGroups")) {
    for (const std::string& resource : texts(rule, "resources")) {
      for (const std::string& verb : texts(rule, "verbs")) {
        rights.push_back({.group = group, .resource = resource, .verb = verb});
      }
    }
  }
  return rights;
}

// The others are looked up when the server or a guard judges a request.
bool is_request(const Right& right) {
  const std::array<std::string_view, 4> looked_up = {"approve", "bind", "escalate", "renew"};
  return std::ranges::find(looked_up, right.verb) == looked_up.end() &&
         !right.resource.ends_with("/join") && !right.resource.ends_with("/finalizers") &&
         !right.resource.starts_with("*/");
}

bool may(BlockingApi& api, const Account& account, const Right& right) {
  const std::size_t slash = right.resource.find('/');
  Value asked = Value::object({{"group", right.group},
                               {"resource", right.resource.substr(0, slash)},
                               {"verb", right.verb}});
  if (slash != std::string::npos) asked["subresource"] = right.resource.substr(slash + 1);
  const auto review = api.create(
      {.resource = {"authorization.k8s.io", "v1", "subjectaccessreviews"}},
      Value::object({{"apiVersion", "authorization.k8s.io/v1"},
                     {"kind", "SubjectAccessReview"},
                     {"spec", Value::object({{"user", account.user()},
                                             {"resourceAttributes", std::move(asked)}})}}));
  return review.ok() &&
         api::field(api::field(*review, "status"), "allowed").as_bool().value_or(false);
}

// Servers read roles and bindings a moment after they were made: one right of each role tells.
bool all_count(BlockingApi& api, const Account& account, const std::vector<Value>& objects) {
  return std::ranges::all_of(objects, [&](const Value& object) {
    if (api::text_field(object, "kind") != "ClusterRole") return true;
    const auto rules = api::elements_field(object, "rules");
    return rules.empty() || may(api, account, rights_of(rules[0]).front());
  });
}

Result<std::string> token_of(BlockingApi& api, const Account& account) {
  ASSIGN_OR_RETURN(const Value request,
                   api.create({.resource = {"", "v1", "serviceaccounts"},
                               .ns = account.ns,
                               .name = account.name,
                               .subresource = "token"},
                              Value::object({{"apiVersion", "authentication.k8s.io/v1"},
                                             {"kind", "TokenRequest"},
                                             {"spec", Value::object()}})));
  return api::text_field(api::field(request, "status"), "token");
}

constexpr char kRecord[] = "BERTH_RIGHTS_RECORD";  // The file, for all processes.

void write_down(const Account& account, const Right& right) {
  const char* file = std::getenv(kRecord);
  if (!file) return;
  // In one piece: others write there, too.
  std::ofstream(file, std::ios::app)
      << fmt::format("{} {} {} {}\n", account.part, right.verb, right.resource, right.group);
}

std::set<Right> used_rights(const Account& account) {
  std::set<Right> used;
  const char* file = std::getenv(kRecord);
  const std::string record = file ? contents(file) : "";
  for (const std::string_view line : split(record, '\n')) {
    const std::vector<std::string_view> words = split(line, ' ');
    if (words.size() != 4 || words[0] != account.part) continue;
    used.insert({.group = std::string(words[3]),
                 .resource = std::string(words[2]),
                 .verb = std::string(words[1])});
  }
  return used;
}

// A namespace that goes takes in nothing more, from anybody: that is no question of rights. Only a
// real server says so in its log.
bool is_refused(const Value& event) {
  const Value& status = api::field(event, "responseStatus");
  if (api::field(status, "code").as_int().value_or(0) != kForbidden) return false;
  const bool is_forbidden = api::text_field(api::field(event, "annotations"),
                                            "authorization.k8s.io/decision") == "forbid";
  const bool is_create = api::text_field(event, "verb") == "create";
  const std::string message = api::text_field(status, "message");
  const bool may_be_ending = is_create && (message.empty() || message.contains("being terminated"));
  return is_forbidden || !may_be_ending;
}

void judge(const Value& event, const Account& account) {
  if (api::text_field(api::field(event, "user"), "username") != account.user()) return;
  const Value& object = api::field(event, "objectRef");
  if (!object.is_object()) return;
  const std::string subresource = api::text_field(object, "subresource");
  const Right right{.group = api::text_field(object, "apiGroup"),
                    .resource = api::text_field(object, "resource") +
                                (subresource.empty() ? "" : "/" + subresource),
                    .verb = api::text_field(event, "verb")};
  EXPECT_FALSE(is_refused(event)) << account.part << " may not " << right.text() << " ("
                                  << api::text_field(event, "requestURI") << "): give it in deploy/"
                                  << account.part;
  write_down(account, right);
}

}  // namespace

const Account& controllers_account() {
  static const Account account{
      .part = "controllers", .ns = "berth-system", .name = "berth-controllers"};
  return account;
}

const Account& agent_account() {
  static const Account account{
      .part = "agent", .ns = "open-cluster-management-agent", .name = "berth-agent"};
  return account;
}

Result<fs::path> install_account(const Server& server, const Account& account) {
  BlockingApi api(server.kubeconfig());
  std::vector<Value> objects = manifests_of(account);
  std::erase_if(objects, [](const Value& object) { return !is_about_rights(object); });
  for (const Value& object : objects) RETURN_IF_ERROR(create(api, object));
  if (!wait_until([&] { return all_count(api, account, objects); })) {
    return failure(Code::Timeout, "the roles of " + account.part + " do not count");
  }
  ASSIGN_OR_RETURN(const std::string token, token_of(api, account));
  fs::path path = server.folder() / (account.name + ".kubeconfig");
  std::ofstream(path) << fmt::format(
      "apiVersion: v1\nkind: Config\ncurrent-context: own\n"
      "clusters:\n- name: own\n  cluster: {{server: '{}', certificate-authority: pki/ca.crt}}\n"
      "users:\n- name: own\n  user: {{token: '{}'}}\n"
      "contexts:\n- name: own\n  context: {{cluster: own, user: own}}\n",
      server.url(), token);
  return path;
}

RightsRecord::RightsRecord() {
  const fs::path file = fs::temp_directory_path() / fmt::format("berth-rights-{}", ::getpid());
  ::setenv(kRecord, file.c_str(), 1);
}

RightsRecord::~RightsRecord() {
  std::error_code ignored;
  fs::remove(std::getenv(kRecord), ignored);
  ::unsetenv(kRecord);
}

std::set<Right> unused_rights(const Account& account) {
  std::set<Right> rights;
  for (const Value& object : manifests_of(account)) {
    const std::string role = api::text_field(api::field(object, "metadata"), "name");
    if (role.ends_with(":gives") || role.ends_with(":brings")) continue;
    for (const Value& rule : api::elements_field(object, "rules")) {
      for (Right& right : rights_of(rule)) {
        if (is_request(right)) rights.insert(std::move(right));
      }
    }
  }
  for (const Right& used : used_rights(account)) {
    rights.erase(used);
    // A cache lists only where the server does not send a list on its watch.
    if (used.verb == "watch") rights.erase({used.group, used.resource, "list"});
  }
  return rights;
}

std::vector<std::string> audit_flags(ServerKind kind, const fs::path& folder) {
  std::vector<std::string> flags = {"--audit-log-path=" + (folder / kLog).string()};
  if (kind == ServerKind::EmbeddedHub) return flags;
  const fs::path policy = folder / "audit-policy.yaml";
  std::ofstream(policy) << fmt::format(
      "apiVersion: audit.k8s.io/v1\nkind: Policy\nomitStages: [RequestReceived]\n"
      "rules:\n- {{level: Metadata, users: ['{}', '{}']}}\n- {{level: None}}\n",
      controllers_account().user(), agent_account().user());
  flags.push_back("--audit-policy-file=" + policy.string());
  return flags;
}

void judge_requests(const fs::path& folder) {
  const std::string log = contents(folder / kLog);
  for (const std::string_view line : split(log, '\n')) {
    if (!line.contains("system:serviceaccount:")) continue;
    const auto event = json::parse(line);
    if (!event.ok()) continue;  // The server was killed while it wrote.
    judge(*event, controllers_account());
    judge(*event, agent_account());
  }
}

Result<Child> start_controllers_with(const Server& server, const fs::path& kubeconfig,
                                     std::vector<std::string> flags) {
  std::vector<std::string> command = {
      berth_program().string(),
      "controllers",
      "--kubeconfig",
      kubeconfig.string(),
      "--leader-elect-resource-namespace=" + controllers_account().ns,
      "--health-probe-bind-address=0",
      "--metrics-bind-address=0"};
  command.insert(command.end(), flags.begin(), flags.end());
  return Child::start(command, controllers_log(server));
}

}  // namespace berth::kube
