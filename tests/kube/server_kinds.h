// The servers that clients are tried on: Berth's hub always, and the real one where it is there, to
// show that what is expected of ours is right.

#pragma once

#include <string>
#include <vector>

#include "kube/server.h"

namespace berth::kube {

std::vector<ServerKind> client_servers();

std::string name_of(ServerKind kind);  // As a part of a test's name.

}  // namespace berth::kube
