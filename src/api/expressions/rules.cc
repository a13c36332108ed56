#include "api/expressions/rules.h"

#include "api/expressions/libraries.h"
#include "cel/ext_sets.h"

namespace berth::api {

std::shared_ptr<const cel::Environment> rule_libraries() {
  auto environment = std::make_shared<cel::Environment>();
  add_kubernetes_libraries(*environment, SemverVersion::Normalizing);
  cel::add_sets_library(*environment);
  environment->enable_cross_type_comparisons();
  return environment;
}

}  // namespace berth::api
