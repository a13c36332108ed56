// A ManifestWork as any user of the hub may write it: read, and everything decided about it.

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/check.h"
#include "fleet/work/condition_rules.h"
#include "fleet/work/desired_object.h"
#include "fleet/work/feedback.h"
#include "fleet/work/manifest_work.h"
#include "fleet/work/work_status.h"
#include "json/parse.h"

namespace fleet = berth::fleet;
namespace json = berth::json;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto object = json::parse({reinterpret_cast<const char*>(data), size});
  if (!object.ok() || !object->is_object()) return 0;
  const json::Value owner =
      json::Value::object({{"metadata", json::Value::object({{"name", "r"}})}});
  const fleet::ManifestWork work = fleet::read_manifest_work(*object);
  std::vector<fleet::ManifestReport> reports;
  for (const json::Value* manifest : work.manifests) {
    fleet::ManifestReport report{
        .meta = fleet::meta_of(static_cast<std::int64_t>(reports.size()), *manifest)};
    report.applied = fleet::check_manifest(*manifest);
    report.available = fleet::availability(report.meta, {});
    const fleet::ResourceIdentifier identifier = report.meta.identifier();
    const fleet::ManifestOption option = fleet::option_for(identifier, work.configs);
    if (report.applied.ok()) {
      const fleet::Wish wish{.manifest = *manifest,
                             .update = option.update,
                             .owner = {.reference = fleet::owner_reference(owner),
                                       .owned = fleet::is_owned(identifier, work.deletion)}};
      const fleet::Deed made = fleet::deed_for(wish, nullptr);
      if (const auto* create = std::get_if<fleet::CreateObject>(&made)) {
        fleet::deed_for(wish, &create->object);
      }
    }
    report.feedback = fleet::read_feedback(*manifest, option.feedback);
    report.rules = fleet::evaluate_rules(*manifest, option.conditions);
    reports.push_back(std::move(report));
  }
  const json::Value after = fleet::with_status(*object, reports, berth::Time());
  CHECK(fleet::with_status(after, reports, berth::Time()) == after);
  return 0;
}
