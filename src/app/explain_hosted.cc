// Tested by tests/kube/hosting_command_test.cc.
#include "app/explain_hosted.h"

#include <cstdio>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "app/calls.h"
#include "client/errors.h"
#include "hosting/explain_text.h"
#include "hosting/hosting_kinds_controller.h"
#include "hosting/hub_picture.h"
#include "json/print.h"
#include "json/yaml_print.h"
#include "runtime/system.h"

namespace berth::app {
namespace {

using hosting::HostingResource;
using json::Value;

int fail(std::string_view message) {
  std::fputs(fmt::format("{}\n", message).c_str(), stderr);
  return 1;
}

Result<hosting::HubPicture> read_picture(Calls& hub) {
  hosting::HubPicture picture;
  const std::pair<HostingResource, std::vector<Value>*> parts[] = {
      {HostingResource::Requests, &picture.requests},  {HostingResource::Ledgers, &picture.ledgers},
      {HostingResource::Clusters, &picture.clusters},  {HostingResource::Scores, &picture.scores},
      {HostingResource::AddOns, &picture.add_ons},     {HostingResource::Configs, &picture.configs},
      {HostingResource::Decisions, &picture.decisions}};
  for (const auto& [kind, objects] : parts) {
    ASSIGN_OR_RETURN(*objects, hub.list({.resource = resource_of(kind)}));
  }
  return picture;
}

void print(const hosting::Explanation& explanation, const std::string& output) {
  if (output == "json") {
    fmt::print("{}\n", json::print(to_json(explanation), {.indent = json::kKubectlIndent}));
  } else if (output == "yaml") {
    fmt::print("{}", json::print_yaml(to_json(explanation)));
  } else {
    fmt::print("{}", to_text(explanation));
  }
}

}  // namespace

int explain_hosted(const HubFlags& flags, const std::string& name, const std::string& output) {
  runtime::System system({.loops = 1, .workers = 1, .log = {.level = env::Level::Error}});
  env::Env& env = system.env(0);
  const auto config = load_hub_config(flags, env);
  if (!config.ok()) return fail("error: " + config.error().message);
  Calls hub(env, *config);
  const auto object =
      hub.get({.resource = resource_of(HostingResource::Requests), .ns = config->ns, .name = name});
  if (!object.ok()) return fail(hub.text_of(object.error()));
  const auto picture = read_picture(hub);
  if (!picture.ok()) return fail(hub.text_of(picture.error()));
  const Time now = env.clock.now();
  const hosting::HostedClusterRequest request = hosting::read_request(*object);
  const hosting::Situation situation = situation_of(*picture, request.facts.uid, now);
  print({.request = request,
         .message = api::text_field(api::field(*object, "status"), "message"),
         .hosts = hosting::explain(situation.question(request, now))},
        output);
  return 0;
}

}  // namespace berth::app
