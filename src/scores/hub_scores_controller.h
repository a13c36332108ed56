// All that Berth does about scores on a hub, once the hub knows the kinds that say what to do. On a
// hub without them, one of OCM alone, there is nothing to do but to wait for them.

#pragma once

#include <memory>

#include "client/informers_service.h"
#include "control/committer_service.h"
#include "control/recorder_service.h"
#include "control/served_service.h"
#include "env/env.h"
#include "scores/generators/generator_template_controller.h"
#include "scores/generators/stray_generators_controller.h"
#include "scores/sources/score_source_controller.h"

namespace berth::scores {

class HubScoresController {
 public:
  // All that is borrowed outlives the controller.
  HubScoresController(const env::Env& env, client::Api& api, client::Informers& informers,
                      control::RecorderService& recorder, const control::MayWrite& may_write,
                      const ScoreSourceOptions& options = {});

  // It works, or has found that it has nothing to work on.
  bool is_settled() const;

 private:
  struct Controllers {
    GeneratorTemplateController templates;
    StrayGeneratorsController strays;
    ScoreSourceController sources;
  };

  std::unique_ptr<Controllers> controllers_;
  control::ServedService served_;
};

}  // namespace berth::scores
