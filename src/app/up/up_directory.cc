// Tested by tests/kube/up_test.cc.
#include "app/up/up_directory.h"

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <system_error>

#include <fmt/format.h>

#include "base/strings.h"

namespace berth::app {
namespace {

// By this file a folder is known as ours: it is deleted as a whole one day.
constexpr const char* kMark = "/berth-up";
constexpr const char* kRunFile = "/run";

Status cannot_write(const std::string& path) {
  return failure(Code::InternalError, fmt::format("cannot write {}: {}", quote(path),
                                                  std::generic_category().message(errno)));
}

Status write_text(const std::string& path, const std::string& text) {
  std::ofstream file(path, std::ios::trunc);
  file << text;
  file.close();
  return file ? Status() : cannot_write(path);
}

}  // namespace

std::string default_up_directory() {
  if (const char* data = std::getenv("XDG_DATA_HOME"); data && *data) {
    return std::string(data) + "/berth/up";
  }
  if (const char* home = std::getenv("HOME"); home && *home) {
    return std::string(home) + "/.local/share/berth/up";
  }
  return "berth-up";
}

Status claim_up_directory(const std::string& directory) {
  if (is_up_directory(directory)) return {};
  std::error_code error;
  const bool is_used =
      std::filesystem::exists(directory, error) && !std::filesystem::is_empty(directory, error);
  if (is_used) {
    return failure(Code::BadRequest,
                   fmt::format("--data-dir: {} has other things in it; name an empty or a new "
                               "folder: \"berth down\" deletes it as a whole",
                               quote(directory)));
  }
  std::filesystem::create_directories(directory, error);
  if (error) {
    return failure(Code::BadRequest, fmt::format("--data-dir: cannot make {}: {}", quote(directory),
                                                 error.message()));
  }
  return write_text(directory + kMark, "The data of a local fleet (berth up).\n");
}

bool is_up_directory(const std::string& directory) {
  std::error_code error;
  return std::filesystem::exists(directory + kMark, error);
}

Status write_up_run(const std::string& directory, const UpRun& run) {
  return write_text(directory + kRunFile, fmt::format("{} {}\n", run.pid, run.port));
}

UpRun last_up_run(const std::string& directory) {
  UpRun run;
  std::ifstream(directory + kRunFile) >> run.pid >> run.port;
  return run;
}

}  // namespace berth::app
