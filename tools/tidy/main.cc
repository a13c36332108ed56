// tidy ROOT: checks the project below ROOT against its own rules; prints file:line: message.

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>
#include <vector>

#include "tidy/budgets.h"
#include "tidy/layers.h"
#include "tidy/manners.h"
#include "tidy/purity.h"

namespace {

namespace fs = std::filesystem;
using berth::tidy::Finding;
using berth::tidy::Source;

struct Tree {
  std::vector<Source> sources = {};
  std::vector<Source> pages = {};
  std::set<std::string> paths = {};
};

std::string read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool is_foreign(const fs::path& path) {
  const std::string name = path.filename().string();
  return name == ".git" || name == "build" || name == "node_modules" || name == ".cache";
}

Tree read_tree(const fs::path& root) {
  Tree tree;
  for (auto entry = fs::recursive_directory_iterator(root); entry != fs::end(entry); ++entry) {
    if (is_foreign(entry->path())) {
      entry.disable_recursion_pending();
      continue;
    }
    const std::string path = fs::relative(entry->path(), root).generic_string();
    tree.paths.insert(path);
    if (!entry->is_regular_file()) continue;
    if (path.ends_with(".md")) {
      tree.pages.push_back(berth::tidy::make_source(path, read_file(entry->path())));
    } else if (path.ends_with(".h") || path.ends_with(".cc")) {
      tree.sources.push_back(berth::tidy::make_source(path, read_file(entry->path())));
    }
  }
  return tree;
}

void add(std::vector<Finding>& findings, std::vector<Finding> more) {
  findings.insert(findings.end(), more.begin(), more.end());
}

}  // namespace

int main(int argc, char** argv) {
  const fs::path root = argc > 1 ? argv[1] : ".";
  const auto layers = berth::tidy::parse_layers(read_file(root / "tools/tidy/layers.txt"));
  if (!layers.ok()) {
    std::fprintf(stderr, "%s\n", layers.error().message.c_str());
    return 2;
  }
  const Tree tree = read_tree(root);
  std::vector<Finding> findings;
  for (const Source& source : tree.sources) {
    add(findings, check_layers(source, *layers));
    add(findings, check_purity(source));
    add(findings, check_budgets(source));
    add(findings, check_manners(source));
  }
  add(findings, check_neighbours(tree.sources));
  for (const Source& page : tree.pages) add(findings, check_links(page, tree.paths));

  for (const Finding& finding : findings) {
    std::printf("%s:%d: %s\n", finding.file.c_str(), finding.line, finding.message.c_str());
  }
  std::printf("tidy: %zu files, %zu findings\n", tree.sources.size() + tree.pages.size(),
              findings.size());
  return findings.empty() ? 0 : 1;
}
