#include "fleet/addons/addon_deployment.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/conditions.h"
#include "api/kinds/fields.h"
#include "fleet/addons/addon_health.h"
#include "fleet/addons/addon_progress.h"
#include "fleet/addons/addon_registration.h"
#include "fleet/addons/config_references.h"
#include "fleet/addons/installation.h"
#include "fleet/addons/permissions.h"
#include "fleet/addons/rendering.h"

namespace berth::fleet {
namespace {

using api::ConditionStatus;
using json::Value;

Value with_status_condition(Value status, api::Condition condition, Time now) {
  status["conditions"] = api::with_condition(api::field(status, "conditions"), condition, now);
  return status;
}

Value without_false_condition(Value status, std::string_view type) {
  const Value& conditions = api::field(status, "conditions");
  const Value* condition = api::find_condition(conditions, type);
  if (condition && api::text_field(*condition, "status") == "False") {
    status["conditions"] = api::without_condition(conditions, type);
  }
  return status;
}

void release(Value& managed) {
  const api::Metadata metadata(managed);
  if (!metadata.has_finalizer(kPreDeleteHook)) return;
  Value finalizers = Value::array();
  for (const std::string_view each : metadata.finalizers()) {
    if (each != kPreDeleteHook) finalizers.push_back(each);
  }
  managed["metadata"]["finalizers"] = std::move(finalizers);
}

void hold(Value& managed) {
  if (api::Metadata(managed).has_finalizer(kPreDeleteHook)) return;
  managed["metadata"]["finalizers"].push_back(kPreDeleteHook);
}

// One pass over an add-on that has a template.
class Pass {
 public:
  Pass(const AddOnDeploymentView& view, AddOnDeploymentPlan& plan)
      : view_(view),
        plan_(plan),
        facts_(api::read_facts(view.managed)),
        key_{facts_.object_namespace, facts_.name},
        owner_{.api_version = std::string(kAddOnApiVersion),
               .kind = "ManagedClusterAddOn",
               .name = facts_.name,
               .uid = facts_.uid,
               .is_controller = true,
               .blocks_owner_deletion = true} {
    const Value& status = api::field(view.managed, "status");
    status_ = status.is_object() ? status : Value::object();
  }

  void run() {
    render();
    if (!facts_.is_deleting) {
      grant();
      deploy();
    }
    run_hook();
    report_health();
    finish();
  }

 private:
  void render() {
    const auto wanted = desired_config(view_.managed, kAddOnTemplates);
    const auto config = desired_config(view_.managed, kAddOnDeploymentConfigs);
    if (!wanted) return;  // Nobody has configured it yet.
    if (wanted->hash.empty()) return refuse_rendering("template desired spec hash is empty");
    if (!view_.add_on_template) {
      return refuse_rendering(fmt::format("template {} not found", wanted->object.name));
    }
    if (config && (config->hash.empty() || !view_.config)) {
      return refuse_rendering("deployment config desired spec hash is empty");
    }
    Result<Rendered> rendered = render_add_on({.key = key_,
                                               .add_on_template = *view_.add_on_template,
                                               .cluster = *view_.cluster,
                                               .config = config ? view_.config : nullptr});
    if (!rendered.ok()) return refuse_rendering(rendered.error().message);
    rendered_ = *std::move(rendered);
  }

  void refuse_rendering(std::string_view why) {
    refusal_ = fmt::format("addon {} {}", key_.text(), why);
  }

  std::string agent_namespace() const {
    if (rendered_ && !rendered_->agent_namespace.empty()) return rendered_->agent_namespace;
    const std::string asked =
        api::text_field(api::field(view_.managed, "spec"), "installNamespace");
    return asked.empty() ? std::string(kDefaultAgentNamespace) : asked;
  }

  // The agent's rights and identities. Without a template nobody knows them: they stay.
  void grant() {
    if (!rendered_ && refusal_.empty()) return;
    if (!rendered_) return report_registration(refusal_);
    auto wanted = wanted_bindings(
        {.key = key_, .uid = facts_.uid, .add_on_template = *view_.add_on_template});
    if (!wanted.ok()) return report_registration(wanted.error().message);
    plan_.bindings = plan_bindings(*wanted, view_.bindings);
    status_ =
        with_registration(std::move(status_), template_registrations(*view_.add_on_template, key_),
                          agent_namespace());
    report_registration(view_.refusals.bindings);
  }

  void report_registration(const std::string& refusal) {
    const bool is_done = refusal.empty();
    status_ = with_status_condition(
        std::move(status_),
        {.type = "RegistrationApplied",
         .status = is_done ? ConditionStatus::True : ConditionStatus::False,
         .reason = is_done ? "SetPermissionApplied" : "SetPermissionFailed",
         .message = is_done ? "Registration of the addon agent is configured"
                            : "Failed to set permission for hub agent: " + refusal},
        view_.now);
  }

  // While a changed configuration waits for its turn, what was deployed stays.
  bool is_configured() const { return api::is_condition_true(view_.managed, "Configured"); }

  void deploy() {
    if (!is_configured() || api::read_facts(*view_.cluster).is_deleting) return;
    if (!rendered_ && refusal_.empty()) return;
    if (!rendered_)
      return report_applied_failure("failed to get manifest from agent interface: " + refusal_);
    if (!is_current()) return;
    plan_.works = plan_deploy_works(works_view());
    if (!view_.refusals.works.empty()) {
      return report_applied_failure("failed to apply manifestWork: " + view_.refusals.works);
    }
    report_applied();
  }

  // Whether the objects at hand are those that the status desires. A template that was changed
  // reaches a cluster when the rollout says so, not when somebody happens to look.
  bool is_current() const {
    const auto config = desired_config(view_.managed, kAddOnDeploymentConfigs);
    return desired_config(view_.managed, kAddOnTemplates)->hash == view_.template_hash &&
           (!config || config->hash == view_.config_hash);
  }

  WorksView works_view() const {
    const Value& agent = api::field(api::field(*view_.add_on_template, "spec"), "agentSpec");
    return {
        .key = key_,
        .owner = owner_,
        .config_hashes = config_hash_annotation(api::elements_field(status_, "configReferences")),
        .manifests = rendered_->manifests,
        .options = api::elements_field(agent, "manifestConfigs"),
        .existing = view_.works};
  }

  void report_applied_failure(const std::string& why) {
    status_ = with_status_condition(std::move(status_),
                                    {.type = "ManifestApplied",
                                     .status = ConditionStatus::False,
                                     .reason = "ManifestWorkApplyFailed",
                                     .message = why},
                                    view_.now);
  }

  // As the works say: one that failed fails all, one that is silent leaves what was known.
  void report_applied() {
    std::size_t works = 0;
    std::size_t applied = 0;
    bool has_failed = false;
    for (const Value* work : view_.works) {
      if (!is_deploy_work(*work, key_.name)) continue;
      ++works;
      if (api::is_condition_true(*work, "Applied")) ++applied;
      has_failed = has_failed || api::is_condition_false(*work, "Applied");
    }
    if (works == 0 && !plan_.works.empty()) {
      status_ = without_false_condition(std::move(status_), "ManifestApplied");
      return;
    }
    if (!has_failed && applied < works) {
      status_ = without_false_condition(std::move(status_), "ManifestApplied");
      return;
    }
    const std::string_view well =
        works == 0 ? "no manifest need to apply" : "manifests of addon are applied successfully";
    status_ = with_status_condition(
        std::move(status_),
        {.type = "ManifestApplied",
         .status = has_failed ? ConditionStatus::False : ConditionStatus::True,
         .reason = has_failed ? "AddonManifestAppliedFailed" : "AddonManifestApplied",
         .message = has_failed ? "failed to apply the manifests of addon" : std::string(well)},
        view_.now);
  }

  // A finalizer holds the add-on until what has to run before has run. What cannot be rendered any
  // more cannot run: it holds nobody.
  void run_hook() {
    const bool has_finalizer = api::Metadata(plan_.managed).has_finalizer(kPreDeleteHook);
    if (!rendered_) {
      if (facts_.is_deleting) release(plan_.managed);
      return;
    }
    const std::optional<Value> hook = make_hook_work(works_view());
    if (!hook) return release(plan_.managed);
    if (!facts_.is_deleting) {
      if (is_configured()) hold(plan_.managed);
      return;
    }
    if (!has_finalizer) return;
    if (auto change = plan_hook_work(works_view())) plan_.works.push_back(*std::move(change));
    const std::string name = hook_work_name(key_.name);
    const auto work = std::ranges::find_if(
        view_.works, [&](const Value* each) { return api::Metadata(*each).name() == name; });
    const bool is_done = work != view_.works.end() && is_hook_complete(**work);
    status_ = with_status_condition(
        std::move(status_),
        {.type = "HookManifestCompleted",
         .status = is_done ? ConditionStatus::True : ConditionStatus::False,
         .reason = is_done ? "HookManifestIsCompleted" : "HookManifestIsNotCompleted",
         .message =
             fmt::format("hook manifestWork {} is {}completed.", name, is_done ? "" : "not ")},
        view_.now);
    if (is_done) release(plan_.managed);
  }

  void report_health() {
    // A copy that still waits for its configuration says nothing about itself yet.
    if (!api::find_condition(api::field(status_, "conditions"), "RegistrationApplied")) return;
    status_["healthCheck"]["mode"] = "Customized";
    if (!rendered_ || facts_.is_deleting) return;
    if (!api::find_condition(api::field(status_, "conditions"), "ManifestApplied")) return;
    const auto condition = probe_works({.key = key_,
                                        .cluster = *view_.cluster,
                                        .manifests = rendered_->manifests,
                                        .works = view_.works});
    if (condition) status_ = with_status_condition(std::move(status_), *condition, view_.now);
  }

  void finish() { plan_.managed["status"] = std::move(status_); }

  const AddOnDeploymentView& view_;
  AddOnDeploymentPlan& plan_;
  api::ObjectFacts facts_;
  AddOnKey key_;
  api::OwnerReference owner_;
  Value status_;
  std::optional<Rendered> rendered_ = std::nullopt;
  std::string refusal_ = {};  // Why it cannot be rendered.
};

}  // namespace

std::optional<AddOnConfig> desired_config(const Value& managed, const ConfigKind& kind) {
  const auto references = api::elements_field(api::field(managed, "status"), "configReferences");
  for (const AddOnConfig& config : desired_in(references)) {
    if (config.kind == kind) return config;
  }
  return std::nullopt;
}

AddOnDeploymentPlan plan_add_on(const AddOnDeploymentView& view) {
  AddOnDeploymentPlan plan{.managed = view.managed};
  if (!view.add_on.is_ours) return plan;
  const api::ObjectFacts facts = api::read_facts(view.managed);
  const bool is_held = api::Metadata(view.managed).has_finalizer(kPreDeleteHook);
  if (facts.is_deleting && !is_held) return plan;
  if (!facts.is_deleting) {
    plan.managed = with_owner(std::move(plan.managed), owner_reference_to(view.add_on));
    if (view.cluster) {
      plan.managed = with_cluster_annotations(std::move(plan.managed), *view.cluster);
    }
  }
  if (view.add_on.has_template && view.cluster) Pass(view, plan).run();
  if (facts.is_deleting && !view.cluster) release(plan.managed);
  if (facts.is_deleting) return plan;
  const Value& status = api::field(plan.managed, "status");
  const AddOnKey key{facts.object_namespace, facts.name};
  plan.managed["status"] = with_add_on_progress(
      status.is_object() ? status : Value::object(),
      {.key = key, .spec = api::field(view.managed, "spec"), .works = view.works, .now = view.now});
  return plan;
}

}  // namespace berth::fleet
