#include "fleet/addons/names.h"

#include <algorithm>

#include <fmt/format.h>

namespace berth::fleet {

std::string add_on_cluster_group(const AddOnKey& key) {
  return fmt::format("system:open-cluster-management:cluster:{}:addon:{}", key.cluster, key.name);
}

std::string add_on_user(const AddOnKey& key) {
  return fmt::format("{}:agent:{}-agent", add_on_cluster_group(key), key.name);
}

std::vector<std::string> add_on_groups(const AddOnKey& key) {
  return {add_on_cluster_group(key), "system:open-cluster-management:addon:" + key.name,
          "system:authenticated"};
}

std::string deploy_work_prefix(std::string_view add_on) {
  return fmt::format("addon-{}-deploy", add_on);
}

std::string hook_work_name(std::string_view add_on) {
  return fmt::format("addon-{}-pre-delete", add_on);
}

std::string add_on_secret(std::string_view add_on, std::string_view signer) {
  if (signer == kClientSigner) return fmt::format("{}-hub-kubeconfig", add_on);
  std::string dashed(signer);
  std::ranges::replace(dashed, '/', '-');
  return fmt::format("{}-{}-client-cert", add_on, dashed);
}

}  // namespace berth::fleet
