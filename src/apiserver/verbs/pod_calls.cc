#include "apiserver/verbs/pod_calls.h"

#include <utility>

#include "api/metadata.h"
#include "apiserver/objects/stored_form.h"
#include "apiserver/strategies/pod_binding.h"
#include "apiserver/strategies/pod_eviction.h"
#include "apiserver/verbs/body.h"
#include "apiserver/verbs/removal.h"
#include "apiserver/verbs/writing.h"
#include "json/parse.h"

namespace berth::apiserver {
namespace {

constexpr std::string_view kBudgets = "poddisruptionbudgets.policy";

// The call as one about the pod: bindings may come through a resource of their own.
Attempt<Current> read_pod(const Call& call, std::string_view name) {
  const store::EntryPtr entry = call.view.snapshot->table("pods").find(table_name(call.ns(), name));
  if (!entry) {
    return refuse({not_found("pods", name), {.name = std::string(name), .kind = "pods"}});
  }
  return read_current(entry);
}

Attempt<store::EntryWrite> write_pod(const Call& call, const Current& current,
                                     const json::Value& pod) {
  const auto pods = call.view.registry->find("", "v1", "pods");
  ASSIGN_OR_RETURN(store::Draft draft, stored_draft(*pods, pod));
  return store::EntryWrite{
      .key = {.table = "pods", .name = table_name(call.ns(), api::Metadata(current.object).name())},
      .expected = current.entry->revision,
      .draft = std::move(draft)};
}

Response done() { return json_response(201, success_status({})); }

std::vector<json::Value> budgets_of(const Call& call) {
  std::vector<json::Value> budgets;
  const std::string prefix = std::string(call.ns()) + "/";
  json::Parser parser;
  call.view.snapshot->table(kBudgets).visit(
      prefix, [&](std::string_view name, const store::EntryPtr& entry) {
        if (!name.starts_with(prefix)) return false;
        if (auto budget = parser.parse(entry->text); budget.ok()) {
          budgets.push_back(*std::move(budget));
        }
        return true;
      });
  return budgets;
}

Attempt<store::EntryWrite> write_budget(const Call& call, const json::Value& budget) {
  const auto resource = call.view.registry->find("policy", "v1", "poddisruptionbudgets");
  const std::string name = table_name(call.ns(), api::Metadata(budget).name());
  const store::EntryPtr entry = call.view.snapshot->table(kBudgets).find(name);
  ASSIGN_OR_RETURN(store::Draft draft, stored_draft(*resource, budget));
  return store::EntryWrite{.key = {.table = std::string(kBudgets), .name = name},
                           .expected = entry ? entry->revision : 0,
                           .draft = std::move(draft)};
}

// The deletion of the pod that has been marked, as of the moment after the first writes.
Attempt<Outcome> delete_evicted(const ApiRequest& request, const View& view,
                                const DeleteOptions& options) {
  const Call call{
      .request = request, .view = view, .resource = view.registry->find("", "v1", "pods")};
  const store::EntryPtr entry = call.find();
  if (!entry) return done();
  ASSIGN_OR_RETURN(const Current current, read_current(entry));
  ASSIGN_OR_RETURN(Outcome outcome, remove_object(call, current, options));
  auto* intent = std::get_if<WriteIntent>(&outcome.what);
  if (!intent) return done();
  intent->then = [](const View&, std::span<const store::Written>) -> Outcome { return done(); };
  return outcome;
}

Outcome or_refusal(Attempt<Outcome> outcome) {
  if (!outcome.has_value()) return refusal_response(outcome.error());
  return *std::move(outcome);
}

// Says in the pod why it goes, on the condition that nobody changed it meanwhile, and deletes it.
Attempt<Outcome> mark_evicted(const Call& call, const Current& current, const json::Value& pod,
                              const DeleteOptions& options) {
  ASSIGN_OR_RETURN(store::EntryWrite write, write_pod(call, current, pod));
  WriteIntent intent;
  intent.writes.push_back(std::move(write));
  intent.then = [request = call.request, options](const View& view,
                                                  std::span<const store::Written>) -> Outcome {
    return or_refusal(delete_evicted(request, view, options));
  };
  return intent;
}

}  // namespace

Attempt<Outcome> bind_pod(const Call& call) {
  ASSIGN_OR_RETURN(const WriteOptions options,
                   read_write_options(call.request.query, "CreateOptions"));
  ASSIGN_OR_RETURN(const ReadBody body,
                   read_object_body(call, {.version = "v1", .kind = "Binding"}));
  const std::string name =
      call.name().empty() ? std::string(api::Metadata(body.value).name()) : call.name();
  ASSIGN_OR_RETURN(const Current current, read_pod(call, name));
  ASSIGN_OR_RETURN(const json::Value bound, bind_pod(current.object, body.value, call.view.now));
  if (options.is_dry_run) return done();
  ASSIGN_OR_RETURN(store::EntryWrite write, write_pod(call, current, bound));
  WriteIntent intent;
  intent.writes.push_back(std::move(write));
  intent.then = [](const View&, std::span<const store::Written>) -> Outcome { return done(); };
  return intent;
}

Attempt<Outcome> evict_pod(const Call& call) {
  ASSIGN_OR_RETURN(
      const ReadBody body,
      read_object_body(call, {.group = "policy", .version = "v1", .kind = "Eviction"}));
  const json::Value* wanted = body.value.find("deleteOptions");
  static const json::Value kNone = json::Value::object();
  ASSIGN_OR_RETURN(DeleteOptions options, read_delete_options(wanted ? wanted : &kNone, {}));
  ASSIGN_OR_RETURN(const Current current, read_pod(call, call.name()));
  RETURN_IF_ERROR(check_delete_preconditions(*call.resource, current.object, options));
  ASSIGN_OR_RETURN(const PodEviction eviction,
                   evict_pod(current.object, budgets_of(call), call.view.now));
  if (options.is_dry_run) return done();

  options.version.reset();  // It held for the pod before it is marked.
  if (!eviction.budget) return mark_evicted(call, current, eviction.pod, options);
  // The budget pays first: what fails or has to be tried again after that is not paid twice.
  ASSIGN_OR_RETURN(store::EntryWrite write, write_budget(call, *eviction.budget));
  WriteIntent intent;
  intent.writes.push_back(std::move(write));
  intent.then = [request = call.request, current, pod = eviction.pod, options](
                    const View& view, std::span<const store::Written>) -> Outcome {
    const Call later{
        .request = request, .view = view, .resource = view.registry->find("", "v1", "pods")};
    return or_refusal(mark_evicted(later, current, pod, options));
  };
  return intent;
}

}  // namespace berth::apiserver
