// From a CustomResourceDefinition to the resources that the hub serves for it.

#pragma once

#include <memory>
#include <vector>

#include "apiserver/custom/definition.h"
#include "apiserver/resource.h"
#include "apiserver/schema/schema.h"

namespace berth::apiserver {

// One for each served version; none before the definition is established. Names are the accepted
// ones. The definition has passed validate_definition(). `object_meta` is the type of metadata; it
// must outlive the resources.
std::vector<std::shared_ptr<const Resource>> custom_resources(const Definition& definition,
                                                              const Schema* object_meta);

// What every answer of a deprecated version carries; empty for other versions.
std::string deprecation_warning(const Definition& definition, const DefinitionVersion& version);

}  // namespace berth::apiserver
