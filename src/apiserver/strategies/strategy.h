// Strategy: what is special about writing objects of one kind. Most kinds are special in nothing.

#pragma once

#include <string_view>
#include <vector>

#include "apiserver/objects/metadata_rules.h"
#include "apiserver/refusal.h"
#include "apiserver/resource.h"
#include "apiserver/user.h"
#include "apiserver/verbs/view.h"
#include "json/value.h"

namespace berth::apiserver {

// Who writes what, and what he may look at.
struct Occasion {
  const View& view;
  const User& user;
  const Resource& resource;
  std::string_view subresource = {};
};

struct Strategy {
  NameRule name_rule = NameRule::Subdomain;
  bool creates_on_update = false;  // PUT of a name that does not exist makes it.
  bool takes_any_version = true;   // PUT without a resourceVersion overwrites.
  bool counts_generations = false;
  bool keeps_first_status = false;  // The status of a new object is not dropped.

  // Put on an object when it is deleted, for somebody who cleans up after it. Empty: none.
  std::string_view cleanup_finalizer = {};

  // Before defaults and validation: what the server itself says about the object. Null: nothing.
  Attempt<void> (*on_create)(json::Value& object, const Occasion& occasion) = nullptr;
  Attempt<void> (*on_update)(json::Value& object, const json::Value& old,
                             const Occasion& occasion) = nullptr;

  // What no schema can say. `old` is null for a new object.
  std::vector<Cause> (*check)(const json::Value& object, const json::Value* old,
                              const Occasion& occasion) = nullptr;

  // What the server adds to an object that is right.
  void (*finish)(json::Value& object, const Occasion& occasion) = nullptr;

  // What else a deletion says in an object that has to stay for a while.
  void (*on_mark)(json::Value& object, Time now) = nullptr;

  // Before it is checked: whether this user may write just this.
  Attempt<void> (*admit)(json::Value& object, const json::Value* old,
                         const Occasion& occasion) = nullptr;
};

const Strategy& strategy_of(const Resource& resource);

}  // namespace berth::apiserver
