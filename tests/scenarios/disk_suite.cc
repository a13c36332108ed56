// One machine and its disk: what survives what.
//
//   write FILE TEXT [at=OFFSET] | sync FILE | sync-directory | rename FROM TO | remove FILE
//   show                      all files as the process sees them
//   kill | power-loss [unsynced=lost|kept|torn]     and start again
//   fail sync|write|none      from now on these fail
//   fill                      the disk has no room left
//   flip FILE                 one bit on the disk changes

#include <memory>
#include <string>
#include <utility>

#include <fmt/core.h>

#include "base/strings.h"
#include "env/env.h"
#include "env/files.h"
#include "sim/world.h"
#include "suites.h"

namespace berth::scenarios {
namespace {

class Stage {
 public:
  using Command = sim::ScenarioCommand;

  Stage() {
    node_.start([this](std::span<env::Env> loops) {
      disk_ = &loops[0].disk;
      return std::make_shared<int>(0);
    });
    world_.run_for(Duration::zero());
  }

  Result<std::string> write(const Command& command) {
    ASSIGN_OR_RETURN(const std::string path, command.argument(0, "a file"));
    ASSIGN_OR_RETURN(const std::string text, command.argument(1, "a text"));
    ASSIGN_OR_RETURN(env::File* const file, open(path));
    ASSIGN_OR_RETURN(const std::uint64_t end, file->size());
    const std::uint64_t offset =
        parse_uint64(command.option_or("at", std::to_string(end))).value_or(end);
    RETURN_IF_ERROR(file->write_at(offset, text));
    return std::string();
  }

  Result<std::string> sync(const Command& command) {
    ASSIGN_OR_RETURN(const std::string path, command.argument(0, "a file"));
    ASSIGN_OR_RETURN(env::File* const file, open(path));
    RETURN_IF_ERROR(file->sync());
    return std::string();
  }

  Result<std::string> sync_directory() {
    RETURN_IF_ERROR(disk_->sync_directory("."));
    return std::string();
  }

  Result<std::string> rename(const Command& command) {
    ASSIGN_OR_RETURN(const std::string from, command.argument(0, "a file"));
    ASSIGN_OR_RETURN(const std::string to, command.argument(1, "a file"));
    RETURN_IF_ERROR(disk_->rename(from, to));
    return std::string();
  }

  Result<std::string> remove(const Command& command) {
    ASSIGN_OR_RETURN(const std::string path, command.argument(0, "a file"));
    RETURN_IF_ERROR(disk_->remove(path));
    return std::string();
  }

  Result<std::string> show() {
    ASSIGN_OR_RETURN(const auto names, disk_->list("."));
    std::string text;
    for (const std::string& name : names) {
      ASSIGN_OR_RETURN(const std::string contents, env::read_file(*disk_, name, 1 << 20));
      text += fmt::format("{:<8} {}\n", name, quote(contents));
    }
    return text.empty() ? "no files" : text;
  }

  Result<std::string> crash(const Command& command, sim::Crash kind) {
    const std::string fate = command.option_or("unsynced", "lost");
    node_.disk().options.unsynced = fate == "kept"   ? sim::Unsynced::Kept
                                    : fate == "torn" ? sim::Unsynced::Torn
                                                     : sim::Unsynced::Lost;
    files_.clear();
    node_.crash(kind);
    node_.restart();
    world_.run_for(Duration::zero());
    return std::string();
  }

  Result<std::string> fail(const Command& command) {
    ASSIGN_OR_RETURN(const std::string what, command.argument(0, "sync, write or none"));
    node_.disk().options.sync_error = what == "sync" ? 1 : 0;
    node_.disk().options.write_error = what == "write" ? 1 : 0;
    return std::string();
  }

  Result<std::string> fill() {
    node_.disk().options.capacity = 0;
    return std::string();
  }

  Result<std::string> flip(const Command& command) {
    ASSIGN_OR_RETURN(const std::string path, command.argument(0, "a file"));
    if (!node_.disk().flip_bit(path)) return failure(command.error("nothing to flip"));
    return std::string();
  }

 private:
  // Files stay open, as a database's do, until the process ends.
  Result<env::File*> open(const std::string& path) {
    std::unique_ptr<env::File>& file = files_[path];
    if (!file) {
      ASSIGN_OR_RETURN(file, disk_->open(path, {.mode = env::OpenMode::Create}));
    }
    return file.get();
  }

  sim::World world_{{.seed = 1}};
  sim::Node& node_ = world_.add_node("machine");
  env::Disk* disk_ = nullptr;
  std::map<std::string, std::unique_ptr<env::File>> files_;
};

}  // namespace

sim::ScenarioHandlers disk_suite() {
  const auto stage = std::make_shared<Stage>();
  return {
      {"write", [stage](const auto& command) { return stage->write(command); }},
      {"sync", [stage](const auto& command) { return stage->sync(command); }},
      {"sync-directory", [stage](const auto&) { return stage->sync_directory(); }},
      {"rename", [stage](const auto& command) { return stage->rename(command); }},
      {"remove", [stage](const auto& command) { return stage->remove(command); }},
      {"show", [stage](const auto&) { return stage->show(); }},
      {"kill", [stage](const auto& command) { return stage->crash(command, sim::Crash::Process); }},
      {"power-loss",
       [stage](const auto& command) { return stage->crash(command, sim::Crash::Power); }},
      {"fail", [stage](const auto& command) { return stage->fail(command); }},
      {"fill", [stage](const auto&) { return stage->fill(); }},
      {"flip", [stage](const auto& command) { return stage->flip(command); }},
  };
}

}  // namespace berth::scenarios
