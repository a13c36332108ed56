// What client-go makes of several kubeconfig files, and what we make of them: the same.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "base/check.h"
#include "base/random.h"
#include "base/strings.h"
#include "client/config_service.h"
#include "json/parse.h"
#include "json/print.h"
#include "kube/child.h"
#include "runtime/system.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;
using json::Value;

constexpr int kRandomCases = 60;
constexpr std::string_view kRefused = "refused";

// Folders with one kubeconfig each, and with the files that entries point to.
class Folders {
 public:
  Folders() {
    std::string pattern = (fs::temp_directory_path() / "berth-kubeconfig-XXXXXX").string();
    CHECK(::mkdtemp(pattern.data()) != nullptr);
    root_ = pattern;
  }
  ~Folders() {
    std::error_code ignored;
    fs::remove_all(root_, ignored);
  }

  // The value of $KUBECONFIG for these files.
  std::string write(const std::vector<std::string>& files) {
    std::string variable;
    for (std::size_t i = 0; i < files.size(); ++i) {
      const fs::path folder = root_ / std::to_string(i);
      fs::create_directories(folder / "bin");
      for (const char* name : {"ca.crt", "user.crt", "user.key", "token", "bin/login"}) {
        std::ofstream(folder / name) << "from a file";
      }
      std::ofstream(folder / "config") << files[i];
      variable += (i == 0 ? "" : ":") + (folder / "config").string();
    }
    return variable;
  }

  const fs::path& root() const { return root_; }

 private:
  fs::path root_;
};

// Only what a client would use of two ways to say the same.
void keep_what_counts(Value& answer) {
  for (const std::string what : {"ca", "cert"}) {
    const bool has_data = !answer.find(what + "Data")->string_or_empty().empty();
    if (has_data) answer[what + "File"] = "";
  }
  // client-go reads the file here already, we when we need it.
  if (!answer.find("tokenFile")->string_or_empty().empty()) answer["token"] = "";
}

std::string ask_client_go(const std::string& variable, const fs::path& folder) {
  const fs::path out = folder / "answer.json";
  const Status asked =
      run({"/bin/sh", "-c",
           fmt::format("KUBECONFIG='{}' HOME=/nonexistent \"$BERTH_ORACLE\" merge-kubeconfig >'{}'",
                       variable, out.string())});
  if (!asked.ok()) return std::string(kRefused);
  std::ifstream file(out);
  auto answer = json::parse(
      std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()});
  CHECK(answer.ok());
  keep_what_counts(*answer);
  return json::print(*answer);
}

std::string ask_ourselves(const std::string& variable, env::Env& env) {
  const auto config =
      client::load_config({.kubeconfig = {.kubeconfig = variable}}, env.disk, env.log);
  if (!config.ok()) return std::string(kRefused);
  Value answer = Value::object({
      {"caData", config->tls.certificate_authority.data},
      {"caFile", config->tls.certificate_authority.path},
      {"certData", config->tls.client_certificate.data},
      {"certFile", config->tls.client_certificate.path},
      {"compression", !config->disable_compression},
      {"execCommand", config->credentials.exec ? config->credentials.exec->command : ""},
      {"hasProxy", config->proxy.has_value()},
      {"impersonate", config->impersonation.user},
      {"insecure", config->tls.insecure},
      {"keyFile", config->tls.client_key.path},
      {"namespace", config->ns},
      {"server", config->server.text()},
      {"serverName", config->tls.server_name},
      {"token", config->credentials.token},
      {"tokenFile", config->credentials.token_file},
      {"username", config->credentials.username},
  });
  keep_what_counts(answer);
  return json::print(answer);
}

class Kubeconfigs : public ::testing::Test {
 protected:
  // Both answers, which must be the same; the common one.
  std::string compare(const std::vector<std::string>& files) {
    Folders folders;
    const std::string variable = folders.write(files);
    const std::string theirs = ask_client_go(variable, folders.root());
    const std::string ours = ask_ourselves(variable, system_.env(0));
    EXPECT_EQ(ours, theirs) << join(files, "\n----\n");
    return theirs;
  }

  runtime::System system_{{.loops = 1, .workers = 1, .log = {.level = env::Level::Error}}};
};

TEST_F(Kubeconfigs, ChosenCasesMeanTheSameToClientGo) {
  const std::string one = R"(
apiVersion: v1
kind: Config
current-context: one
clusters:
- {name: c, cluster: {server: "https://one.example:6443", certificate-authority: ca.crt}}
users:
- {name: u, user: {token: first}}
contexts:
- {name: one, context: {cluster: c, user: u, namespace: prod}}
- {name: two, context: {cluster: d, user: v}}
)";
  const std::string two = R"(
current-context: two
clusters:
- {name: c, cluster: {server: "https://ignored.example:1", tls-server-name: ignored}}
- name: d
  cluster: {server: "https://two.example:6443/base", insecure-skip-tls-verify: true}
users:
- {name: u, user: {client-certificate: user.crt, client-key: user.key}}
- name: v
  user:
    exec: {apiVersion: client.authentication.k8s.io/v1, command: bin/login, interactiveMode: Never}
)";
  const std::string only_context = "current-context: two\n";
  const auto accepted = [&](const std::vector<std::string>& files) {
    EXPECT_NE(compare(files), kRefused);
  };
  accepted({one, two});
  accepted({two, one});
  accepted({only_context, one, two});
  accepted({"", one});
  accepted({"{}", two, one});
  accepted({R"({"current-context": "x", "contexts": [{"name": "x", "context": {"cluster": "c"}}]})",
            one});
  accepted({R"(
current-context: x
contexts: [{name: x, context: {cluster: c, user: u}}]
clusters:
- name: c
  cluster:
    server: "https://h:6443/path?query=1#fragment"
    certificate-authority-data: Y2E=
    proxy-url: http://proxy:3128
    disable-compression: true
users: [{name: u, user: {tokenFile: token, as: somebody, as-groups: [a, b]}}])"});
  accepted({R"(
current-context: x
contexts: [{name: x, context: {cluster: c, user: u}}]
clusters: [{name: c, cluster: {server: "http://h:8080"}}]
users: [{name: u, user: {token: never-sent-over-http, as: somebody}}])"});
}

TEST_F(Kubeconfigs, WhatClientGoRefusesIsRefused) {
  const auto file = [](std::string_view cluster, std::string_view user) {
    return fmt::format(
        "current-context: x\ncontexts: [{{name: x, context: {{cluster: c, user: u}}}}]\n"
        "clusters: [{{name: c, cluster: {{{}}}}}]\nusers: [{{name: u, user: {{{}}}}}]\n",
        cluster, user);
  };
  const std::string good = "server: \"https://h:1\"";
  EXPECT_NE(compare({file(good, "token: t")}), kRefused);
  for (const std::string& bad :
       {file("server: \"\"", ""), file(good, "token: t, username: me, password: p"),
        file(good, "client-certificate: user.crt"), file(good, "as-groups: [a]"),
        file(good + ", proxy-url: \"gopher://x\"", ""),
        file(good, "exec: {apiVersion: client.authentication.k8s.io/v1, command: x}"),
        std::string("current-context: nowhere\n"), std::string("clusters: 7\n"),
        std::string("contexts: [{name: x, context: {cluster: c}}]\ncurrent-context: x\n")}) {
    EXPECT_EQ(compare({bad}), kRefused) << bad;
  }
}

// Where we differ, on purpose.
TEST_F(Kubeconfigs, DifferencesToClientGo) {
  const auto asked = [this](const std::string& text) {
    Folders folders;
    const std::string variable = folders.write({text});
    return std::pair(ask_client_go(variable, folders.root()) != kRefused,
                     ask_ourselves(variable, system_.env(0)) != kRefused);
  };
  const std::string context =
      "current-context: x\ncontexts: [{name: x, context: {cluster: c, user: u}}]\n";
  const std::pair ours_alone_refuses(true, false);
  // client-go goes on as nobody when the context's user does not exist.
  EXPECT_EQ(asked(context + "clusters: [{name: c, cluster: {server: \"https://h:1\"}}]\n"),
            ours_alone_refuses);
  // client-go says so only when it connects.
  EXPECT_EQ(asked(context + "users: [{name: u}]\nclusters: [{name: c, cluster: {server: "
                            "\"https://h:1\", insecure-skip-tls-verify: true, "
                            "certificate-authority: ca.crt}}]\n"),
            ours_alone_refuses);
  // client-go says that the data overrides the file, and refuses.
  EXPECT_EQ(asked(context + "users: [{name: u}]\nclusters: [{name: c, cluster: {server: "
                            "\"https://h:1\", certificate-authority-data: Y2E=, "
                            "certificate-authority: ca.crt}}]\n"),
            std::pair(false, true));
}

// Draws files in which few names meet often.
class Author {
 public:
  explicit Author(std::uint64_t seed) : random_(seed) {}

  std::vector<std::string> files() {
    std::vector<std::string> files;
    const std::size_t count = 2 + random_.below(2);
    for (std::size_t i = 0; i < count; ++i) files.push_back(file());
    // So that no context names a user in vain; see DifferencesToClientGo.
    files.push_back("users:\n");
    for (const std::string_view one : {"a", "b", "c"}) {
      files.back() += fmt::format("- {{name: {}, user: {{{}}}}}\n", one, user());
    }
    return files;
  }

 private:
  std::string file() {
    std::string text = "apiVersion: v1\nkind: Config\n";
    if (random_.chance(0.6)) text += "current-context: " + name() + "\n";
    text += list("clusters", [this] { return "cluster: {" + cluster() + "}"; });
    text += list("users", [this] { return "user: {" + user() + "}"; });
    return text + list("contexts", [this] { return "context: {" + context() + "}"; });
  }

  template <typename Entry>
  std::string list(std::string_view what, Entry entry) {
    std::string text = std::string(what) + ":\n";
    std::size_t entries = 0;
    for (const std::string_view one : {"a", "b", "c"}) {
      if (!random_.chance(0.6)) continue;
      text += fmt::format("- {{name: {}, {}}}\n", one, entry());
      ++entries;
    }
    return entries == 0 ? "" : text;
  }

  std::string cluster() {
    std::string text =
        fmt::format("server: \"{}://{}.example:{}{}\"", random_.chance(0.9) ? "https" : "http",
                    name(), 1000 + random_.below(9), random_.chance(0.3) ? "/base" : "");
    switch (random_.below(4)) {
      case 0:
        text += ", certificate-authority: ca.crt";
        break;
      case 1:
        text +=
            ", certificate-authority-data: " + std::string(random_.chance(0.5) ? "YQ==" : "Yg==");
        break;
      case 2:
        text += ", insecure-skip-tls-verify: true";
        break;
      default:
        break;
    }
    if (random_.chance(0.3)) text += ", tls-server-name: name-" + name();
    if (random_.chance(0.3)) text += ", disable-compression: true";
    if (random_.chance(0.3)) text += ", proxy-url: socks5://proxy:1080";
    return text;
  }

  std::string user() {
    std::string text = random_.chance(0.3) ? "as: who-" + name() + ", " : "";
    switch (random_.below(6)) {
      case 0:
        return text + "token: token-" + name();
      case 1:
        return text + "tokenFile: token";
      case 2:
        return text + "username: me, password: p";
      case 3:
        return text + "client-certificate: user.crt, client-key: user.key";
      case 4:
        return text + "client-certificate-data: YQ==, client-key-data: Yg==, token: t";
      default:
        return text + fmt::format(
                          "exec: {{apiVersion: client.authentication.k8s.io/v1beta1, "
                          "command: {}}}",
                          random_.chance(0.5) ? "bin/login" : "login");
    }
  }

  std::string context() {
    std::string text = "cluster: " + name();
    if (random_.chance(0.8)) text += ", user: " + name();
    if (random_.chance(0.5)) text += ", namespace: ns-" + name();
    return text;
  }

  std::string name() { return std::string(1, static_cast<char>('a' + random_.below(3))); }

  Random random_;
};

TEST_F(Kubeconfigs, DrawnCasesMeanTheSameToClientGo) {
  const char* chosen = std::getenv("BERTH_SEED");
  const std::uint64_t first = chosen ? parse_uint64(chosen).value_or(1) : 1;
  int accepted = 0;
  for (std::uint64_t seed = first; seed < first + kRandomCases; ++seed) {
    SCOPED_TRACE(fmt::format("BERTH_SEED={}", seed));
    if (compare(Author(seed).files()) != kRefused) ++accepted;
  }
  EXPECT_GT(accepted, kRandomCases / 6) << "too few of the cases say anything";
}

}  // namespace
}  // namespace berth::kube
