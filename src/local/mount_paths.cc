#include "local/mount_paths.h"

#include <algorithm>
#include <cctype>

namespace berth::local {
namespace {

// Whether a path may go on with that character inside one of its names.
bool continues_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
}

bool begins_path(std::string_view text, std::size_t at) {
  return at == 0 || (!continues_name(text[at - 1]) && text[at - 1] != '/');
}

bool lies_in(std::string_view text, std::size_t at, std::string_view mount) {
  if (!text.substr(at).starts_with(mount)) return false;
  const std::size_t end = at + mount.size();
  return end == text.size() || !continues_name(text[end]);
}

}  // namespace

std::string path_on_machine(std::string_view folder, std::string_view path) {
  std::string result(folder);
  if (!path.starts_with('/')) result += '/';
  return result += path;
}

std::string with_machine_paths(std::string_view text, std::string_view folder,
                               const std::vector<Mount>& mounts) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool inside = text[i] == '/' && begins_path(text, i) &&
                        std::ranges::any_of(mounts, [&](const Mount& mount) {
                          return !mount.path.empty() && lies_in(text, i, mount.path);
                        });
    if (inside) result += folder;
    result += text[i];
  }
  return result;
}

}  // namespace berth::local
