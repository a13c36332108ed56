#include "app/lasting_program.h"

#include <cstdio>

#include <fmt/format.h>

namespace berth::app {

int complain(const Error& error) {
  std::fputs(fmt::format("error: {}\n", error.message).c_str(), stderr);
  return 1;
}

}  // namespace berth::app
