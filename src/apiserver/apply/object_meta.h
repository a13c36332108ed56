// The schema of metadata, which is the same for every kind: custom resources do not declare it.

#pragma once

#include "apiserver/schema/schema.h"

namespace berth::apiserver {

// ObjectMeta as far as apply looks at it: labels and annotations by key, finalizers as a set, owner
// references by uid and each as a whole.
const Schema& object_meta_schema();

// Any text: apiVersion and kind.
const Schema& text_schema();

}  // namespace berth::apiserver
