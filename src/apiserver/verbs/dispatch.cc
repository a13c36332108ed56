#include "apiserver/verbs/dispatch.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "apiserver/verbs/read.h"
#include "apiserver/verbs/removal.h"
#include "apiserver/verbs/scale.h"
#include "apiserver/verbs/special.h"
#include "apiserver/verbs/write.h"

namespace berth::apiserver {
namespace {

constexpr Duration kTimeoutMax = std::chrono::seconds(60);

using Verb = Attempt<Outcome> (*)(const Call& call);

struct VerbEntry {
  std::string_view name;
  Verb verb;
};

constexpr VerbEntry kObjectVerbs[] = {
    {"get", get_object},       {"list", list_objects},
    {"watch", watch_objects},  {"create", create_object},
    {"update", update_object}, {"patch", patch_object},
    {"delete", delete_object}, {"deletecollection", delete_collection},
};
constexpr VerbEntry kStatusVerbs[] = {
    {"get", get_object}, {"update", update_object}, {"patch", patch_object}};
constexpr VerbEntry kScaleVerbs[] = {
    {"get", get_scale}, {"update", update_scale}, {"patch", patch_scale}};

Response page_not_found() {
  Response response{.status = 404};
  response.headers.add("content-type", "text/plain; charset=utf-8");
  response.headers.add("x-content-type-options", "nosniff");
  response.body = http::Body("404 page not found\n");
  return response;
}

// Where others of the group live, the answer is a Status; elsewhere, nobody is at home.
Outcome nothing_there(const ApiRequest& request, const View& view) {
  const std::vector<ServedGroup>& groups = view.registry->groups();
  const bool is_served = std::ranges::any_of(
      groups, [&](const ServedGroup& group) { return group.name == request.info.group; });
  if (!is_served) return page_not_found();
  return refusal_response(
      Error{.code = Code::NotFound, .message = "the server could not find the requested resource"});
}

std::unexpected<Refusal> not_allowed(const RequestInfo& info) {
  return refuse(Code::MethodNotAllowed,
                fmt::format("the server does not allow this method on the requested resource ({})",
                            info.verb));
}

template <std::size_t Size>
Attempt<Outcome> run(const VerbEntry (&verbs)[Size], const Call& call) {
  const auto* entry =
      std::ranges::find(verbs, std::string_view(call.info().verb), &VerbEntry::name);
  if (entry == std::end(verbs)) return not_allowed(call.info());
  return entry->verb(call);
}

// A path of the cluster for something in namespaces lists all of them and does nothing else; a path
// of a namespace has nothing of the cluster in it.
bool is_in_its_place(const RequestInfo& info, const Resource& resource) {
  if (info.ns.contains('/')) return false;
  if (resource.scope == Scope::Cluster) return info.ns.empty() || resource.table == "namespaces";
  return !info.ns.empty() || info.verb == "list" || info.verb == "watch" ||
         info.verb == "deletecollection" || info.verb == "create";
}

// Objects are created at their collection, and changed where they are.
bool has_right_name(const RequestInfo& info) {
  if (info.verb == "create") return info.name.empty();
  return !info.name.empty() || (info.verb != "update" && info.verb != "patch");
}

// Clients of a version that will go hear so with every answer.
Outcome with_warning(Outcome outcome, const std::string& text) {
  if (auto* response = std::get_if<Response>(&outcome.what)) {
    add_warning(*response, text);
  } else if (auto* plan = std::get_if<WatchPlan>(&outcome.what)) {
    plan->warnings.push_back(text);
  } else {
    auto& intent = std::get<WriteIntent>(outcome.what);
    intent.then = [then = std::move(intent.then), text](
                      const View& view, std::span<const store::Written> written) mutable {
      return with_warning(then(view, written), text);
    };
  }
  return outcome;
}

Attempt<Outcome> dispatch_subresource(const Call& call) {
  const RequestInfo& info = call.info();
  const Subresource* subresource = call.resource->find_subresource(info.subresource);
  if (!subresource || !info.rest.empty()) return nothing_there(call.request, call.view);
  if (!std::ranges::binary_search(subresource->verbs, info.verb)) return not_allowed(info);
  if (info.subresource == "status") return run(kStatusVerbs, call);
  if (info.subresource == "scale") return run(kScaleVerbs, call);
  return special_subresource(call);
}

Attempt<Outcome> dispatch(const Call& call) {
  const RequestInfo& info = call.info();
  if (info.verb != "watch") {
    RETURN_IF_ERROR(read_timeout(call.request.query, kTimeoutMax));
  }
  if (!info.subresource.empty()) return dispatch_subresource(call);
  // That nothing can be created while its definition goes is told where things are created.
  const bool is_served =
      call.resource->has_verb(info.verb) || (call.resource->custom && info.verb == "create");
  if (!is_served || !has_right_name(info)) return not_allowed(info);
  if (is_special(*call.resource)) return special_resource(call);
  if (call.resource->scope == Scope::Namespaced && info.ns.empty() && info.verb == "create") {
    return not_allowed(info);
  }
  return run(kObjectVerbs, call);
}

}  // namespace

Outcome handle(const ApiRequest& request, const View& view) {
  const RequestInfo& info = request.info;
  const Call call{.request = request,
                  .view = view,
                  .resource = view.registry->find(info.group, info.version, info.resource)};
  if (!call.resource || !is_in_its_place(info, *call.resource)) {
    return nothing_there(request, view);
  }
  auto attempt = dispatch(call);
  Outcome outcome = attempt.has_value() ? *std::move(attempt) : refusal_response(attempt.error());
  const CustomFacts* custom = call.resource->custom.get();
  if (!custom || custom->warning.empty()) return outcome;
  return with_warning(std::move(outcome), custom->warning);
}

}  // namespace berth::apiserver
