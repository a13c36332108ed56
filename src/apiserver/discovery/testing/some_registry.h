// A small registry for tests of what is published: pods, deployments and a custom resource.

#pragma once

#include "apiserver/registry.h"

namespace berth::apiserver::testing {

// foos.zz.io in v1 (with status and scale) and in v1beta1 (without).
std::vector<std::shared_ptr<const Resource>> custom_foos();

// Of the built-in resources only pods and deployments, and the custom ones.
Registry some_registry();

}  // namespace berth::apiserver::testing
