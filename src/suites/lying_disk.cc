// Tested by store_workload_test.cc.

#include "suites/lying_disk.h"

#include <utility>

namespace berth::suites {
namespace {

class LyingFile final : public env::File {
 public:
  explicit LyingFile(std::unique_ptr<env::File> file) : file_(std::move(file)) {}

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) const override {
    return file_->read_at(offset, into);
  }
  Status write_at(std::uint64_t offset, std::string_view bytes) override {
    return file_->write_at(offset, bytes);
  }
  Status truncate(std::uint64_t size) override { return file_->truncate(size); }
  Status sync() override { return {}; }
  Result<std::uint64_t> size() const override { return file_->size(); }

 private:
  std::unique_ptr<env::File> file_;
};

}  // namespace

Result<std::unique_ptr<env::File>> LyingDisk::open(const std::string& path,
                                                   env::OpenOptions options) {
  ASSIGN_OR_RETURN(auto file, disk_.open(path, options));
  // Only where commits go: a store that cannot even be made would be no test.
  if (!path.ends_with("store.db-wal")) return file;
  return std::make_unique<LyingFile>(std::move(file));
}

}  // namespace berth::suites
