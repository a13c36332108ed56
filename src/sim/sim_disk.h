// A machine's disk as one loop of a process on it sees it.

#pragma once

#include <memory>
#include <string>
#include <vector>

#include "env/disk.h"
#include "sim/machine_disk.h"
#include "sim/sim_loop.h"

namespace berth::sim {

// After the process has died every call fails and changes nothing.
class SimDisk final : public env::Disk {
 public:
  SimDisk(MachineDisk& machine, SimLoop& loop) : machine_(machine), loop_(loop) {}

  Result<std::unique_ptr<env::File>> open(const std::string& path,
                                          env::OpenOptions options) override;
  Status remove(const std::string& path) override;
  Result<bool> exists(const std::string& path) const override;
  Status rename(const std::string& from, const std::string& to) override;
  Status create_directory(const std::string& path) override;
  Result<std::vector<std::string>> list(const std::string& directory) const override;
  Status sync_directory(const std::string& directory) override;
  Result<std::unique_ptr<env::DiskLock>> lock(const std::string& path) override;

 private:
  Status begin_naming(const std::string& path) const;

  MachineDisk& machine_;
  SimLoop& loop_;
};

}  // namespace berth::sim
