#include "kube/extender_process.h"

#include <chrono>
#include <filesystem>
#include <fstream>
#include <utility>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "api/kinds/fields.h"
#include "json/parse.h"
#include "json/print.h"
#include "json/yaml_read.h"
#include "kube/accounts.h"
#include "kube/commands.h"
#include "kube/paths.h"
#include "kube/waiting.h"
#include "pki/authority.h"

namespace berth::kube {
namespace {

using api::field;
using api::text_field;
using json::Value;

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path) << text;
  std::filesystem::permissions(path, std::filesystem::perms::owner_read);
}

}  // namespace

std::string ExtenderProcess::file(const std::string& name) const {
  return (server_.folder() / name).string();
}

std::unique_ptr<ExtenderProcess> ExtenderProcess::start(const Server& server) {
  std::unique_ptr<ExtenderProcess> process(new ExtenderProcess(server));
  process->issue_certificates();
  process->run();
  process->prepare_asking();
  const Value nobody = json::parse(R"({"Pod":{},"NodeNames":[]})").value();
  EXPECT_TRUE(wait_until([&] { return process->ask("filter", nobody).ok(); }));
  return process;
}

void ExtenderProcess::issue_certificates() {
  BlockingApi clock(server_.kubeconfig());
  const pki::Validity validity{.now = clock.env().clock.now(), .life = std::chrono::hours(1)};
  const auto authority = pki::Authority::make("extender-ca", validity.now, validity.life);
  const auto serving =
      pki::issue_serving(authority, "extender", {.addresses = {"127.0.0.1"}}, validity);
  const auto asking = pki::issue_client(authority, {.common_name = "kube-scheduler"}, validity);
  ASSERT_TRUE(serving.ok()) << serving.error().message;
  ASSERT_TRUE(asking.ok()) << asking.error().message;
  write(file("extender-ca.crt"), authority.certificate.pem());
  write(file("extender.crt"), serving->certificate.pem());
  write(file("extender.key"), serving->key.pem());
  write(file("extender-client.crt"), asking->certificate.pem());
  write(file("extender-client.key"), asking->key.pem());
}

void ExtenderProcess::run() {
  const auto account = install_account(
      server_, {.part = "extender", .ns = "berth-extender", .name = "berth-extender"});
  ASSERT_TRUE(account.ok()) << account.error().message;
  auto child = Child::start(
      {berth_program().string(), "extender", "--kubeconfig=" + account->string(),
       fmt::format("--listen=127.0.0.1:{}", port_), "--tls-cert-file=" + file("extender.crt"),
       "--tls-private-key-file=" + file("extender.key"),
       "--client-ca-file=" + file("extender-ca.crt"), "--health-probe-bind-address=0",
       "--metrics-bind-address=0"},
      file("extender.log"));
  ASSERT_TRUE(child.ok()) << child.error().message;
  child_ = *std::move(child);
}

void ExtenderProcess::prepare_asking() {
  write(file("extender.kubeconfig"),
        fmt::format("apiVersion: v1\nkind: Config\ncurrent-context: x\n"
                    "contexts: [{{name: x, context: {{cluster: x, user: x}}}}]\n"
                    "users: [{{name: x, user: {{client-certificate: {}, client-key: {}}}}}]\n"
                    "clusters: [{{name: x, cluster: {{server: 'https://127.0.0.1:{}', "
                    "certificate-authority: {}}}}}]\n",
                    file("extender-client.crt"), file("extender-client.key"), port_,
                    file("extender-ca.crt")));
  asker_ = std::make_unique<BlockingApi>(file("extender.kubeconfig"));
}

Value ExtenderProcess::kube_scheduler_config(const std::filesystem::path& kubeconfig) const {
  const auto printed = berth_alone(server_, {"manifests", "extender"});
  EXPECT_TRUE(printed.ok()) << printed.error().message;
  if (!printed.ok()) return {};
  for (const Value& object : json::read_yaml(*printed).value()) {
    if (text_field(object, "kind") != "ConfigMap") continue;
    Value config =
        json::read_yaml(text_field(field(object, "data"), "config.yaml")).value().front();
    config["clientConnection"]["kubeconfig"] = kubeconfig.string();
    Value extender = field(config, "extenders").elements()[0];
    extender["urlPrefix"] = fmt::format("https://127.0.0.1:{}", port_);
    const std::pair<const char*, const char*> files[] = {{"caFile", "extender-ca.crt"},
                                                         {"certFile", "extender-client.crt"},
                                                         {"keyFile", "extender-client.key"}};
    for (const auto& [name, path] : files) {
      EXPECT_NE(text_field(field(extender, "tlsConfig"), name), "") << name;
      extender["tlsConfig"][name] = file(path);
    }
    config["extenders"] = Value::array({std::move(extender)});
    return config;
  }
  ADD_FAILURE() << "no configuration in\n" << *printed;
  return {};
}

Result<Value> ExtenderProcess::ask(const std::string& verb, const Value& question) {
  return asker_->wait<Result<Value>>(
      [&](client::Api& api, std::function<void(Result<Value>)> answered) {
        api.call(client::RestRequest{.method = http::Method::Post,
                                     .target = "/" + verb,
                                     .content_type = std::string(client::kJson),
                                     .body = json::print(question)},
                 {.retry = {.attempts_max = 1}},
                 [answered](Result<Value> answer) { answered(std::move(answer)); });
      });
}

Value ExtenderProcess::filter(const Value& pod, const std::vector<std::string>& nodes) {
  Value names = Value::array();
  for (const std::string& node : nodes) names.push_back(node);
  const auto answer = ask("filter", Value::object({{"Pod", pod}, {"NodeNames", std::move(names)}}));
  EXPECT_TRUE(answer.ok()) << answer.error().message;
  return answer.ok() ? *answer : Value();
}

}  // namespace berth::kube
