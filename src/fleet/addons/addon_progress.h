// How far the configuration of an add-on on one cluster is: the condition Progressing, and what
// counts as applied once its works are in place.

#pragma once

#include <span>

#include "base/time.h"
#include "fleet/addons/names.h"
#include "json/value.h"

namespace berth::fleet {

struct AddOnProgressView {
  const AddOnKey& key;
  const json::Value& spec;                         // Of the ManagedClusterAddOn.
  std::span<const json::Value* const> works = {};  // With the add-on's label.
  Time now;
};

json::Value with_add_on_progress(json::Value status, const AddOnProgressView& view);

}  // namespace berth::fleet
