#include "local/container_spec.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "base/base64.h"

namespace berth::local {
namespace {

using json::Value;

bool is_optional(const Value& reference) {
  return api::field(reference, "optional").as_bool() == true;
}

std::string_view kind_name(SourceKind kind) {
  return kind == SourceKind::Secret ? "secret" : "configmap";
}

// The Secret or ConfigMap behind one volume, or one source of a projected volume.
std::optional<Source> source_of(const Value& volume) {
  if (const Value* secret = volume.find("secret")) {
    std::string name = api::text_field(*secret, "secretName");
    if (name.empty()) name = api::text_field(*secret, "name");  // In a projected volume.
    return Source{SourceKind::Secret, std::move(name), is_optional(*secret)};
  }
  if (const Value* map = volume.find("configMap")) {
    return Source{SourceKind::ConfigMap, api::text_field(*map, "name"), is_optional(*map)};
  }
  return std::nullopt;
}

// All contents of a source by key.
Result<Files> contents_of(const Value& object, SourceKind kind) {
  Files files;
  for (const json::Member& member : api::field(object, "data").members()) {
    const std::string_view text = member.value.string_or_empty();
    if (kind == SourceKind::ConfigMap) {
      files[std::string(member.name())] = text;
      continue;
    }
    ASSIGN_OR_RETURN(files[std::string(member.name())], decode_base64(text));
  }
  if (kind == SourceKind::Secret) return files;
  for (const json::Member& member : api::field(object, "binaryData").members()) {
    ASSIGN_OR_RETURN(files[std::string(member.name())],
                     decode_base64(member.value.string_or_empty()));
  }
  return files;
}

// Nothing for an optional source that is not there.
Result<std::optional<Files>> read_source(const Source& source, const FindSource& find) {
  const Value* object = find(source.kind, source.name);
  if (object != nullptr) {
    ASSIGN_OR_RETURN(Files files, contents_of(*object, source.kind));
    return std::optional(std::move(files));
  }
  if (source.is_optional) return std::optional<Files>();
  return failure(Code::NotFound,
                 fmt::format("{} \"{}\" not found", kind_name(source.kind), source.name));
}

// A file outside of its mount would be a way out of it.
bool is_inside(std::string_view path) {
  return !path.empty() && !path.starts_with('/') && path.find("..") == std::string_view::npos;
}

// `items` choose keys and say where they go; without them every key is a file.
Result<Files> chosen(Files all, const Value& reference, const Source& source) {
  const auto items = api::elements_field(reference, "items");
  if (items.empty()) return all;
  Files files;
  for (const Value& item : items) {
    const std::string key = api::text_field(item, "key");
    const std::string path = api::text_field(item, "path");
    const auto found = all.find(key);
    if (found == all.end() || !is_inside(path)) {
      if (source.is_optional) continue;
      return failure(Code::NotFound, fmt::format("{} \"{}\" has no key \"{}\"",
                                                 kind_name(source.kind), source.name, key));
    }
    files[path] = found->second;
  }
  return files;
}

Result<Files> files_of_source(const Value& volume, const Source& source, const FindSource& find) {
  ASSIGN_OR_RETURN(std::optional<Files> all, read_source(source, find));
  if (!all) return Files();
  const Value* reference = volume.find(source.kind == SourceKind::Secret ? "secret" : "configMap");
  return chosen(*std::move(all), *reference, source);
}

Result<Files> files_of(const Value& volume, const FindSource& find) {
  if (volume.find("emptyDir") != nullptr) return Files();
  if (const auto source = source_of(volume)) return files_of_source(volume, *source, find);
  if (const Value* projected = volume.find("projected")) {
    Files files;
    for (const Value& part : api::elements_field(*projected, "sources")) {
      const auto source = source_of(part);
      if (!source) continue;  // Tokens and the downward API: nothing of ours reads them.
      ASSIGN_OR_RETURN(Files more, files_of_source(part, *source, find));
      files.merge(std::move(more));
    }
    return files;
  }
  return failure(Code::Invalid, fmt::format("volume \"{}\" is of a kind that cannot be had here",
                                            api::text_field(volume, "name")));
}

Result<std::vector<Mount>> mounts_of(const Value& pod, const Value& container,
                                     const FindSource& find) {
  const auto volumes = api::elements_field(api::field(pod, "spec"), "volumes");
  std::vector<Mount> mounts;
  for (const Value& wanted : api::elements_field(container, "volumeMounts")) {
    const std::string name = api::text_field(wanted, "name");
    const auto volume = std::ranges::find_if(volumes, [&name](const Value& candidate) {
      return api::text_field(candidate, "name") == name;
    });
    if (volume == volumes.end()) {
      return failure(Code::Invalid, fmt::format("there is no volume \"{}\"", name));
    }
    Mount mount{.path = api::text_field(wanted, "mountPath")};
    ASSIGN_OR_RETURN(mount.files, files_of(*volume, find));
    mounts.push_back(std::move(mount));
  }
  return mounts;
}

std::string field_of_pod(const Value& pod, std::string_view path) {
  const api::Metadata metadata(pod);
  const Value& spec = api::field(pod, "spec");
  if (path == "metadata.name") return std::string(metadata.name());
  if (path == "metadata.namespace") return std::string(metadata.namespace_name());
  if (path == "metadata.uid") return std::string(metadata.uid());
  if (path == "spec.nodeName") return api::text_field(spec, "nodeName");
  if (path == "spec.serviceAccountName") return api::text_field(spec, "serviceAccountName");
  if (path == "status.podIP") return api::text_field(api::field(pod, "status"), "podIP");
  return {};
}

std::optional<Source> source_of_variable(const Value& from) {
  if (const Value* secret = from.find("secretKeyRef")) {
    return Source{SourceKind::Secret, api::text_field(*secret, "name"), is_optional(*secret)};
  }
  if (const Value* map = from.find("configMapKeyRef")) {
    return Source{SourceKind::ConfigMap, api::text_field(*map, "name"), is_optional(*map)};
  }
  return std::nullopt;
}

// Nothing for an optional key that is not there.
Result<std::optional<std::string>> value_from(const Value& pod, const Value& from,
                                              const FindSource& find) {
  if (const Value* field = from.find("fieldRef")) {
    return std::optional(field_of_pod(pod, api::text_field(*field, "fieldPath")));
  }
  const auto source = source_of_variable(from);
  if (!source) return std::optional<std::string>();
  ASSIGN_OR_RETURN(const std::optional<Files> all, read_source(*source, find));
  const Value& reference =
      api::field(from, source->kind == SourceKind::Secret ? "secretKeyRef" : "configMapKeyRef");
  const std::string key = api::text_field(reference, "key");
  if (all && all->contains(key)) return std::optional(all->at(key));
  if (source->is_optional) return std::optional<std::string>();
  return failure(Code::NotFound, fmt::format("{} \"{}\" has no key \"{}\"", kind_name(source->kind),
                                             source->name, key));
}

using Variables = std::map<std::string, std::string>;

// $(NAME) is replaced where the name is known, and $$ is a dollar.
std::string expanded(std::string_view text, const Variables& variables) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    if (text[i + 1] == '$') {
      result += '$';
      ++i;
      continue;
    }
    const std::size_t end = text[i + 1] == '(' ? text.find(')', i) : std::string_view::npos;
    if (end == std::string_view::npos) {
      result += text[i];
      continue;
    }
    const auto found = variables.find(std::string(text.substr(i + 2, end - i - 2)));
    result += found == variables.end() ? text.substr(i, end - i + 1) : found->second;
    i = end;
  }
  return result;
}

Result<Variables> variables_of(const Value& pod, const Value& container, const FindSource& find) {
  Variables variables;
  for (const Value& entry : api::elements_field(container, "env")) {
    const std::string name = api::text_field(entry, "name");
    const Value& from = api::field(entry, "valueFrom");
    if (from.is_null()) {
      variables[name] = expanded(api::text_field(entry, "value"), variables);
      continue;
    }
    ASSIGN_OR_RETURN(std::optional<std::string> value, value_from(pod, from, find));
    if (value) variables[name] = *std::move(value);
  }
  return variables;
}

std::vector<std::string> expanded_list(const Value& container, std::string_view name,
                                       const Variables& variables) {
  std::vector<std::string> words = api::texts_field(container, name);
  for (std::string& word : words) word = expanded(word, variables);
  return words;
}

}  // namespace

std::vector<Source> sources_of(const Value& pod) {
  std::set<Source> sources;
  const Value& spec = api::field(pod, "spec");
  for (const Value& volume : api::elements_field(spec, "volumes")) {
    if (auto source = source_of(volume)) sources.insert(*std::move(source));
    for (const Value& part : api::elements_field(api::field(volume, "projected"), "sources")) {
      if (auto source = source_of(part)) sources.insert(*std::move(source));
    }
  }
  for (const Value& container : api::elements_field(spec, "containers")) {
    for (const Value& entry : api::elements_field(container, "env")) {
      if (auto source = source_of_variable(api::field(entry, "valueFrom"))) {
        sources.insert(*std::move(source));
      }
    }
  }
  return {sources.begin(), sources.end()};
}

Result<ContainerSpec> container_spec(const Value& pod, const Value& container,
                                     const FindSource& find) {
  const api::Metadata metadata(pod);
  ContainerSpec spec{.pod = metadata.key(),
                     .pod_uid = std::string(metadata.uid()),
                     .name = api::text_field(container, "name"),
                     .image = api::text_field(container, "image")};
  ASSIGN_OR_RETURN(spec.variables, variables_of(pod, container, find));
  ASSIGN_OR_RETURN(spec.mounts, mounts_of(pod, container, find));
  spec.command = expanded_list(container, "command", spec.variables);
  spec.arguments = expanded_list(container, "args", spec.variables);
  return spec;
}

}  // namespace berth::local
