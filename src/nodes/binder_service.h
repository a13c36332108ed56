// Binds pods to nodes, each to a definite end: while it is not known whether the server has acted,
// the same binding is sent again, so that nobody else is given the room meanwhile.

#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <string>

#include "api/object_key.h"
#include "base/result.h"
#include "client/api_service.h"
#include "control/committer_service.h"
#include "env/env.h"
#include "env/scope.h"
#include "json/value.h"

namespace berth::nodes {

struct Binding {
  api::ObjectKey pod;
  std::string uid;
  std::string node;
  std::string claim = {};  // Uid of the reservation whose room it takes; empty: none.

  // As it is sent. The server refuses it if the pod is another one, and copies the annotation to
  // the pod together with the node.
  json::Value to_json() const;
};

class Binder {
 public:
  struct Ended {
    Status status = {};  // Not ok: it was refused, for good.

    // The pod as the server has it, if it had to be asked: bound by somebody else, or by an earlier
    // try of ours.
    std::optional<json::Value> pod = std::nullopt;
  };
  using Done = std::move_only_function<void(const Ended&)>;

  // `is_open(uid)` says whether nobody has heard by other means how the binding ended. All that is
  // borrowed outlives the binder.
  Binder(const env::Env& env, client::Api& api, control::MayWrite may_write,
         std::function<bool(const std::string& uid)> is_open);

  // One at a time for each pod. `done` runs once, later, on the loop; not at all when this process
  // may not write any more: then the next one decides.
  void bind(Binding binding, Done done);

  std::size_t in_flight() const { return running_.size(); }

 private:
  struct Run {
    Binding binding;
    Done done;
    int attempts = 0;
    env::Timer timer = {};
  };

  void send(const std::string& uid);
  void on_answer(const std::string& uid, const Result<json::Value>& answer);
  void look(const std::string& uid, const Error& refusal);
  void try_later(const std::string& uid);
  void finish(const std::string& uid, const Ended& ended);

  env::Env env_;
  client::Api& api_;
  control::MayWrite may_write_;
  std::function<bool(const std::string&)> is_open_;
  std::map<std::string, Run> running_;  // By uid.
  env::Scope scope_;
};

}  // namespace berth::nodes
