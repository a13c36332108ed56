#include "client/config_service.h"

#include <utility>

#include "base/strings.h"
#include "env/files.h"

namespace berth::client {
namespace {

constexpr std::size_t kFileMax = 16 << 20;

bool is_empty(const Kubeconfig& config) {
  return config.clusters.empty() && config.users.empty() && config.contexts.empty();
}

bool says_where(const ConfigOverrides& overrides) {
  return !overrides.server.empty() || !overrides.context.empty() || !overrides.cluster.empty();
}

}  // namespace

Result<Kubeconfig> load_kubeconfig(const KubeconfigFiles& files, env::Disk& disk, env::Log& log) {
  std::vector<Kubeconfig> configs;
  std::string problems;
  for (const std::string& path : files.paths) {
    const auto text = env::read_file(disk, path, kFileMax);
    const bool skipped = !text.ok() && text.error().code == Code::NotFound &&
                         files.missing == KubeconfigFiles::Missing::IsSkipped;
    if (skipped) continue;
    auto config = text.ok() ? parse_kubeconfig(*text, path)
                            : Result<Kubeconfig>(failure(Error(text.error()).in_context(path)));
    if (config.ok()) {
      configs.push_back(*std::move(config));
    } else {
      problems += (problems.empty() ? "" : "; ") + config.error().message;
    }
  }
  if (!problems.empty()) return failure(Code::Invalid, problems);
  if (configs.empty() && files.paths.size() > 1) {
    log.warn("client.kubeconfig_missing", {{"files", join(files.paths, ":")}});
  }
  return merge_kubeconfigs(std::move(configs));
}

namespace {

Result<ClientConfig> find_config(const ConfigSources& sources, env::Disk& disk, env::Log& log) {
  const KubeconfigFiles files = kubeconfig_files(sources.kubeconfig);
  ASSIGN_OR_RETURN(const Kubeconfig kubeconfig, load_kubeconfig(files, disk, log));
  const bool nothing =
      is_empty(kubeconfig) && sources.kubeconfig.flag.empty() && !says_where(sources.overrides);
  if (nothing && sources.pod.in_cluster()) {
    PodEnvironment pod = sources.pod;
    if (auto ns = env::read_file(disk, kServiceAccountNamespace, kFileMax); ns.ok()) pod.ns = *ns;
    return in_cluster_config(pod);
  }
  return resolve_config(kubeconfig, sources.overrides);
}

}  // namespace

Result<ClientConfig> load_config(const ConfigSources& sources, env::Disk& disk, env::Log& log) {
  ASSIGN_OR_RETURN(ClientConfig config, find_config(sources, disk, log));
  if (!config.proxy) {
    ASSIGN_OR_RETURN(config.proxy, http::choose_proxy(sources.proxies, config.server));
  }
  return config;
}

}  // namespace berth::client
