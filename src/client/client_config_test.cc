#include "client/client_config.h"

#include <gtest/gtest.h>

namespace berth::client {
namespace {

using namespace std::chrono_literals;

Kubeconfig sample() {
  return parse_kubeconfig(R"(
current-context: main
clusters:
- {name: c, cluster: {server: "https://c.example:6443/base?x=1#y", certificate-authority: ca.crt}}
- {name: plain, cluster: {server: "http://p.example:8080"}}
- {name: lax, cluster: {server: "https://l.example", insecure-skip-tls-verify: true}}
- {name: both, cluster: {server: "https://b", insecure-skip-tls-verify: true, certificate-authority: x}}
- {name: ftp, cluster: {server: "ftp://b"}}
- {name: empty, cluster: {}}
- {name: proxied, cluster: {server: "https://b", proxy-url: "gopher://x"}}
users:
- {name: u, user: {token: secret, client-certificate: tls.crt, client-key: tls.key}}
- {name: half, user: {client-certificate: tls.crt}}
- {name: old, user: {auth-provider: {name: gcp}}}
- {name: as, user: {as-groups: [g]}}
- {name: two, user: {token: t, username: nina}}
contexts:
- {name: main, context: {cluster: c, user: u, namespace: apps}}
- {name: plain, context: {cluster: plain, user: u}}
- {name: dangling, context: {cluster: gone, user: u}}
- {name: nobody, context: {cluster: c, user: gone}}
)",
                          "/k/config")
      .value();
}

Result<ClientConfig> resolved(const ConfigOverrides& overrides) {
  return resolve_config(sample(), overrides);
}

TEST(ClientConfig, IsTheCurrentContext) {
  const ClientConfig config = resolved({}).value();
  EXPECT_EQ(config.server.text(), "https://c.example:6443/base") << "no query, no fragment";
  EXPECT_EQ(config.tls.certificate_authority.path, "/k/ca.crt");
  EXPECT_EQ(config.tls.client_key.path, "/k/tls.key");
  EXPECT_EQ(config.credentials.token, "secret");
  EXPECT_EQ(config.ns, "apps");
  EXPECT_EQ(config.name, "main");
}

TEST(ClientConfig, FlagsWinOverTheFile) {
  const ClientConfig config = resolved({.server = "https://other.example",
                                        .ns = "n",
                                        .token = "t2",
                                        .certificate_authority = "other.crt",
                                        .client_certificate = "a",
                                        .client_key = "b",
                                        .tls_server_name = "s",
                                        .impersonation = {.user = "me", .groups = {"g"}},
                                        .request_timeout = 5s})
                                  .value();
  EXPECT_EQ(config.server.host, "other.example");
  EXPECT_EQ(config.ns, "n");
  EXPECT_EQ(config.credentials.token, "t2");
  EXPECT_EQ(config.tls.certificate_authority.path, "other.crt");
  EXPECT_EQ(config.tls.client_certificate.path, "a");
  EXPECT_EQ(config.tls.server_name, "s");
  EXPECT_EQ(config.impersonation.user, "me");
  EXPECT_EQ(config.request_timeout, Duration(5s));
  EXPECT_EQ(resolved({.cluster = "lax"})->server.host, "l.example");
  EXPECT_EQ(resolved({.context = "plain"})->ns, "default");
}

TEST(ClientConfig, WhatNoFlagSaysTheFileSays) {
  const Kubeconfig kubeconfig = parse_kubeconfig(R"(
current-context: main
clusters:
- name: c
  cluster: {server: "https://c.example", insecure-skip-tls-verify: true, tls-server-name: s,
            proxy-url: "http://p:1", disable-compression: true}
users:
- name: u
  user: {tokenFile: token, client-certificate: tls.crt, client-key: tls.key, as: me, as-uid: "7",
         as-groups: [g], as-user-extra: {why: [test]}}
contexts:
- {name: main, context: {cluster: c, user: u, namespace: apps}}
)",
                                                 "/k/config")
                                    .value();
  const ClientConfig config = resolve_config(kubeconfig, {}).value();
  EXPECT_TRUE(config.tls.insecure);
  EXPECT_EQ(config.tls.server_name, "s");
  EXPECT_EQ(config.tls.client_certificate.path, "/k/tls.crt");
  EXPECT_EQ(config.tls.client_key.path, "/k/tls.key");
  EXPECT_EQ(config.credentials.token_file, "/k/token");
  EXPECT_EQ(config.proxy_url, "http://p:1");
  EXPECT_TRUE(config.disable_compression);
  EXPECT_EQ(
      config.impersonation,
      (Impersonation{.user = "me", .uid = "7", .groups = {"g"}, .extra = {{"why", {"test"}}}}));
  EXPECT_EQ(config.ns, "apps");
}

TEST(ClientConfig, NoVerificationOnTheCommandLineReplacesTheAuthority) {
  const ClientConfig config = resolved({.insecure_skip_tls_verify = true}).value();
  EXPECT_TRUE(config.tls.insecure);
  EXPECT_TRUE(config.tls.certificate_authority.empty());
  EXPECT_FALSE(resolved({.cluster = "lax", .insecure_skip_tls_verify = false})->tls.insecure);
  EXPECT_FALSE(resolved({.cluster = "lax", .certificate_authority = "x"})->tls.insecure);
}

TEST(ClientConfig, NoSecretsGoOverPlainHttp) {
  const ClientConfig config = resolved({.context = "plain"}).value();
  EXPECT_EQ(config.credentials.token, "");
  EXPECT_TRUE(config.tls.client_key.empty());
}

TEST(ClientConfig, SaysWhatIsMissingAndWhere) {
  const std::pair<ConfigOverrides, std::string_view> cases[] = {
      {{.context = "nix"}, "context \"nix\" does not exist"},
      {{.context = "dangling"},
       "cluster \"gone\" does not exist, but context \"dangling\" (/k/config) names it"},
      {{.context = "nobody"},
       "user \"gone\" does not exist, but context \"nobody\" (/k/config) names it"},
      {{.cluster = "nix"}, "cluster \"nix\" does not exist"},
      {{.cluster = "empty"}, "cluster \"empty\" (/k/config): server is missing"},
      {{.cluster = "both"},
       "cluster \"both\" (/k/config): certificate-authority and insecure-skip-tls-verify exclude "
       "each other"},
      {{.cluster = "ftp"}, "cluster \"ftp\" (/k/config): server: "},
      {{.cluster = "proxied"},
       "cluster \"proxied\" (/k/config): proxy-url: proxy \"gopher://x\": expected http, https, "
       "socks5 or socks5h"},
      {{.user = "half"},
       "user \"half\" (/k/config): client-key is missing: certificate and key go together"},
      {{.user = "old"},
       "user \"old\" (/k/config): auth-provider \"gcp\" is not supported; its exec plugin is"},
      {{.user = "as"}, "user \"as\" (/k/config): as-uid, as-groups and as-user-extra need as"},
      {{.user = "two"}, "user \"two\" (/k/config): a token and a username exclude each other"},
  };
  for (const auto& [overrides, message] : cases) {
    const auto config = resolved(overrides);
    ASSERT_FALSE(config.ok()) << message;
    EXPECT_TRUE(config.error().message.starts_with(message)) << config.error().message;
  }
}

TEST(ClientConfig, NeverGuessesAServer) {
  const auto config = resolve_config({}, {});
  EXPECT_EQ(config.error().message,
            "no server: set current-context, or choose a context, cluster or server");
  EXPECT_EQ(resolve_config({}, {.server = "https://x"})->server.host, "x");
}

}  // namespace
}  // namespace berth::client
