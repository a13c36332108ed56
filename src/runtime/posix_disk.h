// Real files.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/disk.h"

namespace berth::runtime {

class PosixDisk final : public env::Disk {
 public:
  Result<std::unique_ptr<env::File>> open(const std::string& path,
                                          env::OpenOptions options) override;
  Status remove(const std::string& path) override;
  Result<bool> exists(const std::string& path) const override;
  Status rename(const std::string& from, const std::string& to) override;
  Status create_directory(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) const override;
  Status sync_directory(const std::string& directory) override;
  Result<std::unique_ptr<env::DiskLock>> lock(const std::string& path) override;
};

}  // namespace berth::runtime
