#include "apiserver/kinds/kinds_files.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/check.h"
#include "json/parse.h"

namespace berth::apiserver {

json::Value read_kinds_file(std::string_view name) {
  const std::string ending = "/" + std::string(name) + ".json";
  const auto file = std::ranges::find_if(
      kinds_files(), [&](const EmbeddedFile& one) { return one.path.ends_with(ending); });
  CHECK(file != kinds_files().end());
  auto value = json::parse(file->text);
  CHECK(value.ok());
  return std::move(value).value();
}

}  // namespace berth::apiserver
