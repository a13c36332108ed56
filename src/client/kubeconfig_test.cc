#include "client/kubeconfig.h"

#include <gtest/gtest.h>

#include "json/print.h"

namespace berth::client {
namespace {

constexpr std::string_view kFile = R"(
apiVersion: v1
kind: Config
current-context: prod
preferences: {}
clusters:
- name: c1
  cluster:
    server: https://one.example:6443/base
    certificate-authority: pki/ca.crt
    tls-server-name: internal
    proxy-url: socks5://proxy:1080
    disable-compression: true
    future-field: {a: 1}
    extensions:
    - name: client.authentication.k8s.io/exec
      extension: {audience: x}
- name: c2
  cluster: {server: "http://two.example", certificate-authority-data: UEVN, insecure-skip-tls-verify: true}
users:
- name: u1
  user:
    client-certificate: /abs/tls.crt
    client-key-data: S0VZ
    tokenFile: token
    as: someone
    as-uid: "7"
    as-groups: [g1, g2]
    as-user-extra: {scopes: [a, b]}
- name: u2
  user:
    exec:
      apiVersion: client.authentication.k8s.io/v1
      command: bin/helper
      args: [--a, b]
      env: [{name: K, value: V}]
      installHint: get it
      provideClusterInfo: true
      interactiveMode: Never
- name: u3
  user: {username: nina, password: p}
- name: u4
  user: {auth-provider: {name: gcp}}
contexts:
- name: prod
  context: {cluster: c1, user: u1, namespace: apps}
)";

TEST(Kubeconfig, ReadsEveryField) {
  const Kubeconfig config = parse_kubeconfig(kFile, "/home/me/.kube/config").value();
  EXPECT_EQ(config.current_context, "prod");
  const ClusterEntry& c1 = config.clusters.at("c1");
  EXPECT_EQ(c1.server, "https://one.example:6443/base");
  EXPECT_EQ(c1.certificate_authority.path, "/home/me/.kube/pki/ca.crt");
  EXPECT_EQ(c1.tls_server_name, "internal");
  EXPECT_EQ(c1.proxy_url, "socks5://proxy:1080");
  EXPECT_TRUE(c1.disable_compression);
  EXPECT_EQ(json::print(c1.exec_config), R"({"audience":"x"})");
  EXPECT_EQ(config.clusters.at("c2").certificate_authority.data, "PEM");
  EXPECT_TRUE(config.clusters.at("c2").insecure_skip_tls_verify);

  const UserEntry& u1 = config.users.at("u1");
  EXPECT_EQ(u1.client_certificate.path, "/abs/tls.crt");
  EXPECT_EQ(u1.client_key.data, "KEY");
  EXPECT_EQ(u1.token_file, "/home/me/.kube/token");
  EXPECT_EQ(u1.impersonation, (Impersonation{.user = "someone",
                                             .uid = "7",
                                             .groups = {"g1", "g2"},
                                             .extra = {{"scopes", {"a", "b"}}}}));
  EXPECT_EQ(config.users.at("u2").exec,
            (ExecPlugin{.api_version = "client.authentication.k8s.io/v1",
                        .command = "/home/me/.kube/bin/helper",
                        .arguments = {"--a", "b"},
                        .environment = {{"K", "V"}},
                        .install_hint = "get it",
                        .provide_cluster_info = true,
                        .interactive_mode = InteractiveMode::Never}));
  EXPECT_EQ(config.users.at("u3").username, "nina");
  EXPECT_EQ(config.users.at("u4").auth_provider, "gcp");
  EXPECT_EQ(config.contexts.at("prod").ns, "apps");
}

TEST(Kubeconfig, APluginNamedWithoutASlashIsSearchedInThePath) {
  const auto config = parse_kubeconfig(R"({"users":[{"name":"u","user":{"exec":{
    "apiVersion":"client.authentication.k8s.io/v1beta1","command":"aws"}}}]})",
                                       "/d/config");
  EXPECT_EQ(config->users.at("u").exec->command, "aws");
  EXPECT_EQ(config->users.at("u").exec->interactive_mode, InteractiveMode::IfAvailable);
}

TEST(Kubeconfig, AnEmptyFileIsAnEmptyConfiguration) {
  EXPECT_TRUE(parse_kubeconfig("", "f")->clusters.empty());
  EXPECT_TRUE(parse_kubeconfig("# nothing\n---\n", "f")->clusters.empty());
  EXPECT_TRUE(parse_kubeconfig("users: null\nclusters: []", "f")->users.empty());
}

TEST(Kubeconfig, ErrorsNameTheFileAndThePlace) {
  const std::pair<std::string_view, std::string_view> cases[] = {
      {"a: [", "f: document 1, line "},
      {"- 1", "f: expected object, found array"},
      {"kind: Pod", "f: kind: expected \"Config\", found \"Pod\""},
      {"users: {}", "f: users: expected array, found object"},
      {"users: [{name: a, user: {token: 5}}]",
       "f: users[0] (a): token: expected string, found number"},
      {"users: [{user: {}}]", "f: users[0]: name: it is missing"},
      {"clusters: [{name: a}, {name: a}]", "f: clusters[1]: name: \"a\" is there twice"},
      {"clusters: [{name: a, cluster: {certificate-authority-data: '!'}}]",
       "f: clusters[0] (a): certificate-authority-data: base64: bad character at offset 0"},
      {"contexts: [7]", "f: contexts[0]: expected object, found number"},
      {"users: [{name: a, user: {exec: {command: x}}}]",
       "f: users[0] (a): exec: apiVersion: expected client.authentication.k8s.io/v1 or v1beta1, "
       "found \"\""},
      {"users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1}}}]",
       "f: users[0] (a): exec: command: it is missing"},
      {"users: [{name: a, user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: "
       "x}}}]",
       "f: users[0] (a): exec: interactiveMode: expected Never, IfAvailable or Always, found \"\""},
      {"{}\n---\n{}", "f: expected one document, found several"},
  };
  for (const auto& [text, message] : cases) {
    const auto config = parse_kubeconfig(text, "f");
    ASSERT_FALSE(config.ok()) << text;
    EXPECT_TRUE(config.error().message.starts_with(message)) << config.error().message;
  }
}

TEST(Kubeconfig, TheFirstFileWinsWithWholeEntries) {
  const Kubeconfig first =
      parse_kubeconfig("clusters: [{name: a, cluster: {server: s1}}]", "f1").value();
  const Kubeconfig second = parse_kubeconfig(R"(
current-context: x
clusters: [{name: a, cluster: {server: s2, tls-server-name: t}}, {name: b, cluster: {server: s3}}])",
                                             "f2")
                                .value();
  const Kubeconfig third = parse_kubeconfig("current-context: z", "f3").value();
  const Kubeconfig merged = merge_kubeconfigs({first, second, third});
  EXPECT_EQ(merged.clusters.at("a").server, "s1");
  EXPECT_EQ(merged.clusters.at("a").tls_server_name, "") << "no field of the second file";
  EXPECT_EQ(merged.clusters.at("a").file, "f1");
  EXPECT_EQ(merged.clusters.at("b").file, "f2");
  EXPECT_EQ(merged.current_context, "x");
}

TEST(Kubeconfig, FilesComeFromTheFlagOrTheVariableOrTheHomeFolder) {
  const auto flag = kubeconfig_files({.flag = "f", .kubeconfig = "a:b", .home = "/h"});
  EXPECT_EQ(flag.paths, std::vector<std::string>{"f"});
  EXPECT_EQ(flag.missing, KubeconfigFiles::Missing::IsAnError);
  const auto variable = kubeconfig_files({.kubeconfig = "a::b:a:", .home = "/h"});
  EXPECT_EQ(variable.paths, (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(variable.missing, KubeconfigFiles::Missing::IsSkipped);
  EXPECT_EQ(kubeconfig_files({.home = "/h"}).paths, std::vector<std::string>{"/h/.kube/config"});
  EXPECT_TRUE(kubeconfig_files({}).paths.empty());
}

TEST(Kubeconfig, ReadsBackWhatItWrites) {
  const Kubeconfig config = parse_kubeconfig(kFile, "/d/f").value();
  const json::Value document = document_of(config);
  const Kubeconfig again = parse_kubeconfig(json::print(document), "/d/f").value();
  EXPECT_EQ(document_of(again), document);
  EXPECT_EQ(again.users.at("u2").exec, config.users.at("u2").exec);
  EXPECT_EQ(again.users.at("u1").impersonation, config.users.at("u1").impersonation);
  EXPECT_EQ(again.clusters.at("c2").certificate_authority.data, "PEM");
  EXPECT_EQ(again.current_context, "prod");
}

}  // namespace
}  // namespace berth::client
