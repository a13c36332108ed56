#include "local/process_runtime_service.h"

#include <optional>
#include <tuple>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"
#include "base/strings.h"
#include "env/files.h"
#include "env/scope.h"
#include "json/print.h"
#include "local/mount_paths.h"
#include "local/pod_address.h"

namespace berth::local {
namespace {

using json::Value;

constexpr std::int64_t kTokenSeconds = 3600;
constexpr Duration kTokenRenewal = std::chrono::seconds(kTokenSeconds) * 4 / 5;
constexpr Duration kTokenRetry = std::chrono::seconds(2);

// "registry:5000/team/berth:v1" is "registry:5000/team/berth".
std::string_view without_tag(std::string_view image) {
  image = image.substr(0, image.find('@'));
  const std::size_t slash = image.rfind('/');
  const std::size_t colon = image.rfind(':');
  const bool is_tag =
      colon != std::string_view::npos && (slash == std::string_view::npos || colon > slash);
  return is_tag ? image.substr(0, colon) : image;
}

Status write_files(env::Disk& disk, const std::string& folder, const std::vector<Mount>& mounts) {
  for (const Mount& mount : mounts) {
    const std::string root = path_on_machine(folder, mount.path);
    RETURN_IF_ERROR(disk.create_directory(root));
    for (const auto& [name, contents] : mount.files) {
      const std::string path = path_on_machine(root, name);
      RETURN_IF_ERROR(disk.create_directory(path.substr(0, path.rfind('/'))));
      RETURN_IF_ERROR(env::replace_passing_file(disk, path, contents, 0600));
    }
  }
  return {};
}

// What is not there any more is gone, too.
void remove_files(env::Disk& disk, const std::string& folder, const std::vector<Mount>& mounts) {
  for (const Mount& mount : mounts) {
    const std::string root = path_on_machine(folder, mount.path);
    for (const auto& [name, contents] : mount.files) {
      std::ignore = disk.remove(path_on_machine(root, name));
    }
  }
  for (const char* name : {"/token", "/kubeconfig"}) std::ignore = disk.remove(folder + name);
}

Value kubeconfig_for(const client::ClientConfig& cluster, const std::string& token_file) {
  Value server = Value::object({{"server", cluster.server.text()}});
  const client::FileOrData& authority = cluster.tls.certificate_authority;
  if (!authority.path.empty()) server["certificate-authority"] = authority.path;
  if (!authority.data.empty()) {
    server["certificate-authority-data"] = encode_base64(authority.data);
  }
  if (!cluster.tls.server_name.empty()) server["tls-server-name"] = cluster.tls.server_name;
  return Value::object(
      {{"apiVersion", "v1"},
       {"kind", "Config"},
       {"clusters", Value::array({Value::object({{"name", "cluster"}, {"cluster", server}})})},
       {"users", Value::array({Value::object(
                     {{"name", "pod"}, {"user", Value::object({{"tokenFile", token_file}})}})})},
       {"contexts", Value::array({Value::object(
                        {{"name", "pod"},
                         {"context", Value::object({{"cluster", "cluster"}, {"user", "pod"}})}})})},
       {"current-context", "pod"}});
}

// First the token of its service account, then the process.
class ProcessContainer final : public RunningContainer {
 public:
  ProcessContainer(const env::Env& env, client::Api& api, const ProcessRuntimeOptions& options,
                   std::string account, ContainerSpec spec, ContainerEnded ended)
      : env_(env),
        api_(api),
        program_(options.program),
        account_(account.empty() ? "default" : std::move(account)),
        spec_(std::move(spec)),
        folder_(fmt::format("{}/{}/{}", options.folder, spec_.pod_uid, spec_.name)),
        ended_(std::move(ended)) {}

  // Secrets do not outlive it; what it printed does.
  ~ProcessContainer() override { remove_files(env_.disk, folder_, spec_.mounts); }

  Status prepare() {
    RETURN_IF_ERROR(env_.disk.create_directory(folder_));
    RETURN_IF_ERROR(write_files(env_.disk, folder_, spec_.mounts));
    ask_for_token();
    return {};
  }

  void stop(Duration grace) override {
    stopping_ = true;
    if (!child_) return end_soon();
    child_->terminate();
    patience_ = env::after(env_.loop, env_.clock, grace, scope_.guard([this] {
      child_.reset();
      end(128 + 9);
    }));
  }

  void refresh(const ContainerSpec& spec) override {
    spec_.mounts = spec.mounts;
    if (const Status status = write_files(env_.disk, folder_, spec_.mounts); !status.ok()) {
      env_.log.warn("container.refresh_failed",
                    {{"pod", spec_.pod.text()}, {"error", status.error().message}});
    }
  }

 private:
  void ask_for_token() {
    Value request =
        Value::object({{"apiVersion", "authentication.k8s.io/v1"}, {"kind", "TokenRequest"}});
    request["spec"]["expirationSeconds"] = kTokenSeconds;
    api_.create({.resource = {"", "v1", "serviceaccounts"},
                 .ns = spec_.pod.ns,
                 .name = account_,
                 .subresource = "token"},
                request, {},
                scope_.guard([this](const Result<Value>& answer) { on_token(answer); }));
  }

  // The old token stays good for a while when a new one cannot be had.
  void on_token(const Result<Value>& answer) {
    if (stopping_) return;
    Status status = answer.ok() ? Status() : Status(failure(answer.error()));
    if (status.ok()) {
      status =
          env::replace_passing_file(env_.disk, folder_ + "/token",
                                    api::text_field(api::field(*answer, "status"), "token"), 0600);
    }
    if (status.ok() && !child_) status = begin();
    if (!status.ok()) {
      env_.log.warn("container.not_started",
                    {{"pod", spec_.pod.text()}, {"error", status.error().message}});
    }
    token_timer_ = env::after(env_.loop, env_.clock, status.ok() ? kTokenRenewal : kTokenRetry,
                              scope_.guard([this] { ask_for_token(); }));
  }

  Status begin() {
    const Value kubeconfig = kubeconfig_for(api_.config(), folder_ + "/token");
    RETURN_IF_ERROR(env::replace_passing_file(env_.disk, folder_ + "/kubeconfig",
                                              json::print(kubeconfig), 0600));
    env::Command command{.program = program_,
                         .environment = spec_.variables,
                         .environment_use = env::ChildEnvironment::Alone,
                         .output_file = folder_ + "/log"};
    for (const std::string& argument : spec_.arguments) {
      command.arguments.push_back(on_this_machine(argument));
    }
    for (auto& [name, value] : command.environment) value = on_this_machine(value);
    command.environment["KUBECONFIG"] = folder_ + "/kubeconfig";
    command.environment["POD_NAMESPACE"] = spec_.pod.ns;
    ASSIGN_OR_RETURN(child_, env_.processes.start(command, scope_.guard([this](int status) {
      child_.reset();
      end(status);
    })));
    return {};
  }

  std::string on_this_machine(std::string_view text) const {
    return with_pod_address(with_machine_paths(text, folder_, spec_.mounts),
                            loopback_address(spec_.pod_uid));
  }

  void end_soon() {
    env_.loop.post(scope_.guard([this] { end(0); }));
  }

  void end(int status) {
    if (auto ended = std::exchange(ended_, nullptr)) ended(status);  // It destroys us.
  }

  env::Env env_;
  client::Api& api_;
  std::string program_;
  std::string account_;
  ContainerSpec spec_;
  std::string folder_;
  ContainerEnded ended_;
  std::unique_ptr<env::Child> child_ = nullptr;
  bool stopping_ = false;
  env::Timer token_timer_ = {};
  env::Timer patience_ = {};
  env::Scope scope_;
};

}  // namespace

bool ProcessRuntime::runs(const Value&, const Value& container) const {
  return without_tag(api::text_field(container, "image")) == options_.image;
}

std::string ProcessRuntime::address_of(const Value& pod) const {
  return loopback_address(api::Metadata(pod).uid());
}

Result<std::unique_ptr<RunningContainer>> ProcessRuntime::start(const Value& pod,
                                                                const ContainerSpec& spec,
                                                                ContainerEnded ended) {
  // Our image has one program; a command may name it by any path.
  if (!spec.command.empty() && split(spec.command[0], '/').back() != "berth") {
    return failure(Code::Invalid,
                   fmt::format("{} is not in the image: it has only berth", spec.command[0]));
  }
  ContainerSpec whole = spec;
  if (!spec.command.empty()) {
    whole.arguments.insert(whole.arguments.begin(), spec.command.begin() + 1, spec.command.end());
  }
  auto container = std::make_unique<ProcessContainer>(
      env_, api_, options_, api::text_field(api::field(pod, "spec"), "serviceAccountName"),
      std::move(whole), std::move(ended));
  RETURN_IF_ERROR(container->prepare());
  return container;
}

}  // namespace berth::local
