#include "kube/prometheus.h"

#include <fstream>
#include <utility>

#include <fmt/format.h>

#include "base/check.h"
#include "http/url.h"
#include "json/parse.h"
#include "kube/contents.h"
#include "kube/ports.h"
#include "kube/waiting.h"

namespace berth::kube {
namespace {

namespace fs = std::filesystem;

std::unique_ptr<env::Listener> listen(env::Env& env, http::Server& server,
                                      std::optional<env::TlsServer> tls) {
  std::vector<env::Seat> seats;
  seats.push_back(server.seat(env.network));
  auto listener = env.network.listen(
      {.address = {.host = "127.0.0.1", .port = 0}, .tls = std::move(tls)}, std::move(seats));
  CHECK(listener.ok());
  return *std::move(listener);
}

}  // namespace

struct Exposition::Page final : http::Handler {
  explicit Page(env::Env& env) : server({env.clock, env.loop}, *this, {}) {
    listener = listen(env, server, std::nullopt);
  }

  void on_request(http::ServerRequest, http::Answer answer) override {
    http::ResponseHead head;
    head.headers.add("content-type", "text/plain; version=0.0.4");
    answer.send(std::move(head), http::Body(text));
  }

  std::string text;
  http::Server server;
  std::unique_ptr<env::Listener> listener;
};

Exposition::Exposition() : system_({.loops = 1, .workers = 1}) {
  runtime::run_on(system_.env(0).loop, [this] {
    page_ = std::make_unique<Page>(system_.env(0));
    port_ = page_->listener->address().port;
  });
}

Exposition::~Exposition() {
  runtime::run_on(system_.env(0).loop, [this] { page_.reset(); });
}

void Exposition::set(std::string text) {
  runtime::run_on(system_.env(0).loop, [this, &text] { page_->text = std::move(text); });
}

Result<std::unique_ptr<Prometheus>> Prometheus::start(const PrometheusOptions& options) {
  std::unique_ptr<Prometheus> prometheus(new Prometheus);
  prometheus->options_ = options;
  prometheus->port_ = free_port();
  const fs::path folder = options.folder / fmt::format("prometheus-{}", prometheus->port_);
  fs::create_directories(folder);
  std::ofstream(folder / "prometheus.yml") << fmt::format(
      "global: {{scrape_interval: 1s}}\nscrape_configs:\n- job_name: fleet\n"
      "  static_configs: [{{targets: ['127.0.0.1:{}']}}]\n",
      options.target);
  std::vector<std::string> command = {
      "prometheus", "--config.file=" + (folder / "prometheus.yml").string(),
      "--storage.tsdb.path=" + (folder / "data").string(),
      fmt::format("--web.listen-address=127.0.0.1:{}", prometheus->port_)};
  std::vector<std::string> probe = {"curl",       "--silent", "--fail",
                                    "--max-time", "5",        prometheus->url() + "/-/ready"};
  if (!options.pki.empty()) {
    const auto file = [&](const char* name) { return (options.pki / name).string(); };
    std::ofstream(folder / "web.yml") << fmt::format(
        "tls_server_config:\n  cert_file: {}\n  key_file: {}\n  client_ca_file: {}\n"
        "  client_auth_type: RequireAndVerifyClientCert\n",
        file("server.crt"), file("server.key"), file("ca.crt"));
    command.push_back("--web.config.file=" + (folder / "web.yml").string());
    probe.insert(probe.end(), {"--cacert", file("ca.crt"), "--cert", file("admin.crt"), "--key",
                               file("admin.key")});
  }
  ASSIGN_OR_RETURN(prometheus->child_, Child::start(command, folder / "log"));
  const bool ready = wait_until([&] { return !prometheus->child_.running() || run(probe).ok(); });
  if (ready && prometheus->child_.running()) return prometheus;
  return failure(Code::ServiceUnavailable,
                 "Prometheus did not get ready:\n" + contents(folder / "log"));
}

std::string Prometheus::url() const {
  return fmt::format("{}://127.0.0.1:{}", options_.pki.empty() ? "http" : "https", port_);
}

int Prometheus::series(const std::string& promql) const {
  const fs::path answer = options_.folder / fmt::format("answer-{}", port_);
  const Status asked = run({"curl", "--silent", "--fail", "--output", answer.string(),
                            "--data-urlencode", "query=" + promql, url() + "/api/v1/query"});
  const auto document = json::parse(contents(answer));
  if (!asked.ok() || !document.ok()) return -1;
  const json::Value* result = document->find_path({"data", "result"});
  return result ? static_cast<int>(result->size()) : -1;
}

struct TokenDoor::Hall final : http::Handler {
  Hall(env::Env& env, const fs::path& pki, int prometheus, std::string token_wanted)
      : token("Bearer " + std::move(token_wanted)),
        inside(env,
               {.server = http::parse_url(fmt::format("http://127.0.0.1:{}", prometheus)).value()},
               {.rate = {.per_second = 0}}),
        server({env.clock, env.loop}, *this, {}) {
    listener = listen(env, server,
                      env::TlsServer{.identity = {.certificates_pem = contents(pki / "server.crt"),
                                                  .key_pem = contents(pki / "server.key")},
                                     .protocols = http::server_protocols()});
  }

  void on_request(http::ServerRequest request, http::Answer answer) override {
    if (request.head.headers.find("authorization") != token) {
      return answer.send({.status = 401}, http::Body("who are you?"));
    }
    auto shared = std::make_shared<http::Answer>(std::move(answer));
    inside.fetch({.method = http::Method::Post,
                  .target = request.head.target,
                  .content_type = "application/x-www-form-urlencoded",
                  .body = std::move(request.body)},
                 {}, [shared](Result<client::RestAnswer> got) {
                   if (!got.ok()) return shared->send_error(got.error());
                   shared->send({}, http::Body(std::move(got->body)));
                 });
  }

  std::string token;
  client::Api inside;
  http::Server server;
  std::unique_ptr<env::Listener> listener;
};

TokenDoor::TokenDoor(const fs::path& pki, int prometheus, std::string token)
    : system_({.loops = 1, .workers = 1}) {
  runtime::run_on(system_.env(0).loop, [&] {
    hall_ = std::make_unique<Hall>(system_.env(0), pki, prometheus, std::move(token));
    port_ = hall_->listener->address().port;
  });
}

TokenDoor::~TokenDoor() {
  runtime::run_on(system_.env(0).loop, [this] { hall_.reset(); });
}

std::string TokenDoor::url() const { return fmt::format("https://127.0.0.1:{}", port_); }

}  // namespace berth::kube
