// Whole small files on a Disk: read one, replace one so that whoever reads it finds the old or the
// new.

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "env/disk.h"

namespace berth::env {

// Refuses (RequestEntityTooLarge) a file with more than `bytes_max` bytes.
Result<std::string> read_file(Disk& disk, const std::string& path, std::size_t bytes_max);

// Writes beside it, syncs, renames, syncs the directory: durable when it returns ok, and a crash
// leaves the old or the new. The name PATH.new is used on the way.
Status replace_file(Disk& disk, const std::string& path, std::string_view contents,
                    std::uint32_t permissions);

// The same without waiting for the disk: for what is written anew at the next start. After a power
// cut it may be empty.
Status replace_passing_file(Disk& disk, const std::string& path, std::string_view contents,
                            std::uint32_t permissions);

}  // namespace berth::env
