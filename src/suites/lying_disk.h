// A disk that says it has synced and has not, to see whether somebody notices.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/disk.h"

namespace berth::suites {

class LyingDisk final : public env::Disk {
 public:
  explicit LyingDisk(env::Disk& disk) : disk_(disk) {}

  Result<std::unique_ptr<env::File>> open(const std::string& path,
                                          env::OpenOptions options) override;
  Status remove(const std::string& path) override { return disk_.remove(path); }
  Result<bool> exists(const std::string& path) const override { return disk_.exists(path); }
  Status rename(const std::string& from, const std::string& to) override {
    return disk_.rename(from, to);
  }
  Status create_directory(const std::string& path) override { return disk_.create_directory(path); }
  Result<std::vector<std::string>> list(const std::string& directory) const override {
    return disk_.list(directory);
  }
  Status sync_directory(const std::string& directory) override {
    return disk_.sync_directory(directory);
  }
  Result<std::unique_ptr<env::DiskLock>> lock(const std::string& path) override {
    return disk_.lock(path);
  }

 private:
  env::Disk& disk_;
};

}  // namespace berth::suites
