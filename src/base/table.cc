#include "base/table.h"

#include <algorithm>

#include "base/strings.h"

namespace berth {
namespace {

constexpr std::size_t kGap = 3;
constexpr std::size_t kWrapMin = 20;  // A column that is narrower is not worth reading.

std::vector<std::size_t> column_ends(const std::vector<Row>& rows) {
  std::vector<std::size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
  }
  std::size_t end = 0;
  for (std::size_t& width : widths) width = end += width + kGap;
  return widths;
}

void end_line(std::string& text) {
  while (text.ends_with(' ')) text.pop_back();
  text += '\n';
}

}  // namespace

std::vector<std::string> wrap(std::string_view text, std::size_t width) {
  std::vector<std::string> lines(1);
  for (const std::string_view word : split(text, ' ')) {
    const bool fits = lines.back().size() + 1 + word.size() <= width;
    if (lines.back().empty()) {
      lines.back() = word;
    } else if (fits) {
      lines.back().append(" ").append(word);
    } else {
      lines.emplace_back(word);
    }
  }
  return lines;
}

std::string format_table(const std::vector<Row>& rows, const TableOptions& options) {
  const std::vector<std::size_t> ends = column_ends(rows);
  const std::size_t last_begin = ends.size() < 2 ? 0 : ends[ends.size() - 2];
  const bool wraps = options.width_max > last_begin + kWrapMin;
  std::string text;
  for (const Row& row : rows) {
    const std::size_t line_begin = text.size();
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i > 0) text.resize(line_begin + ends[i - 1], ' ');
      if (i + 1 < ends.size() || !wraps) {
        text += row[i];
        continue;
      }
      const auto lines = wrap(row[i], options.width_max - last_begin);
      text += lines.front();
      for (std::size_t line = 1; line < lines.size(); ++line) {
        end_line(text);
        text.append(last_begin, ' ').append(lines[line]);
      }
    }
    end_line(text);
  }
  return text;
}

}  // namespace berth
