#include "app/key_modes.h"

#include <filesystem>

#include <fmt/format.h>

namespace berth::app {
namespace {

namespace fs = std::filesystem;

// None when there is no such file: then nobody can read it.
fs::perms mode_of(const fs::path& path) {
  std::error_code missing;
  const fs::file_status status = fs::status(path, missing);
  return missing || !fs::exists(status) ? fs::perms::none : status.permissions();
}

bool has_any(fs::perms mode, fs::perms some) { return (mode & some) != fs::perms::none; }

}  // namespace

Status check_key_modes(const std::string& data_directory) {
  for (const char* name : {"ca.key", "sa.key"}) {
    const fs::path path = fs::path(data_directory) / "pki" / name;
    const fs::perms mode = mode_of(path);
    if (!has_any(mode, fs::perms::group_all | fs::perms::others_all)) continue;
    return failure(Code::Forbidden,
                   fmt::format("{} has the mode {:04o}: others than its owner may have read it. "
                               "Replace it if they could have; else `chmod 600 {}`",
                               path.string(), static_cast<unsigned>(mode), path.string()));
  }
  return {};
}

std::vector<std::string> open_to_everybody(const std::vector<std::string>& paths) {
  std::vector<std::string> open;
  for (const std::string& path : paths) {
    if (!path.empty() && has_any(mode_of(path), fs::perms::others_read)) open.push_back(path);
  }
  return open;
}

}  // namespace berth::app
