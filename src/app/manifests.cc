// berth manifests: what to apply on a cluster so that Berth runs there. What there is, is in
// deploy/: each folder with a kustomization.yaml is a part, and that file lists its manifests.
// Tested by tests/kube/manifests_test.cc.

#include <algorithm>
#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/command.h"
#include "app/embedded_files.h"
#include "app/lasting_program.h"
#include "app/shipped_image.h"
#include "base/check.h"
#include "json/yaml_read.h"

namespace berth::app {
namespace {

constexpr std::string_view kRoot = "deploy/";
constexpr std::string_view kList = "/kustomization.yaml";
constexpr std::string_view kKinds = "kinds";
constexpr std::string_view kAll = "all";

struct ManifestFlags {
  std::vector<std::string> parts = {};
  std::string image = {};
};

struct Part {
  std::string name;
  std::string about;  // One sentence.
  std::vector<std::string_view> texts = {};
};

std::string_view text_of(const std::string& path) {
  const auto file = std::ranges::find(embedded_files(), path, &EmbeddedFile::path);
  CHECK(file != embedded_files().end());
  return file->text;
}

Part kinds() {
  Part part{.name = std::string(kKinds), .about = "What berth crds prints: kinds and guards."};
  for (const EmbeddedFile& file : embedded_files()) {
    const bool is_kind =
        file.path.starts_with("deploy/crds/") || file.path.starts_with("deploy/guards/");
    if (is_kind) part.texts.push_back(file.text);
  }
  return part;
}

Part part_of(const std::string& name, std::string_view list) {
  const std::size_t end = list.find('\n');
  Part part{.name = name, .about = std::string(list.substr(2, end - 2))};
  const auto listed = json::read_one_yaml(list);
  CHECK(listed.ok());
  for (const json::Value& resource : api::elements_field(*listed, "resources")) {
    part.texts.push_back(text_of(fmt::format("{}{}/{}", kRoot, name, resource.string_or_empty())));
  }
  return part;
}

std::vector<Part> all_parts() {
  std::vector<Part> parts = {kinds()};
  for (const EmbeddedFile& file : embedded_files()) {
    const bool is_list = file.path.ends_with(kList) && file.text.contains("\nkind: Kustomization");
    if (!is_list) continue;
    const std::size_t length = file.path.size() - kRoot.size() - kList.size();
    parts.push_back(part_of(std::string(file.path.substr(kRoot.size(), length)), file.text));
  }
  return parts;
}

std::string names_of(const std::vector<Part>& parts) {
  std::vector<std::string_view> names;
  for (const Part& part : parts) names.push_back(part.name);
  return fmt::format("{}", fmt::join(names, ", "));
}

// Several files begin with a line of dashes below a comment.
bool begins_document(std::string_view text) {
  while (text.starts_with('#')) text.remove_prefix(std::min(text.find('\n') + 1, text.size()));
  return text.starts_with("---\n");
}

int print_manifests(const ManifestFlags& flags) {
  const std::vector<Part> all = all_parts();
  const bool wants_all = std::ranges::find(flags.parts, kAll) != flags.parts.end();
  for (const std::string& name : flags.parts) {
    if (name == kAll || std::ranges::find(all, name, &Part::name) != all.end()) continue;
    return complain(
        {.message = fmt::format("there is no \"{}\"; there are {} and all", name, names_of(all))});
  }
  const std::string image = flags.image.empty() ? shipped_image().text() : flags.image;
  for (const Part& part : all) {
    const bool is_wanted =
        wants_all || std::ranges::find(flags.parts, part.name) != flags.parts.end();
    if (!is_wanted) continue;
    for (const std::string_view text : part.texts) {
      fmt::print("{}{}", begins_document(text) ? "" : "---\n", with_image(text, image));
    }
  }
  return 0;
}

std::string footer() {
  std::string text =
      "Examples:\n"
      "  # Make a Kubernetes cluster a hub\n"
      "  berth manifests kinds controllers | kubectl apply --server-side -f -\n"
      "  # Run the agent inside the cluster that berth join has prepared\n"
      "  berth manifests agent --image registry.example.com/berth:1.0 | kubectl apply -f -\n"
      "  # Take it away again\n"
      "  berth manifests controllers | kubectl delete --ignore-not-found -f -\n\n"
      "Parts:\n";
  for (const Part& part : all_parts()) text += fmt::format("  {:<12} {}\n", part.name, part.about);
  return text + fmt::format("  {:<12} {}", kAll, "All of them.");
}

}  // namespace

void add_manifests(CLI::App& app, Action& action) {
  CLI::App* command =
      app.add_subcommand("manifests", "Print what to apply on a cluster so that Berth runs there");
  command->footer([] { return footer(); });
  const auto flags = std::make_shared<ManifestFlags>();
  command->add_option("PART", flags->parts, "Which, see below")->required();
  command
      ->add_option("--image", flags->image, "The image to run; default: " + shipped_image().text())
      ->envname("IMAGE_NAME");
  command->callback([&action, flags] { action = [flags] { return print_manifests(*flags); }; });
}

}  // namespace berth::app
