// Requests for hosted clusters, and what hosts say, as an attacker might write them: nothing of it
// may crash the engine, and what it decides must keep its promises.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "api/kinds/fields.h"
#include "base/check.h"
#include "hosting/explain_text.h"
#include "hosting/filter.h"
#include "hosting/host_report.h"
#include "hosting/host_usage.h"
#include "hosting/hub_picture.h"
#include "hosting/request_step.h"
#include "json/parse.h"
#include "json/print.h"

namespace berth::hosting {
namespace {

using json::Value;

const Time kNow = Time::from_unix(1'800'000'000);

HubPicture picture_of(const Value& document) {
  HubPicture picture;
  HostUsage usage;
  for (const Value& object : api::elements_field(document, "objects")) {
    const std::string kind = api::text_field(object, "kind");
    if (kind == "HostedClusterRequest") picture.requests.push_back(object);
    if (kind == "HostingLedger") picture.ledgers.push_back(object);
    if (kind == "ManagedCluster") picture.clusters.push_back(object);
    if (kind == "AddOnPlacementScore") picture.scores.push_back(object);
    if (kind == "ManagedClusterAddOn") picture.add_ons.push_back(object);
    if (kind == "AddOnDeploymentConfig") picture.configs.push_back(object);
    if (kind == "PlacementDecision") picture.decisions.push_back(object);
    if (kind == "Node") (void)usage.put_node(object);
    if (kind == "Pod") (void)usage.put_pod(object);
    if (kind == "HostedCluster") (void)read_hosted_cluster(object);
  }
  for (const Resource resource : kResources) CHECK(usage.free()[resource] >= 0);
  return picture;
}

void check_decision(const HostedClusterRequest& request, const HubPicture& picture) {
  const Situation situation = situation_of(picture, request.facts.uid, kNow);
  const Question question = situation.question(request, kNow);
  const Decision decision = decide(question);
  if (decision.host) {
    CHECK(std::ranges::all_of(
        filters(), [&](const Filter& filter) { return filter.passes(question, *decision.host); }));
  } else {
    CHECK(!refusal_text(question, decision).empty());
  }
  const Explanation explanation{.request = request, .hosts = explain(question)};
  CHECK(explanation.hosts.size() == situation.hosts().size());
  CHECK(!to_text(explanation).empty());
  (void)json::print(to_json(explanation));
}

// Each write is made of the object that was read, and what it says is settled when it says it.
void check_step(const Value& object, const HostedClusterRequest& request, const Value& work) {
  const Step step =
      next_step({.object = object,
                 .request = request,
                 .claims = {{.host = request.host, .claim = make_claim(request, kNow)}},
                 .work = work.is_object() ? &work : nullptr,
                 .host_is_available = true,
                 .now = kNow});
  const bool writes = step.kind == Step::Kind::WriteRequest ||
                      step.kind == Step::Kind::CreateWork || step.kind == Step::Kind::WriteWork;
  CHECK(step.after.has_value() == writes);
  if (step.kind == Step::Kind::WriteRequest) (void)read_request(*step.after);
  if (step.kind == Step::Kind::CreateWork) CHECK(!read_work(*step.after).is_filled);
}

void run(const Value& document) {
  const Value& object = api::field(document, "request");
  const HostedClusterRequest request = read_request(object);
  if (request.problem.empty()) {
    for (const Resource resource : kResources) CHECK(request.size[resource] >= 0);
    CHECK(!request.identity.name.empty() && !request.identity.infra_id.empty());
    CHECK(read_payload(object).ok());
  }
  check_decision(request, picture_of(document));
  check_step(object, request, api::field(document, "work"));
}

}  // namespace
}  // namespace berth::hosting

// {"request": {...}, "work": {...}, "objects": [{"kind": ...}, ...]}
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto document =
      berth::json::parse(std::string_view(reinterpret_cast<const char*>(data), size));
  if (!document.ok()) return 0;
  berth::hosting::run(*document);
  return 0;
}
