#include "views/table.h"

#include <algorithm>

#include "base/check.h"

namespace berth::views {
namespace {

constexpr std::size_t kGap = 3;

void append_row(std::string& text, const Row& row, const std::vector<std::size_t>& widths) {
  CHECK(row.size() == widths.size());
  for (std::size_t i = 0; i < row.size(); ++i) {
    text += row[i];
    if (i + 1 < row.size()) text.append(widths[i] + kGap - row[i].size(), ' ');
  }
  while (text.ends_with(' ')) text.pop_back();
  text += '\n';
}

}  // namespace

std::string table_text(const Row& columns, std::span<const Row> rows) {
  std::vector<std::size_t> widths;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    std::size_t width = columns[i].size();
    for (const Row& row : rows) width = std::max(width, row.at(i).size());
    widths.push_back(width);
  }
  std::string text;
  append_row(text, columns, widths);
  for (const Row& row : rows) append_row(text, row, widths);
  return text;
}

}  // namespace berth::views
