#include "sim/machine_disk.h"

#include <algorithm>
#include <span>
#include <utility>

#include <fmt/core.h>

namespace berth::sim {
namespace {

constexpr std::uint64_t kSector = 512;

void overwrite(std::string& file, std::uint64_t offset, std::string_view bytes) {
  if (file.size() < offset + bytes.size()) file.resize(offset + bytes.size());
  std::ranges::copy(bytes, file.begin() + static_cast<std::ptrdiff_t>(offset));
}

void apply(std::string& file, const Inode::PendingChange& change) {
  if (change.bytes) {
    overwrite(file, change.offset, *change.bytes);
  } else {
    file.resize(change.offset);
  }
}

Error io_error(std::string_view doing, std::string_view path) {
  return {.code = doing == "read" ? Code::StoreReadError : Code::InternalError,
          .message = fmt::format("{} {}: Input/output error", doing, path)};
}

}  // namespace

std::string parent_of(const std::string& path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string::npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

MachineDisk::MachineDisk(Random random) : random_(random) {}

Status MachineDisk::begin(DiskAct act, std::string_view path) {
  ++operations_;
  // A copy, because the hook may replace itself.
  if (const auto hook = on_operation) {
    if (auto error = hook(operations_, act)) return failure(std::move(*error));
  }
  if (act == DiskAct::Read && random_.chance(options.read_error)) {
    return failure(io_error("read", path));
  }
  if (act == DiskAct::Write && random_.chance(options.write_error)) {
    return failure(io_error("write", path));
  }
  if (act == DiskAct::Sync && random_.chance(options.sync_error)) {
    return failure(io_error("sync", path));
  }
  return {};
}

Result<std::size_t> MachineDisk::read(const Inode& inode, std::uint64_t offset,
                                      std::span<char> into) {
  if (offset >= inode.cached.size()) return 0;
  const std::string_view bytes = std::string_view(inode.cached).substr(offset, into.size());
  std::ranges::copy(bytes, into.begin());
  if (!bytes.empty() && random_.chance(options.bit_flip)) {
    char& byte = into[random_.below(bytes.size())];
    byte = static_cast<char>(byte ^ (1 << random_.below(8)));
  }
  return bytes.size();
}

std::uint64_t MachineDisk::used() const {
  std::uint64_t sum = 0;
  for (const auto& [path, inode] : names_) sum += inode->cached.size();
  return sum;
}

Status MachineDisk::write(Inode& inode, std::uint64_t offset, std::string_view bytes) {
  const std::uint64_t end = offset + bytes.size();
  if (end > inode.cached.size() && used() + end - inode.cached.size() > options.capacity) {
    return failure(Code::ServiceUnavailable, "write: No space left on device");
  }
  overwrite(inode.cached, offset, bytes);
  inode.pending.push_back({.offset = offset, .bytes = std::string(bytes)});
  return {};
}

void MachineDisk::truncate(Inode& inode, std::uint64_t size) {
  inode.cached.resize(size);
  inode.pending.push_back({.offset = size, .bytes = std::nullopt});
}

void MachineDisk::sync(Inode& inode) {
  for (const Inode::PendingChange& change : inode.pending) sim::apply(inode.durable, change);
  inode.pending.clear();
}

void MachineDisk::forget(Inode& inode) { inode.pending.clear(); }

std::shared_ptr<Inode> MachineDisk::find(const std::string& path) const {
  const auto found = names_.find(path);
  return found == names_.end() ? nullptr : found->second;
}

void MachineDisk::make_directory(const std::string& path) {
  for (std::string each = path; directories_.insert(each).second;) each = parent_of(each);
}

void MachineDisk::apply(Names& names, const NameChange& change) {
  if (change.inode) {
    names[change.path] = change.inode;
  } else {
    names.erase(change.path);
  }
}

void MachineDisk::link(const std::string& path, std::shared_ptr<Inode> inode) {
  pending_names_.push_back({.path = path, .inode = std::move(inode)});
  apply(names_, pending_names_.back());
}

void MachineDisk::unlink(const std::string& path) { link(path, nullptr); }

std::vector<std::string> MachineDisk::names_in(const std::string& directory) const {
  std::set<std::string> names;
  const std::string prefix = directory == "/" ? "/" : directory + "/";
  const auto add = [&](const std::string& path) {
    if (parent_of(path) != directory || path == directory) return;
    names.insert(path.starts_with(prefix) ? path.substr(prefix.size()) : path);
  };
  for (const auto& [path, inode] : names_) add(path);
  for (const std::string& path : directories_) add(path);
  names.erase(".");
  return {names.begin(), names.end()};
}

void MachineDisk::sync_names(const std::string& directory) {
  std::erase_if(pending_names_, [&](const NameChange& change) {
    if (parent_of(change.path) != directory) return false;
    apply(durable_names_, change);
    return true;
  });
}

void MachineDisk::lose_power() {
  // A journal keeps the order of names: some first part of them survives.
  std::uint64_t kept = options.unsynced == Unsynced::Kept ? pending_names_.size() : 0;
  if (options.unsynced == Unsynced::Torn) kept = random_.below(pending_names_.size() + 1);
  for (std::uint64_t i = 0; i < kept; ++i) apply(durable_names_, pending_names_[i]);
  pending_names_.clear();
  names_ = durable_names_;
  for (const auto& [path, inode] : names_) lose_power(*inode);
  locks.clear();
}

void MachineDisk::lose_power(Inode& inode) {
  for (const Inode::PendingChange& change : inode.pending) {
    if (options.unsynced == Unsynced::Lost) break;
    if (options.unsynced == Unsynced::Kept) {
      sim::apply(inode.durable, change);
    } else if (!change.bytes) {
      if (random_.chance(0.5)) inode.durable.resize(change.offset);
    } else {
      const std::string_view bytes = *change.bytes;
      for (std::uint64_t at = 0; at < bytes.size();) {
        const std::uint64_t length = kSector - (change.offset + at) % kSector;
        if (random_.chance(0.5)) {
          overwrite(inode.durable, change.offset + at, bytes.substr(at, length));
        }
        at += length;
      }
    }
  }
  inode.pending.clear();
  inode.cached = inode.durable;
}

bool MachineDisk::flip_bit(const std::string& path) {
  const std::shared_ptr<Inode> inode = find(path);
  if (!inode || inode->durable.empty()) return false;
  const std::uint64_t at = random_.below(inode->durable.size());
  const char flipped = static_cast<char>(inode->durable[at] ^ (1 << random_.below(8)));
  inode->durable[at] = flipped;
  if (at < inode->cached.size()) inode->cached[at] = flipped;
  return true;
}

std::vector<std::string> MachineDisk::paths() const {
  std::vector<std::string> result;
  for (const auto& [path, inode] : names_) result.push_back(path);
  return result;
}

}  // namespace berth::sim
