#include "client/edit_service.h"

#include <memory>
#include <string>
#include <utility>

#include "client/errors.h"

namespace berth::client {
namespace {

constexpr int kTriesMax = 5;

void try_edit(Api& api, const std::shared_ptr<const Edit>& edit, int left, Done done) {
  const CallOptions call = edit->call.value_or(api.call_options());
  ResourcePath object = edit->path;
  object.subresource.clear();
  auto on_written = [&api, edit, left, done = std::move(done)](Result<json::Value> answer) mutable {
    const bool is_late = !answer.ok() && is_conflict(answer.error()) && left > 1;
    is_late ? try_edit(api, edit, left - 1, std::move(done)) : done(std::move(answer));
  };
  api.call(get_request(object), call,
           [&api, edit, call, next = std::move(on_written)](Result<json::Value> read) mutable {
             if (!read.ok()) return next(std::move(read));
             auto changed = edit->change(*read);
             if (!changed.ok()) return next(failure(std::move(changed).error()));
             if (!*changed) return next(std::move(read));
             api.call(update_request(edit->path, **changed, edit->write), call, std::move(next));
           });
}

}  // namespace

void edit(Api& api, Edit edit, Done done) {
  try_edit(api, std::make_shared<const Edit>(std::move(edit)), kTriesMax, std::move(done));
}

}  // namespace berth::client
