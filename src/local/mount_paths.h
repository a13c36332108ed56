// Where the files of a container really are: a process that is no container sees the machine's
// paths, so what its pod says about mounts is said with other paths.

#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "local/container_spec.h"

namespace berth::local {

// "/etc/hub" under the folder "/tmp/x" is "/tmp/x/etc/hub".
std::string path_on_machine(std::string_view folder, std::string_view path);

// The text with every path that lies in one of the mounts replaced; "/etc/hub-two" does not lie in
// "/etc/hub".
std::string with_machine_paths(std::string_view text, std::string_view folder,
                               const std::vector<Mount>& mounts);

}  // namespace berth::local
