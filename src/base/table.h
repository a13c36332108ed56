// Tables for people, in the manner of kubectl.

#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

using Row = std::vector<std::string>;

struct TableOptions {
  // The last column is broken at blanks so that lines stay below this; 0: never.
  std::size_t width_max = 0;
};

// Columns as wide as their widest cell, three blanks between them, the first row is the header.
// Every line ends with a newline and without blanks; rows may be shorter than the header.
std::string format_table(const std::vector<Row>& rows, const TableOptions& options = {});

// The words of the text in lines of at most `width` bytes; a longer word has a line of its own.
std::vector<std::string> wrap(std::string_view text, std::size_t width);

}  // namespace berth
