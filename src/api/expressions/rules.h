// The environment of x-kubernetes-validations: the language and the libraries that Kubernetes
// offers there, without variables. Each rule adds self and oldSelf with their types.

#pragma once

#include <memory>

#include "cel/environment.h"

namespace berth::api {

std::shared_ptr<const cel::Environment> rule_libraries();

}  // namespace berth::api
