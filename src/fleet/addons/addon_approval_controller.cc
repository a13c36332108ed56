// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_approval_controller.h"

#include <array>
#include <memory>
#include <utility>

#include "api/kinds/fields.h"
#include "client/errors.h"
#include "client/patch_builder.h"
#include "fleet/addons/addon_approval.h"
#include "fleet/addons/addon_deployment.h"
#include "fleet/addons/addon_writes_controller.h"

namespace berth::fleet {
namespace {

constexpr std::array kFollowed = {AddOnResource::Requests, AddOnResource::Managed,
                                  AddOnResource::Templates, AddOnResource::Clusters};
constexpr std::size_t kInWorkMax = 16;

// An approval has a subresource of its own.
class ApprovalWrite final : public control::WriteSequence {
 public:
  ApprovalWrite(const std::string& request, json::Value patch)
      : write_(control::PatchWrite{.path = {.resource = resource_of(AddOnResource::Requests),
                                            .name = request,
                                            .subresource = "approval"},
                                   .patch = std::move(patch)}) {}

  const std::optional<control::Write>& write() const override { return write_; }

  Status on_answer(Result<json::Value> answer) override {
    write_ = std::nullopt;
    if (!answer.ok()) return failure(answer.error());
    return {};
  }

 private:
  std::optional<control::Write> write_;
};

}  // namespace

AddOnApprovalController::AddOnApprovalController(const env::Env& env, client::Api& api,
                                                 client::Informers& informers,
                                                 const control::MayWrite& may_write)
    : env_(env),
      committer_(env.loop, api, may_write, {.field_manager = "berth-addons"}),
      reconciler_(env, "addon-approval", kInWorkMax,
                  [this](const std::string& name) { work(name); }),
      followed_(
          informers, resources_of(kFollowed),
          [this](AddOnResource kind, const client::ObjectKey& key) { refresh(kind, key); },
          [this] { reconciler_.start(); }) {}

// A request may come before its add-on is known here: then the add-on brings it back.
void AddOnApprovalController::refresh(AddOnResource kind, const client::ObjectKey& key) {
  if (kind == AddOnResource::Requests) return reconciler_.add(key.name);
  if (kind == AddOnResource::Clusters) return;
  for (const client::ObjectPtr& request : followed_.store(AddOnResource::Requests).objects()) {
    const auto about = add_on_of_request(request->body());
    if (!about) continue;
    const bool is_its =
        kind == AddOnResource::Templates || *about == AddOnKey{.cluster = key.ns, .name = key.name};
    if (is_its) reconciler_.add(std::string(request->name()));
  }
}

void AddOnApprovalController::work(const std::string& name) {
  const client::ObjectPtr request =
      followed_.store(AddOnResource::Requests).find({.ns = "", .name = name});
  const auto key = request ? add_on_of_request(request->body()) : std::nullopt;
  if (!key) return reconciler_.finish(name);
  if (const Status checked = check(*request, *key); !checked.ok()) {
    env_.log.info("addons.request_not_approved",
                  {{"request", name}, {"addon", key->text()}, {"reason", checked.error().message}});
    return reconciler_.finish(name);
  }
  approve(*request);
}

Status AddOnApprovalController::check(const client::Object& request, const AddOnKey& key) const {
  const client::ObjectPtr cluster =
      followed_.store(AddOnResource::Clusters).find({.ns = "", .name = key.cluster});
  const bool is_accepted =
      cluster &&
      api::field(api::field(cluster->body(), "spec"), "hubAcceptsClient").as_bool() == true;
  if (!is_accepted) return failure(Code::Forbidden, "the cluster is not accepted");
  const client::ObjectPtr managed =
      followed_.store(AddOnResource::Managed).find({.ns = key.cluster, .name = key.name});
  const auto config = managed ? desired_config(managed->body(), kAddOnTemplates) : std::nullopt;
  const client::ObjectPtr add_on_template =
      config
          ? followed_.store(AddOnResource::Templates).find({.ns = "", .name = config->object.name})
          : nullptr;
  // Agents may write the status of their ManagedClusterAddOn: the registrations in it prove
  // nothing.
  if (!add_on_template) return failure(Code::NotFound, "the add-on has no template");
  return check_add_on_request(request.body(), key,
                              template_registrations(add_on_template->body(), key));
}

void AddOnApprovalController::approve(const client::Object& request) {
  const std::string name(request.name());
  auto patch =
      client::merge_patch_for(request.body(), with_approval(request.body(), env_.clock.now()),
                              client::Precondition::UidAndVersion);
  if (!patch.ok()) return reconciler_.finish(name, failure(patch.error()));
  committer_.submit(std::make_shared<ApprovalWrite>(name, **std::move(patch)),
                    scope_.guard([this, name](const Status& status) {
                      if (status.ok())
                        env_.log.info("addons.request_approved", {{"request", name}});
                      if (!status.ok() && is_refusal(status.error())) {
                        env_.log.warn("addons.approval_failed",
                                      {{"request", name}, {"error", status.error().message}});
                      }
                      reconciler_.finish(name, status);
                    }));
}

}  // namespace berth::fleet
