#include "tidy/layers.h"

#include <fmt/format.h>
#include <re2/re2.h>

#include "base/strings.h"

namespace berth::tidy {
namespace {

constexpr std::string_view kAnything = "*";

bool may_include(const Source& source, const std::string& target, const Layers& layers) {
  const std::string_view folder = source.folder();
  if (target == "base" || target == folder) return true;
  const auto row = layers.allowed.find(folder);
  if (row == layers.allowed.end()) return false;
  if (row->second.contains(std::string(kAnything)) || row->second.contains(target)) return true;
  if (!source.is_shell()) return false;
  const auto shell = layers.allowed_in_shells.find(folder);
  return shell != layers.allowed_in_shells.end() && shell->second.contains(target);
}

// Whether every file of the folder may wait: it may include the seam, or anything.
bool is_impure(std::string_view folder, const Layers& layers) {
  const auto row = layers.allowed.find(folder);
  return row != layers.allowed.end() &&
         (row->second.contains(std::string(kAnything)) || row->second.contains("env"));
}

bool is_for_tests(const Source& source) {
  return source.is_test() || source.path.contains("/testing/");
}

bool is_shell_header(std::string_view header) {
  return header.ends_with("_service.h") || header.ends_with("_controller.h");
}

}  // namespace

Result<Layers> parse_layers(std::string_view text) {
  Layers layers;
  int number = 0;
  for (const std::string_view line : lines_of(text)) {
    ++number;
    const std::string_view row = trim(line);
    if (row.empty() || row.starts_with('#')) continue;
    const std::size_t colon = row.find(':');
    if (colon == std::string_view::npos) {
      return failure(Code::Invalid,
                     fmt::format("layers.txt:{}: expected 'folder: folders'", number));
    }
    std::string_view folder = row.substr(0, colon);
    auto* table = &layers.allowed;
    if (folder.ends_with('+')) {
      folder.remove_suffix(1);
      table = &layers.allowed_in_shells;
    }
    std::set<std::string>& targets = (*table)[std::string(folder)];
    for (const std::string_view word : split(row.substr(colon + 1), ' ')) {
      if (!word.empty()) targets.emplace(word);
    }
  }
  return layers;
}

std::vector<Finding> check_layers(const Source& source, const Layers& layers) {
  std::vector<Finding> findings;
  const std::string_view folder = source.folder();
  if (folder.empty()) return findings;
  if (!layers.allowed.contains(folder)) {
    findings.push_back({source.path, 1, fmt::format("folder '{}' is not in layers.txt", folder)});
    return findings;
  }
  static const re2::RE2 kInclude(R"(#include "(([a-z_]+)/[^"]+))");
  const bool is_pure = !source.is_shell() && !is_for_tests(source) && !is_impure(folder, layers);
  int number = 0;
  for (const std::string_view line : lines_of(source.code)) {
    ++number;
    std::string header;
    std::string target;
    const re2::StringPiece text(line.data(), line.size());
    if (!re2::RE2::PartialMatch(text, kInclude, &header, &target)) continue;
    if (is_pure && is_shell_header(header)) {
      findings.push_back(
          {source.path, number, fmt::format("pure code may not include the shell '{}'", header)});
    }
    // What a test needs to build its world is not a dependency of the product.
    if (is_for_tests(source) && (target == "sim" || target == "runtime")) continue;
    if (!may_include(source, target, layers)) {
      findings.push_back(
          {source.path, number,
           fmt::format("'{}' may not include '{}' (see layers.txt)", folder, target)});
    }
  }
  return findings;
}

}  // namespace berth::tidy
