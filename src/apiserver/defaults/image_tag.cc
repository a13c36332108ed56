#include "apiserver/defaults/image_tag.h"

#include <string>

#include <re2/re2.h>

namespace berth::apiserver {
namespace {

// [host[:port]/]path[:tag][@digest]
const RE2& reference_pattern() {
  static const RE2 kPattern(
      R"((?:(?:[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)"
      R"((?:\.[a-zA-Z0-9](?:[a-zA-Z0-9-]*[a-zA-Z0-9])?)*|\[[a-fA-F0-9:]+\])(?::[0-9]+)?/)?)"
      R"([a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*(?:/[a-z0-9]+(?:(?:\.|_|__|-+)[a-z0-9]+)*)*)"
      R"((?::([\w][\w.-]{0,127}))?)"
      R"((?:@([A-Za-z][A-Za-z0-9]*(?:[-_+.][A-Za-z][A-Za-z0-9]*)*:[0-9a-fA-F]{32,}))?)");
  return kPattern;
}

}  // namespace

std::string_view image_tag(std::string_view reference) {
  re2::StringPiece tag;
  re2::StringPiece digest;
  if (!RE2::FullMatch({reference.data(), reference.size()}, reference_pattern(), &tag, &digest)) {
    return "";
  }
  if (tag.empty() && digest.empty()) return "latest";
  return {tag.data(), tag.size()};
}

std::string_view default_pull_policy(const json::Value* reference) {
  const std::string_view text = reference ? reference->string_or_empty() : "";
  return image_tag(text) == "latest" ? "Always" : "IfNotPresent";
}

}  // namespace berth::apiserver
