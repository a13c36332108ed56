// Tested by binding_controller_test.cc.
#include "local/workload_caches_service.h"

#include <string>
#include <vector>

#include "api/kinds/pod.h"
#include "api/metadata.h"

namespace berth::local {
namespace {

std::vector<std::string> controller_of(const client::Object& object) {
  const auto controller = api::Metadata(object.body()).controller();
  return controller ? std::vector{controller->uid} : std::vector<std::string>();
}

std::vector<std::string> node_of(const client::Object& object) {
  const api::Pod pod = api::Pod::from_json(object.body());
  if (!pod.is_bound() || pod.is_terminal()) return {};
  return {pod.node_name};
}

}  // namespace

client::Informers workload_caches(const env::Env& env, client::Api& api) {
  const client::Index by_controller{kByController, controller_of};
  return client::Informers(
      env, api,
      {{.collection = {.resource = {"", "v1", "pods"}},
        .indexes = {by_controller, {kByNode, node_of}}},
       {.collection = {.resource = {"apps", "v1", "replicasets"}}, .indexes = {by_controller}}});
}

}  // namespace berth::local
