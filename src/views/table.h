// A table of text in kubectl's form: columns as wide as their widest cell, three spaces between.

#pragma once

#include <span>
#include <string>
#include <vector>

namespace berth::views {

using Row = std::vector<std::string>;

// Every row has as many cells as there are columns. An empty one is shown as nothing.
std::string table_text(const Row& columns, std::span<const Row> rows);

}  // namespace berth::views
