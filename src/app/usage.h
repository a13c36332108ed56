// What to say to a command line that was not understood: which word is wrong, and what was
// probably meant.

#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace berth::app {

// Of what CLI11 says, or better where the words show more. Without "error: ", of one line or two.
std::string usage_error(const CLI::App& app, const std::vector<std::string>& words,
                        const std::string& said);

}  // namespace berth::app
