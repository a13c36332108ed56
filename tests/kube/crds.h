// Custom resource definitions on the server under test.

#pragma once

#include <filesystem>

#include "base/result.h"
#include "kube/paths.h"
#include "kube/server.h"

namespace berth::kube {

// Applies the file as kubectl does and waits until every definition in it is served.
Status apply_crds(Server& server, const std::filesystem::path& file);

Status apply_berth_crds(Server& server);    // What `berth crds` prints.
Status apply_berth_guards(Server& server);  // The same with the guards.
Status apply_ocm_crds(Server& server);      // The reference's own, from $BERTH_OCM.

}  // namespace berth::kube
