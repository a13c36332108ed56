// Tested by tests/kube/manifests_test.cc.
#include "app/shipped_image.h"

#include <algorithm>

#include "api/kinds/fields.h"
#include "app/embedded_files.h"
#include "base/check.h"
#include "json/yaml_read.h"

namespace berth::app {
namespace {

constexpr std::string_view kFile = "deploy/image/kustomization.yaml";
constexpr std::string_view kPlace = "berth.dev/berth";

}  // namespace

ImageName shipped_image() {
  const auto file = std::ranges::find(embedded_files(), kFile, &EmbeddedFile::path);
  CHECK(file != embedded_files().end());
  const auto component = json::read_one_yaml(file->text);
  CHECK(component.ok());
  const auto images = api::elements_field(*component, "images");
  CHECK(images.size() == 1 && api::text_field(images[0], "name") == kPlace);
  return {.name = api::text_field(images[0], "newName"),
          .tag = api::text_field(images[0], "newTag")};
}

std::string with_image(std::string_view manifests, std::string_view image) {
  std::string filled(manifests);
  for (std::size_t at = filled.find(kPlace); at != std::string::npos;
       at = filled.find(kPlace, at + image.size())) {
    filled.replace(at, kPlace.size(), image);
  }
  return filled;
}

}  // namespace berth::app
