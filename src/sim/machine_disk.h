// The disk of one simulated machine: what is cached, what is durable, and how it fails.

#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/random.h"
#include "base/result.h"
#include "base/time.h"

namespace berth::sim {

// What a loss of power does to bytes and names that were written but not synced.
enum class Unsynced {
  Lost,  // All of them are gone.
  Kept,  // All of them happen to be on the disk.
  Torn,  // Each sector of 512 bytes is or is not; names, in their order, up to some point.
};

struct DiskOptions {
  Unsynced unsynced = Unsynced::Lost;
  Duration read_latency = Duration::zero();
  Duration write_latency = Duration::zero();
  Duration sync_latency = Duration::zero();
  std::uint64_t capacity = 1ull << 40;
  // Chances per operation.
  double read_error = 0;
  double write_error = 0;
  double sync_error = 0;
  double bit_flip = 0;  // In what a read returns.
};

enum class DiskAct { Read, Write, Truncate, Sync, Name };

// One file. Readers see `cached`; a loss of power leaves `durable` and what it spares of `pending`.
struct Inode {
  struct PendingChange {
    std::uint64_t offset;              // Of a write; the new size of a truncation.
    std::optional<std::string> bytes;  // Absent: a truncation.
  };
  std::string cached;
  std::string durable;
  std::vector<PendingChange> pending;
};

class MachineDisk {
 public:
  explicit MachineDisk(Random random);

  DiskOptions options;

  // Asked before each operation, with its number (from 1): may crash the machine, or answer with an
  // error that the operation then has.
  std::function<std::optional<Error>(std::uint64_t number, DiskAct act)> on_operation;
  std::uint64_t operations() const { return operations_; }

  // Bytes.
  Status begin(DiskAct act, std::string_view path);
  Result<std::size_t> read(const Inode& inode, std::uint64_t offset, std::span<char> into);
  Status write(Inode& inode, std::uint64_t offset, std::string_view bytes);
  void truncate(Inode& inode, std::uint64_t size);
  void sync(Inode& inode);
  void forget(Inode& inode);  // A failed sync: the cache calls clean what never reached the disk.

  // Names.
  std::shared_ptr<Inode> find(const std::string& path) const;
  bool has_directory(const std::string& path) const { return directories_.contains(path); }
  void make_directory(const std::string& path);
  void link(const std::string& path, std::shared_ptr<Inode> inode);
  void unlink(const std::string& path);
  std::vector<std::string> names_in(const std::string& directory) const;
  void sync_names(const std::string& directory);

  // The power fails and comes back.
  void lose_power();

  // For tests and faults: changes one bit of what is durable. False if the file is empty.
  bool flip_bit(const std::string& path);
  std::vector<std::string> paths() const;

  // Locks, released when their process ends.
  std::map<std::string, std::weak_ptr<void>> locks;

 private:
  // A name that changed since its directory was synced; a null inode is a removal.
  struct NameChange {
    std::string path;
    std::shared_ptr<Inode> inode;
  };
  using Names = std::map<std::string, std::shared_ptr<Inode>>;

  static void apply(Names& names, const NameChange& change);
  void lose_power(Inode& inode);
  std::uint64_t used() const;

  Random random_;
  std::uint64_t operations_ = 0;
  Names names_;
  Names durable_names_;
  std::vector<NameChange> pending_names_;
  std::set<std::string> directories_ = {"/", "."};  // Durable as soon as they are made.
};

// "/a/b" of "/a/b/c"; "." of "c".
std::string parent_of(const std::string& path);

}  // namespace berth::sim
