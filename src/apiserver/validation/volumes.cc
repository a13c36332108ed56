#include "apiserver/validation/volumes.h"

#include <algorithm>

#include "api/names.h"
#include "api/quantity.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

constexpr std::int64_t kModeMax = 0777;
constexpr std::string_view kModeRange =
    "must be a number between 0 and 0777 (octal), both inclusive";

bool has_backsteps(std::string_view path) {
  for (const std::string_view part : split(path, '/')) {
    if (part == "..") return true;
  }
  return false;
}

void check_relative(const Place& where, std::string_view path, Complaints& complaints) {
  if (path.starts_with('/')) complaints.invalid(where, path, "must be a relative path");
  if (has_backsteps(path)) complaints.invalid(where, path, "must not contain '..'");
}

void check_mode(const Place& mode, Complaints& complaints) {
  const std::int64_t number = mode.number().value_or(0);
  if (number < 0 || number > kModeMax) complaints.invalid(mode, kModeRange);
}

// The files that are made of a ConfigMap or a Secret.
void check_files(const Place& source, std::string_view name, Complaints& complaints) {
  if (source[name].text().empty()) complaints.required(source[name]);
  check_mode(source["defaultMode"], complaints);
  const Place items = source["items"];
  for (std::size_t i = 0; i < items.size(); ++i) {
    const Place item = items.at(i);
    for (const char* part : {"key", "path"}) {
      if (item[part].text().empty()) complaints.required(item[part]);
    }
    const std::string_view path = item["path"].text();
    check_relative(item["path"], path, complaints);
    if (path.starts_with("..") && !has_backsteps(path)) {
      complaints.invalid(item["path"], "must not start with '..'");
    }
    check_mode(item["mode"], complaints);
  }
}

void check_host_path(const Place& source, Complaints& complaints) {
  const Place path = source["path"];
  if (path.text().empty()) return complaints.required(path);
  if (has_backsteps(path.text())) complaints.invalid(path, "must not contain '..'");
  complaints.check_optional_one_of(
      source["type"], {"", "BlockDevice", "CharDevice", "Directory", "DirectoryOrCreate", "File",
                       "FileOrCreate", "Socket"});
}

void check_source(const Place& source, std::string_view kind, Complaints& complaints) {
  if (kind == "secret") {
    check_files(source, "secretName", complaints);
  } else if (kind == "configMap") {
    check_files(source, "name", complaints);
  } else if (kind == "hostPath") {
    check_host_path(source, complaints);
  } else if (kind == "persistentVolumeClaim") {
    if (source["claimName"].text().empty()) complaints.required(source["claimName"]);
  }
}

// Of all sources, exactly one. Which there are is for the schema to say; "name" is none.
void check_sources(const Place& volume, Complaints& complaints) {
  // The order in which the reference looks at them: the first one that is there counts.
  static constexpr std::string_view kFirst[] = {"emptyDir", "hostPath", "secret",
                                                "persistentVolumeClaim", "configMap"};
  std::string_view taken;
  const auto look = [&](std::string_view kind) {
    const Place source = volume[kind];
    if (!source.is_set()) return;
    if (!taken.empty()) {
      return complaints.forbidden(source, "may not specify more than 1 volume type");
    }
    taken = kind;
    check_source(source, kind, complaints);
  };
  for (const std::string_view kind : kFirst) look(kind);
  for (const json::Member& member : volume.value().members()) {
    const bool is_first =
        std::ranges::find(kFirst, member.name()) != std::end(kFirst) || member.name() == "name";
    if (!is_first) look(member.name());
  }
}

void check_mount(const Place& mounts, const Place& mount, const VolumeNames& volumes,
                 Complaints& complaints) {
  if (mount["name"].text().empty()) complaints.required(mount["name"]);
  if (!volumes.contains(mount["name"].text())) complaints.not_found(mount["name"]);
  if (mount["mountPath"].text().empty()) complaints.required(mount["mountPath"]);
  const std::string_view below = mount["subPath"].text();
  const std::string_view expression = mount["subPathExpr"].text();
  if (!below.empty()) check_relative(mounts["subPath"], below, complaints);
  if (expression.empty()) return;
  if (!below.empty()) {
    complaints.invalid(mount["subPathExpr"], "subPathExpr and subPath are mutually exclusive");
  }
  check_relative(mounts["subPathExpr"], expression, complaints);
}

}  // namespace

VolumeNames check_volumes(const Place& volumes, Complaints& complaints) {
  VolumeNames names;
  for (std::size_t i = 0; i < volumes.size(); ++i) {
    const Place volume = volumes.at(i);
    const std::size_t before = complaints.size();
    check_sources(volume, complaints);
    const Place name = volume["name"];
    if (name.text().empty()) {
      complaints.required(name);
    } else {
      complaints.check_names(name, api::check_dns1123_label(name.text()));
    }
    if (names.contains(name.text())) complaints.duplicate(name);
    if (complaints.size() == before) names.emplace(name.text());
  }
  return names;
}

void check_mounts(const Place& container, const VolumeNames& volumes, Complaints& complaints) {
  const Place mounts = container["volumeMounts"];
  std::set<std::string_view> points;
  for (std::size_t i = 0; i < mounts.size(); ++i) {
    const Place mount = mounts.at(i);
    check_mount(mounts, mount, volumes, complaints);
    const Place point = mount["mountPath"];
    if (!points.insert(point.text()).second) {
      complaints.invalid(point, point.text(), "must be unique");
    }
  }
  const Place devices = container["volumeDevices"];
  for (std::size_t i = 0; i < devices.size(); ++i) {
    const Place device = devices.at(i);
    if (device["name"].text().empty()) complaints.required(device["name"]);
    if (!volumes.contains(device["name"].text())) complaints.not_found(device["name"]);
    if (device["devicePath"].text().empty()) complaints.required(device["devicePath"]);
  }
}

}  // namespace berth::apiserver
