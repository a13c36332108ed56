#include "hosting/hub_picture.h"

#include <map>
#include <string>
#include <utility>

#include "api/kinds/placement_decision.h"
#include "api/metadata.h"
#include "hosting/names.h"

namespace berth::hosting {
namespace {

using json::Value;

// Of the objects with that name, by the namespace they are in.
std::map<std::string, const Value*> by_namespace(const std::vector<Value>& objects,
                                                 std::string_view name) {
  std::map<std::string, const Value*> found;
  for (const Value& object : objects) {
    const api::Metadata metadata(object);
    if (metadata.name() == name) found.emplace(metadata.namespace_name(), &object);
  }
  return found;
}

const Value* find(const std::map<std::string, const Value*>& objects, const std::string& key) {
  const auto found = objects.find(key);
  return found == objects.end() ? nullptr : found->second;
}

void put_hosts(const HubPicture& picture, std::string_view without_claims_of, Time now,
               Situation& situation) {
  const auto ledgers = by_namespace(picture.ledgers, kLedgerName);
  const auto scores = by_namespace(picture.scores, kCountScore);
  const auto add_ons = by_namespace(picture.add_ons, kHyperShiftAddOn);
  std::map<std::string, const Value*> configs;
  for (const Value& config : picture.configs) {
    const api::Metadata metadata(config);
    configs.emplace(std::string(metadata.namespace_name()) + "/" + std::string(metadata.name()),
                    &config);
  }
  for (const Value& cluster : picture.clusters) {
    const std::string name(api::Metadata(cluster).name());
    const Value* add_on = find(add_ons, name);
    Host host = read_host(
        {.cluster = cluster,
         .ledger = find(ledgers, name),
         .score = find(scores, name),
         .add_on = add_on,
         .deployment_config = add_on ? find(configs, deployment_config_of(*add_on)) : nullptr},
        now);
    std::erase_if(host.ledger.claims,
                  [&](const Claim& claim) { return claim.request_uid == without_claims_of; });
    host.weigh(now);
    situation.put_host(std::move(host), now);
  }
}

}  // namespace

Situation situation_of(const HubPicture& picture, std::string_view without_claims_of, Time now) {
  Situation situation;
  for (const Value& request : picture.requests) situation.put_request(read_request(request));
  put_hosts(picture, without_claims_of, now, situation);
  std::map<api::ObjectKey, Selection> selections;
  for (const Value& object : picture.decisions) {
    const auto decision = api::read_placement_decision(object);
    Selection& clusters = selections[{std::string(api::Metadata(object).namespace_name()),
                                      std::string(decision.placement())}];
    for (const auto& chosen : decision.decisions) clusters.insert(chosen.cluster);
  }
  for (auto& [placement, clusters] : selections) {
    situation.put_selection(placement, std::move(clusters));
  }
  return situation;
}

}  // namespace berth::hosting
