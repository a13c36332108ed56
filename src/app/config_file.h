// --config: flags from a file, for commands that run as services.

#pragma once

namespace CLI {
class App;
}

namespace berth::app {

// To be called before other options are added: what the command line says wins over the file. A
// line is NAME=VALUE, as the long flag without its dashes; a name that the command does not have is
// refused.
void add_config_file(CLI::App& command);

}  // namespace berth::app
