// berth hub backup and restore: everything a hub knows, in one file and back.

#include <cstdio>
#include <memory>
#include <string>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "app/command.h"
#include "app/lasting_program.h"
#include "runtime/system.h"
#include "store/backup_service.h"

namespace berth::app {
namespace {

struct BackupFlags {
  std::string directory = "berth-data";
  std::string file;
};

std::string store_of(const BackupFlags& flags) { return flags.directory + "/store"; }

int run_backup(const BackupFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1});
  const auto report = store::back_up_directory(system.env(0).disk, store_of(flags), flags.file);
  if (!report.ok()) {
    if (report.error().code != Code::Conflict) return complain(report.error());
    return complain({.code = Code::Conflict,
                     .message = fmt::format(
                         "a hub serves {}: ask it for the backup with\n  kubectl --kubeconfig "
                         "{}/kubeconfig create --raw /backup -f /dev/null",
                         flags.directory, flags.directory)});
  }
  fmt::print("{}: {} objects at revision {}\n", flags.file, report->objects, report->revision);
  return 0;
}

int run_restore(const BackupFlags& flags) {
  runtime::System system({.loops = 1, .workers = 1});
  const auto report = store::restore_backup(system.env(0).disk, flags.file, store_of(flags));
  if (!report.ok()) return complain(report.error());
  fmt::print("{}: {} objects; revisions go on from {}\n", flags.directory, report->objects,
             report->revision);
  return 0;
}

}  // namespace

void add_hub_backup(CLI::App& hub, Action& action) {
  const auto flags = std::make_shared<BackupFlags>();
  CLI::App* backup = hub.add_subcommand("backup", "Write everything a hub knows into one file");
  CLI::App* restore =
      hub.add_subcommand("restore", "Make the data directory of a new hub from a backup");
  for (CLI::App* command : {backup, restore}) {
    command->add_option("--data-dir", flags->directory, "The hub's data directory")
        ->capture_default_str();
    command->add_option("FILE", flags->file, "The backup")->required();
  }
  restore->footer(
      "The keys in DATA-DIR/pki are not part of a backup: copy them too, or agents and users have\n"
      "to join again. Revisions jump forward, so that every client notices and lists anew.");
  backup->callback([&action, flags] { action = [flags] { return run_backup(*flags); }; });
  restore->callback([&action, flags] { action = [flags] { return run_restore(*flags); }; });
}

}  // namespace berth::app
