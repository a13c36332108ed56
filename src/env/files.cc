#include "env/files.h"

#include <algorithm>
#include <span>

#include <fmt/core.h>

namespace berth::env {
namespace {

std::string directory_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Result<std::unique_ptr<File>> write_new(Disk& disk, const std::string& path,
                                        std::string_view contents, std::uint32_t permissions) {
  // A leftover of an earlier crash may have other permissions.
  ASSIGN_OR_RETURN(const bool left_over, disk.exists(path));
  if (left_over) RETURN_IF_ERROR(disk.remove(path));
  ASSIGN_OR_RETURN(auto file,
                   disk.open(path, {.mode = OpenMode::CreateNew, .permissions = permissions}));
  RETURN_IF_ERROR(file->write_at(0, contents));
  return file;
}

}  // namespace

Result<std::string> read_file(Disk& disk, const std::string& path, std::size_t bytes_max) {
  ASSIGN_OR_RETURN(const auto file, disk.open(path, {.mode = OpenMode::ReadOnly}));
  // One byte more than allowed, so that a file without an honest size (a pipe, /proc) is caught.
  std::string contents;
  for (;;) {
    const std::size_t before = contents.size();
    const std::size_t chunk = std::min<std::size_t>(bytes_max + 1 - before, 64 * 1024);
    contents.resize(before + chunk);
    ASSIGN_OR_RETURN(const std::size_t read,
                     file->read_at(before, std::span(contents).subspan(before)));
    contents.resize(before + read);
    if (contents.size() > bytes_max) {
      return failure(Code::RequestEntityTooLarge,
                     fmt::format("{} has more than {} bytes", path, bytes_max));
    }
    if (read < chunk) return contents;
  }
}

Status replace_file(Disk& disk, const std::string& path, std::string_view contents,
                    std::uint32_t permissions) {
  const std::string beside = path + ".new";
  ASSIGN_OR_RETURN(const auto file, write_new(disk, beside, contents, permissions));
  RETURN_IF_ERROR(file->sync());
  RETURN_IF_ERROR(disk.rename(beside, path));
  return disk.sync_directory(directory_of(path));
}

Status replace_passing_file(Disk& disk, const std::string& path, std::string_view contents,
                            std::uint32_t permissions) {
  const std::string beside = path + ".new";
  RETURN_IF_ERROR(write_new(disk, beside, contents, permissions));
  return disk.rename(beside, path);
}

}  // namespace berth::env
