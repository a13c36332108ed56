#include "kube/comparison/apply_step.h"

#include <utility>

#include <fmt/format.h>

#include "json/print.h"
#include "kube/comparison/draw.h"
#include "kube/comparison/thing_values.h"

namespace berth::kube {
namespace {

using json::Value;

constexpr double kSparse = 0.25;
constexpr double kDense = 0.5;

std::string_view verb_name(ThingVerb verb) {
  switch (verb) {
    case ThingVerb::Create:
      return "create";
    case ThingVerb::Apply:
      return "apply";
    case ThingVerb::Update:
      return "update";
    case ThingVerb::MergePatch:
      break;
  }
  return "merge patch";
}

}  // namespace

std::string ApplyStep::text() const {
  return fmt::format("{} by {} in {} {}{}: {}", verb_name(verb), manager, version, subresource,
                     force ? " forced" : "", json::print(body));
}

StepGenerator::StepGenerator(Random random)
    : random_(random), has_versions_(random_.chance(0.5)), is_crowded_(random_.chance(0.25)) {}

// Whether a write to the object itself has a status, which does not count. Not with several
// versions: the reference takes the status from owners in other versions then, though nobody wrote
// it, and we do not.
bool StepGenerator::adds_status() { return !has_versions_ && random_.chance(0.1); }

ApplyStep StepGenerator::next(const std::string& name, const Value* live) {
  if (!live) return random_.chance(0.5) ? create(name) : apply(name, "");
  const double draw = random_.unit();
  if (draw < 0.5) return apply(name, random_.chance(0.15) ? "status" : "");
  return draw < 0.75 ? update(*live) : merge_patch();
}

std::string StepGenerator::manager() {
  if (random_.chance(is_crowded_ ? 0.8 : 0.2)) return fmt::format("guest-{}", random_.below(14));
  return std::string(pick(random_, {"ann", "bob", "kubectl", "zoe"}));
}

// What kubectl leaves when it applies without the server's help.
void StepGenerator::annotate(Value& body) {
  Value configuration = body;
  configuration["metadata"] = Value::object({{"name", body["metadata"]["name"]}});
  configuration.erase("status");
  body["metadata"]["annotations"]["kubectl.kubernetes.io/last-applied-configuration"] =
      json::print(configuration);
}

Value StepGenerator::metadata(const std::string& name) {
  Value metadata = Value::object({{"name", name}});
  if (random_.chance(kSparse)) {
    metadata["labels"] = pick_json(random_, {R"({"a":"x"})", R"({"a":"y","b":"z"})", "{}"});
  }
  if (random_.chance(kSparse)) {
    metadata["annotations"] = pick_json(random_, {R"({"n":"x"})", R"({"n":"y","o":"z"})"});
  }
  if (random_.chance(0.1)) metadata["finalizers"] = pick_json(random_, {R"(["f.io/a"])", "[]"});
  if (random_.chance(0.1)) {
    // Of a kind that nobody serves: a collector of garbage would find that a known one is missing.
    metadata["ownerReferences"] = pick_json(
        random_,
        {R"([{"apiVersion":"unknown.example/v1","kind":"Owner","name":"p","uid":"1"}])",
         R"([{"apiVersion":"unknown.example/v1","kind":"Owner","name":"q","uid":"2","controller":true}])"});
  }
  return metadata;
}

ApplyStep StepGenerator::create(const std::string& name) {
  ApplyStep step{.verb = ThingVerb::Create, .manager = manager()};
  step.body = Value::object({{"apiVersion", "compare.berth.dev/v1"},
                             {"kind", "Thing"},
                             {"metadata", metadata(name)},
                             {"spec", draw_spec(random_, kDense)}});
  if (random_.chance(0.3)) annotate(step.body);
  if (adds_status()) step.body["status"] = draw_status(random_, kDense);
  return step;
}

ApplyStep StepGenerator::apply(const std::string& name, std::string subresource) {
  ApplyStep step{.verb = ThingVerb::Apply,
                 .manager = manager(),
                 .version = has_versions_ && random_.chance(0.3) ? "v2" : "v1",
                 .subresource = std::move(subresource),
                 .force = random_.chance(0.6)};
  step.body = Value::object({{"apiVersion", "compare.berth.dev/" + step.version},
                             {"kind", "Thing"},
                             {"metadata", metadata(name)}});
  if (step.subresource.empty() || random_.chance(0.2)) {
    step.body["spec"] = draw_spec(random_, random_.chance(0.3) ? kDense : kSparse);
  }
  if (!step.subresource.empty() || adds_status()) {
    step.body["status"] = draw_status(random_, kDense);
  }
  return step;
}

Value StepGenerator::draw_managed_fields() {
  return pick_json(random_, {"null", "[]", "[{}]", R"([{"manager":"broken","operation":"Apply"}])",
                             R"([{"manager":"x","operation":"Update","apiVersion":"v1"}])"});
}

ApplyStep StepGenerator::update(const Value& live) {
  ApplyStep step{.verb = ThingVerb::Update,
                 .manager = manager(),
                 .subresource = random_.chance(0.25) ? "status" : "",
                 .body = live};
  step.body["apiVersion"] = "compare.berth.dev/" + step.version;
  if (random_.chance(0.15)) step.body["metadata"].erase("managedFields");
  if (random_.chance(0.08)) step.body["metadata"]["managedFields"] = draw_managed_fields();
  if (!step.subresource.empty() || adds_status()) {
    step.body["status"] = draw_status(random_, kDense);
  }
  if (!step.subresource.empty()) return step;
  if (random_.chance(0.2))
    step.body["metadata"]["labels"] = pick_json(random_, {R"({"a":"x"})", "{}"});
  const Value drawn = draw_spec(random_, kSparse);
  if (random_.chance(0.3)) {
    step.body["spec"] = drawn;
  } else {
    for (const json::Member& member : drawn.members()) {
      step.body["spec"][member.name()] = member.value;
    }
  }
  if (random_.chance(0.1)) annotate(step.body);
  return step;
}

ApplyStep StepGenerator::merge_patch() {
  ApplyStep step{.verb = ThingVerb::MergePatch,
                 .manager = manager(),
                 .subresource = random_.chance(0.25) ? "status" : "",
                 .body = Value::object()};
  if (step.subresource.empty()) {
    step.body["spec"] = draw_spec(random_, kSparse);
    for (const std::string_view name : {"set", "nested", "ports", "texts", "number"}) {
      if (random_.chance(0.1)) step.body["spec"][name] = nullptr;
    }
    if (random_.chance(0.1))
      step.body["metadata"]["labels"] = pick_json(random_, {"null", R"({"c":"x"})"});
    if (random_.chance(0.05)) step.body["metadata"]["managedFields"] = draw_managed_fields();
  } else {
    step.body["status"] = draw_status(random_, kDense);
  }
  return step;
}

}  // namespace berth::kube
