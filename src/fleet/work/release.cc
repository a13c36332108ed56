#include "fleet/work/release.h"

#include <algorithm>
#include <vector>

#include "api/metadata.h"
#include "fleet/work/names.h"

namespace berth::fleet {

Release release_of(const json::Value& live, std::string_view owner_uid) {
  const api::Metadata metadata(live);
  const std::vector<api::OwnerReference> owners = metadata.owner_references();
  const auto is_ours = [&](const api::OwnerReference& owner) { return owner.uid == owner_uid; };
  const auto is_other_work = [&](const api::OwnerReference& owner) {
    return owner.api_version == kWorkApiVersion && owner.kind == kAppliedWorkKind &&
           owner.uid != owner_uid;
  };
  if (std::ranges::none_of(owners, is_ours)) return Release::Forget;
  if (std::ranges::any_of(owners, is_other_work)) return Release::DropOwner;
  // The uid in the record may be that of an earlier object of this name: when it was made anew, the
  // answer may have been lost. That only we own it is proof enough, as it is for garbage
  // collection.
  return metadata.is_being_deleted() ? Release::Await : Release::Delete;
}

}  // namespace berth::fleet
