#include "scores/hub_scores_controller.h"

#include "scores/generators/generator_resources_service.h"

namespace berth::scores {

HubScoresController::HubScoresController(const env::Env& env, client::Api& api,
                                         client::Informers& informers,
                                         control::RecorderService& recorder,
                                         const control::MayWrite& may_write,
                                         const ScoreSourceOptions& options)
    : served_(env, api,
              {.name = "scores",
               .collections = {{.resource = source_resource()},
                               {.resource = generator_template_resource()},
                               {.resource = generator_resource()}},
               .remedy = std::string(kDefinitionsRemedy)},
              [this, env, &api, &informers, &recorder, may_write, options] {
                controllers_.reset(
                    new Controllers{.templates{env, api, informers, may_write},
                                    .strays{env, api, informers, may_write},
                                    .sources{env, api, informers, recorder, may_write, options}});
              }) {}

bool HubScoresController::is_settled() const {
  if (!controllers_) return served_.is_missing();
  return controllers_->templates.has_synced() && controllers_->strays.has_synced() &&
         controllers_->sources.has_synced();
}

}  // namespace berth::scores
