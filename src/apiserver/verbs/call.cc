#include "apiserver/verbs/call.h"

#include "apiserver/objects/selectable_fields.h"

namespace berth::apiserver {

Attempt<Rendering> Call::rendering() const {
  ASSIGN_OR_RETURN(const AnswerForm form, negotiate(request.headers.find("accept"),
                                                    {.table = true, .partial_metadata = true}));
  ASSIGN_OR_RETURN(const IncludeObject include,
                   parse_include_object(find_option(request.query, "includeObject").value_or("")));
  return Rendering(resource, form, include, view.now);
}

Attempt<Selection> Call::selection(const ListOptions& options) const {
  RETURN_IF_ERROR(check_selectable(*resource, options.fields));
  Selection selection{.labels = options.labels, .fields = options.fields};
  if (!ns().empty()) selection.prefix = std::string(ns()) + "/";
  // One name in one place needs no search.
  const bool is_one_place = resource->scope == Scope::Cluster || !ns().empty();
  const auto selected = options.fields.exact_value("metadata.name");
  const std::string_view only = selected ? *selected : std::string_view();
  if (is_one_place && !only.empty()) selection.name = table_name(ns(), only);
  // A path with a name in it: the watch of a single object.
  if (info().verb == "watch" && !name().empty() && !selected) {
    selection.name = table_name(ns(), name());
  }
  return selection;
}

Response object_response(int status, const Rendering& rendering, const store::EntryPtr& entry) {
  if (!rendering.is_verbatim()) return json_response(status, rendering.object(entry->text) + "\n");
  Response response = json_response(status, std::string());
  response.body = http::Body(std::shared_ptr<const std::string>(entry, &entry->text));
  return response;
}

}  // namespace berth::apiserver
