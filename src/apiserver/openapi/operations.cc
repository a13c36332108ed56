#include "apiserver/openapi/operations.h"

#include <algorithm>
#include <cctype>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/openapi/parameters.h"
#include "base/strings.h"

namespace berth::apiserver {
namespace {

using json::Value;

constexpr std::string_view kDeleteOptions = "io.k8s.apimachinery.pkg.apis.meta.v1.DeleteOptions";
constexpr std::string_view kPatch = "io.k8s.apimachinery.pkg.apis.meta.v1.Patch";
constexpr std::string_view kStatus = "io.k8s.apimachinery.pkg.apis.meta.v1.Status";

constexpr std::string_view kBuiltinAnswers[] = {
    "application/json", "application/vnd.kubernetes.protobuf", "application/yaml"};
constexpr std::string_view kCustomBodies[] = {"application/json", "application/yaml"};
constexpr std::string_view kBuiltinBodies[] = {"*/*"};
constexpr std::string_view kBuiltinPatches[] = {
    "application/apply-patch+yaml", "application/json-patch+json", "application/merge-patch+json",
    "application/strategic-merge-patch+json"};
// Only built-in types say how their lists are merged.
constexpr std::span<const std::string_view> kCustomPatches = std::span(kBuiltinPatches).first(3);

std::string capitalized(std::string_view text) {
  std::string result(text);
  if (!result.empty()) result[0] = static_cast<char>(std::toupper(result[0]));
  return result;
}

// "rbac.authorization.k8s.io" is RbacAuthorization.
std::string group_word(std::string_view group) {
  constexpr std::string_view kSuffix = ".k8s.io";
  if (group.empty()) return "Core";
  if (group.ends_with(kSuffix)) group.remove_suffix(kSuffix.size());
  std::string word;
  for (const std::string_view part : split(group, '.')) {
    for (const std::string_view piece : split(part, '-')) word += capitalized(piece);
  }
  return word;
}

// One thing that can be done at a path.
struct Operation {
  std::string_view verb;    // Of discovery: it has to be offered.
  std::string_view method;  // Of HTTP.
  std::string_view action;  // As x-kubernetes-action names it.
  std::string_view word;    // The start of its name.
};

constexpr Operation kOnCollections[] = {
    {.verb = "list", .method = "get", .action = "list", .word = "list"},
    {.verb = "create", .method = "post", .action = "post", .word = "create"},
    {.verb = "deletecollection",
     .method = "delete",
     .action = "deletecollection",
     .word = "delete"},
};
constexpr Operation kOnObjects[] = {
    {.verb = "get", .method = "get", .action = "get", .word = "read"},
    {.verb = "update", .method = "put", .action = "put", .word = "replace"},
    {.verb = "delete", .method = "delete", .action = "delete", .word = "delete"},
    {.verb = "patch", .method = "patch", .action = "patch", .word = "patch"},
};
constexpr Operation kOnSubresources[] = {
    {.verb = "get", .method = "get", .action = "get", .word = "read"},
    {.verb = "update", .method = "put", .action = "put", .word = "replace"},
    {.verb = "create", .method = "post", .action = "post", .word = "create"},
    {.verb = "patch", .method = "patch", .action = "patch", .word = "patch"},
};

Value content(std::span<const std::string_view> media_types, std::string_view type_name) {
  const Value schema = Value::object({{"schema", type_reference(type_name)}});
  Value result = Value::object();
  for (const std::string_view media_type : media_types) result[media_type] = schema;
  return result;
}

// All paths of one resource.
class PathWriter {
 public:
  PathWriter(const Resource& resource, const TypeNames& names)
      : resource_(resource), names_(names), object_(names.object(resource)) {}

  Value write() {
    const bool is_namespaced = resource_.scope == Scope::Namespaced;
    const std::string& plural = resource_.gvr.resource;
    const std::string root = resource_.gvr.group.empty() ? "/api/" : "/apis/";
    const std::string version = root + resource_.api_version();
    std::vector<std::string_view> in_path;
    std::string collection = version + "/" + plural;
    if (is_namespaced) {
      write_item(collection, {}, std::span(kOnCollections).first(1), "ForAllNamespaces");
      collection = version + "/namespaces/{namespace}/" + plural;
      in_path.push_back("namespace");
    }
    write_item(collection, in_path, kOnCollections, "");
    in_path.insert(in_path.begin(), "name");
    write_item(collection + "/{name}", in_path, kOnObjects, "");
    for (const Subresource& subresource : resource_.subresources) {
      subresource_ = &subresource;
      write_item(collection + "/{name}/" + subresource.name, in_path, kOnSubresources, "");
    }
    return std::move(paths_);
  }

 private:
  void write_item(const std::string& path, const std::vector<std::string_view>& in_path,
                  std::span<const Operation> operations, std::string_view suffix) {
    Value item = Value::object();
    for (const Operation& operation : operations) {
      if (offers(operation.verb)) item[operation.method] = write_operation(operation, suffix);
    }
    if (item.size() == 0) return;
    item["parameters"] = path_parameters(in_path);
    paths_[path] = std::move(item);
  }

  bool offers(std::string_view verb) const {
    if (!subresource_) return resource_.has_verb(verb);
    const auto& verbs = subresource_->verbs;
    return std::ranges::find(verbs, verb) != verbs.end();
  }

  Value write_operation(const Operation& operation, std::string_view suffix) const {
    const std::string group = group_word(resource_.gvr.group);
    std::string tag = group + "_" + resource_.gvr.version;
    tag[0] = static_cast<char>(std::tolower(tag[0]));
    Value value = Value::object(
        {{"tags", Value::array({tag})}, {"operationId", operation_id(operation, suffix)}});
    Value parameters = query_parameters(operation.action);
    if (parameters.size() > 0) value["parameters"] = std::move(parameters);
    if (operation.method != "get") value["requestBody"] = request_body(operation);
    value["responses"] = responses(operation);
    value["x-kubernetes-action"] = operation.action;
    value["x-kubernetes-group-version-kind"] = kind_value();
    return value;
  }

  std::string operation_id(const Operation& operation, std::string_view suffix) const {
    std::string id(operation.word);
    id += group_word(resource_.gvr.group) + capitalized(resource_.gvr.version);
    if (operation.action == "deletecollection") id += "Collection";
    if (resource_.scope == Scope::Namespaced && suffix.empty()) id += "Namespaced";
    id += resource_.kind;
    if (subresource_) id += capitalized(subresource_->name);
    return id.append(suffix);
  }

  Value request_body(const Operation& operation) const {
    if (operation.action == "patch") {
      const auto patches = resource_.custom ? kCustomPatches : std::span(kBuiltinPatches);
      return Value::object({{"content", content(patches, kPatch)}, {"required", true}});
    }
    const std::span<const std::string_view> bodies =
        resource_.custom ? std::span<const std::string_view>(kCustomBodies)
                         : std::span<const std::string_view>(kBuiltinBodies);
    if (operation.method == "delete") {
      return Value::object({{"content", content(bodies, kDeleteOptions)}});
    }
    return Value::object({{"content", content(bodies, type_of_object())}, {"required", true}});
  }

  Value responses(const Operation& operation) const {
    const std::span<const std::string_view> answers =
        resource_.custom ? std::span<const std::string_view>(kCustomBodies)
                         : std::span<const std::string_view>(kBuiltinAnswers);
    std::string type = type_of_object();
    if (operation.action == "list") type = names_.list(resource_);
    if (operation.method == "delete") type = kStatus;
    Value result = Value::object(
        {{"200", Value::object({{"description", "OK"}, {"content", content(answers, type)}})}});
    const bool may_create = operation.method != "get" && operation.method != "delete";
    if (may_create) {
      result["201"] =
          Value::object({{"description", "Created"}, {"content", content(answers, type)}});
    }
    result["401"] = Value::object({{"description", "Unauthorized"}});
    return result;
  }

  std::string type_of_object() const {
    return subresource_ ? names_.body(resource_, *subresource_) : object_;
  }

  // Of what the operation takes; a custom resource's scale goes by the name of its owner.
  Value kind_value() const {
    const bool is_foreign = subresource_ && !resource_.custom;
    const api::Gvk own = {
        .group = resource_.gvr.group, .version = resource_.gvr.version, .kind = resource_.kind};
    const api::Gvk& kind = is_foreign ? subresource_->kind : own;
    return Value::object({{"group", kind.group}, {"version", kind.version}, {"kind", kind.kind}});
  }

  const Resource& resource_;
  const TypeNames& names_;
  std::string object_;
  const Subresource* subresource_ = nullptr;  // Whose path is being written.
  Value paths_ = Value::object();
};

}  // namespace

Value openapi_paths(const Resource& resource, const TypeNames& names) {
  return PathWriter(resource, names).write();
}

}  // namespace berth::apiserver
