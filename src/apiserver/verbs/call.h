// Call: a request about a resource that exists, with everything its answer depends on.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "apiserver/objects/rendering.h"
#include "apiserver/objects/selection.h"
#include "apiserver/refusal.h"
#include "apiserver/resource.h"
#include "apiserver/verbs/outcome.h"
#include "apiserver/verbs/view.h"

namespace berth::apiserver {

struct Call {
  const ApiRequest& request;
  const View& view;
  std::shared_ptr<const Resource> resource;

  const RequestInfo& info() const { return request.info; }
  const std::string& name() const { return request.info.name; }

  // The namespace that counts: none for resources of the cluster.
  std::string_view ns() const {
    return resource->scope == Scope::Cluster ? std::string_view() : request.info.ns;
  }

  store::Key key_of(std::string_view object_name) const {
    return {.table = resource->table, .name = table_name(ns(), object_name)};
  }

  // The object that the path names; null when there is none.
  store::EntryPtr find() const {
    return view.snapshot->table(resource->table).find(table_name(ns(), name()));
  }

  // What the client accepts; the rendering of its version.
  Attempt<Rendering> rendering() const;

  // What a list, a watch or a deletion of many is about.
  Attempt<Selection> selection(const ListOptions& options) const;
};

// 200 (or another) with the object as the client wants it.
Response object_response(int status, const Rendering& rendering, const store::EntryPtr& entry);

}  // namespace berth::apiserver
