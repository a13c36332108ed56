// Rules of form: purpose comments, plain ASCII, nothing unfinished, nothing dead.

#pragma once

#include <set>
#include <string>
#include <vector>

#include "tidy/source.h"

namespace berth::tidy {

// What one file shows by itself.
std::vector<Finding> check_manners(const Source& source);

// What needs the others: headers that nobody includes, code that has no test beside it.
std::vector<Finding> check_neighbours(const std::vector<Source>& sources);

// Links of Markdown pages and file names in back quotes must exist. `paths` has every file and
// folder.
std::vector<Finding> check_links(const Source& page, const std::set<std::string>& paths);

}  // namespace berth::tidy
