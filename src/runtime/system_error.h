// The operating system's error numbers as our errors.

#pragma once

#include <string>

#include "base/error.h"

namespace berth::runtime {

// "open hub.db: No such file or directory".
std::string describe(int error_number, std::string_view doing);

Error network_error(int error_number, std::string_view doing);  // Codes as env/network.h has them.
Error disk_error(int error_number, std::string_view doing);     // Codes as env/disk.h has them.

}  // namespace berth::runtime
