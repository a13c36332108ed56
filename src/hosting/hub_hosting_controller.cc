#include "hosting/hub_hosting_controller.h"

namespace berth::hosting {
namespace {

control::ServedOptions what_it_needs() {
  control::ServedOptions options{
      .name = "hosting",
      .remedy = "apply Berth's definitions: berth crds | kubectl apply --server-side -f -"};
  for (const auto& [kind, resource] : hosting_resources()) {
    options.collections.push_back({.resource = resource});
  }
  return options;
}

}  // namespace

HubHostingController::HubHostingController(const env::Env& env, client::Api& api,
                                           client::Informers& informers,
                                           control::RecorderService& recorder,
                                           const control::MayWrite& may_write,
                                           const HostingOptions& options)
    : served_(env, api, what_it_needs(),
              [this, env, &api, &informers, &recorder, may_write, options] {
                controller_ = std::make_unique<HostingController>(env, api, informers, recorder,
                                                                  may_write, options);
              }) {}

bool HubHostingController::is_settled() const {
  return controller_ ? controller_->has_synced() : served_.is_missing();
}

}  // namespace berth::hosting
