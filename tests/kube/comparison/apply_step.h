// Random writes to one object by several managers, for comparing what becomes of it.

#pragma once

#include <string>

#include "base/random.h"
#include "client/options.h"
#include "json/value.h"

namespace berth::kube {

enum class ThingVerb { Create, Apply, Update, MergePatch };

// One request, complete: all that the server gets and all that a prediction needs.
struct ApplyStep {
  ThingVerb verb = ThingVerb::Apply;
  std::string manager = {};
  std::string version = "v1";
  std::string subresource = {};
  bool force = false;
  json::Value body = {};

  std::string text() const;  // For a report of a difference.
};

class StepGenerator {
 public:
  explicit StepGenerator(Random random);

  // The next write to an object of that name; `live` is nullptr before it exists.
  ApplyStep next(const std::string& name, const json::Value* live);

 private:
  ApplyStep create(const std::string& name);
  ApplyStep apply(const std::string& name, std::string subresource);
  ApplyStep update(const json::Value& live);
  ApplyStep merge_patch();
  std::string manager();
  json::Value metadata(const std::string& name);
  json::Value draw_managed_fields();
  bool adds_status();
  void annotate(json::Value& body);

  Random random_;
  bool has_versions_;  // Whether some write in v2.
  bool is_crowded_;    // Whether most writers are guests, so that there come to be more than ten.
};

}  // namespace berth::kube
