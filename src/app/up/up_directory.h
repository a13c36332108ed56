// Where a local fleet keeps its data, and who runs it.

#pragma once

#include <cstdint>
#include <string>

#include "base/result.h"

namespace berth::app {

// $XDG_DATA_HOME/berth/up, or below the home folder; "berth-up" without either.
std::string default_up_directory();

// Makes it, if need be. BadRequest: there is something else in it already.
Status claim_up_directory(const std::string& directory);

bool is_up_directory(const std::string& directory);

// The last process that ran the fleet, and where it listened. Zeros: nobody is known.
struct UpRun {
  int pid = 0;
  std::uint16_t port = 0;
};
Status write_up_run(const std::string& directory, const UpRun& run);
UpRun last_up_run(const std::string& directory);

}  // namespace berth::app
