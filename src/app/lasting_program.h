// Runs what lives on one loop until it ends: by itself, or because a signal asked for it.

#pragma once

#include <future>
#include <memory>
#include <utility>

#include "app/log_flags.h"
#include "base/error.h"
#include "env/env.h"
#include "runtime/signals.h"
#include "runtime/system.h"

namespace berth::app {

// Tells the user; the exit code that goes with it.
int complain(const Error& error);

// `settings_of(env)` says with what the program is made, or what is wrong with the flags. The
// program has start(), stop(), and a callback for its end. The result is the exit code.
template <typename Program, typename SettingsOf>
int run_lasting_program(const LogFlags& log, const SettingsOf& settings_of) {
  runtime::Signals signals;
  runtime::System system({.loops = 1, .workers = 1, .log = log_options(log)});
  env::Env& env = system.env(0);
  auto settings = settings_of(env);
  if (!settings.ok()) return complain(settings.error());

  std::promise<Status> ended;
  std::unique_ptr<Program> program;
  runtime::run_on(env.loop, [&] {
    program = std::make_unique<Program>(
        env, *std::move(settings), [&ended](const Status& status) { ended.set_value(status); });
    program->start();
  });
  signals.handle(env.loop, {.drain = [&program] { program->stop(); }, .reload = [] {}});
  const Status status = ended.get_future().get();
  runtime::run_on(env.loop, [&] { program.reset(); });
  return status.ok() ? 0 : complain(status.error());
}

}  // namespace berth::app
