// Tested by namespaces_controller_test.cc.
#include "upkeep/sweeper_service.h"

#include <utility>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"

namespace berth::upkeep {
namespace {

constexpr std::int64_t kPage = 500;

// Metadata is all that is asked for; a server that cannot send it alone sends everything.
constexpr std::string_view kMetadataList =
    "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json";

// Nothing can be in a collection that the server does not have (any more), or cannot list.
bool has_no_content(const Error& error) {
  return client::is_not_found(error) || error.code == Code::MethodNotAllowed;
}

}  // namespace

void Sweeper::sweep(Target target, Swept swept) {
  auto pass = std::make_shared<Pass>(Pass{.target = std::move(target), .swept = std::move(swept)});
  list(pass, [this, pass](Result<json::Value> page) {
    if (!page.ok()) return pass->swept(failure(std::move(page).error()));
    const Content content = content_of(pass->target.resource.gvr, *page);
    if (content.count == 0) return pass->swept(content);
    plan(pass, *page);
    remove_next(pass);
  });
}

void Sweeper::list(const PassPtr& pass, std::move_only_function<void(Result<json::Value>)> listed) {
  auto request = client::list_request(
      {.resource = pass->target.resource.gvr, .ns = pass->target.ns}, {.limit = kPage});
  if (request.ok()) request->accept = kMetadataList;
  const bool lenient = pass->target.unserved == Unserved::IsEmpty;
  api_.call(std::move(request), {},
            scope_.guard([lenient, listed = std::move(listed)](Result<json::Value> answer) mutable {
              const bool none = lenient && !answer.ok() && has_no_content(answer.error());
              listed(none ? json::Value::object() : std::move(answer));
            }));
}

void Sweeper::plan(const PassPtr& pass, const json::Value& page) {
  const client::Gvr& gvr = pass->target.resource.gvr;
  if (pass->target.resource.allows("deletecollection")) {
    for (const auto& [ns, count] : content_of(gvr, page).by_namespace) {
      pass->collections.push_back({.resource = gvr, .ns = ns});
    }
    return;
  }
  for (const json::Value& item : api::elements_field(page, "items")) {
    const api::Metadata metadata(item);
    if (metadata.is_being_deleted()) continue;
    pass->objects.push_back({.resource = gvr,
                             .ns = std::string(metadata.namespace_name()),
                             .name = std::string(metadata.name())});
    pass->uids.emplace_back(metadata.uid());
  }
}

void Sweeper::remove_next(const PassPtr& pass) {
  const bool done = pass->collections.empty() && pass->objects.empty();
  if (done) return report(pass);
  if (!may_write_()) return pass->swept(failure(Code::Forbidden, "no longer the leader"));
  auto removed = scope_.guard([this, pass](const Result<json::Value>& answer) {
    on_removed(pass, answer.ok() ? Status() : failure(answer.error()));
  });
  client::DeleteOptions options{.propagation = client::Propagation::Background};
  if (!pass->collections.empty()) {
    const client::ResourcePath path = std::move(pass->collections.back());
    pass->collections.pop_back();
    api_.remove_collection(path, {}, options, std::move(removed));
    return;
  }
  const client::ResourcePath path = std::move(pass->objects.back());
  options.uid = pass->uids.back();
  pass->objects.pop_back();
  pass->uids.pop_back();
  api_.remove(path, options, std::move(removed));
}

void Sweeper::on_removed(const PassPtr& pass, const Status& status) {
  const bool failed = !status.ok() && !has_no_content(status.error()) &&
                      !client::is_conflict(status.error());  // Replaced: the next pass sees it.
  if (failed) return pass->swept(failure(status.error()));
  remove_next(pass);
}

void Sweeper::report(const PassPtr& pass) {
  list(pass, [pass](Result<json::Value> page) {
    if (!page.ok()) return pass->swept(failure(std::move(page).error()));
    pass->swept(content_of(pass->target.resource.gvr, *page));
  });
}

}  // namespace berth::upkeep
