// The image that Berth's manifests run. They say a word in its place, which is filled in when they
// are printed or applied; deploy/image says what with.

#pragma once

#include <string>
#include <string_view>

namespace berth::app {

struct ImageName {
  std::string name;  // "quay.io/example/berth"
  std::string tag;

  std::string text() const { return name + ":" + tag; }
};

// The one that is meant where nobody says another one.
ImageName shipped_image();

// The manifests with that image wherever one of Berth's is meant.
std::string with_image(std::string_view manifests, std::string_view image);

}  // namespace berth::app
