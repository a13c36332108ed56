// Custom resource definitions on the server under test.

#pragma once

#include <filesystem>
#include <memory>

#include "base/result.h"
#include "kube/paths.h"
#include "kube/server.h"

namespace berth::kube {

// Applies the file as kubectl does and waits until every definition in it is served.
Status apply_crds(Server& server, const std::filesystem::path& file);

Status apply_berth_crds(Server& server);    // What `berth crds` prints.
Status apply_berth_guards(Server& server);  // The same with the guards.
Status apply_ocm_crds(Server& server);      // The reference's own, from $BERTH_OCM.

// A server that knows Berth's kinds from the start, as the embedded hub does.
Result<std::unique_ptr<Server>> start_with_berth_crds(ServerOptions options = {});

// As long as it lives, such servers of this process and of those that it starts find Berth's kinds
// in their etcd, which saves each of them seconds.
class PreparedCrds {
 public:
  PreparedCrds();
  ~PreparedCrds();

  PreparedCrds(const PreparedCrds&) = delete;
  PreparedCrds& operator=(const PreparedCrds&) = delete;

 private:
  std::unique_ptr<Server> server_;  // Has ended; its folder stays.
};

}  // namespace berth::kube
