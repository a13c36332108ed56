// Tested by suites/delivering_test.cc.
#include "fleet/work/releaser_controller.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "api/kinds/fields.h"
#include "api/metadata.h"
#include "client/errors.h"
#include "fleet/work/names.h"
#include "fleet/work/release.h"

namespace berth::fleet {
namespace {

client::ResourcePath path_of(const AppliedResource& resource) {
  return {.resource = resource.gvr(), .ns = resource.ns, .name = resource.name};
}

std::string problem(std::string_view deed, const AppliedResource& resource, const Error& error) {
  return fmt::format("failed to {} {} {}/{}: {}", deed, resource.gvr().text(), resource.ns,
                     resource.name, error.message);
}

}  // namespace

void Releaser::release(AppliedResources resources, json::Value owner, Done done) {
  std::ranges::reverse(resources);
  const auto job = std::make_shared<Job>(
      Job{.left = std::move(resources), .owner = std::move(owner), .done = std::move(done)});
  env_.loop.post(scope_.guard([this, job] { next(job); }));
}

void Releaser::next(const JobPtr& job) {
  if (job->left.empty()) return job->done(std::move(job->released));
  const AppliedResource resource = std::move(job->left.back());
  job->left.pop_back();
  look(job, resource);
}

void Releaser::keep(const JobPtr& job, const AppliedResource& resource, std::string problem) {
  job->released.pending.push_back(resource);
  if (!problem.empty()) job->released.problems.push_back(std::move(problem));
  next(job);
}

void Releaser::look(const JobPtr& job, const AppliedResource& resource) {
  api_.get(path_of(resource), scope_.guard([this, job, resource](const Result<json::Value>& live) {
    if (!live.ok()) {
      if (client::is_not_found(live.error())) return next(job);
      return keep(job, resource, problem("get", resource, live.error()));
    }
    if (!may_write_()) return keep(job, resource, std::string(kNotLeading));
    switch (release_of(*live, api::text_field(job->owner, "uid"))) {
      case Release::Forget:
        return next(job);
      case Release::DropOwner:
        return drop_owner(job, resource, *live);
      case Release::Await:
        return keep(job, resource, "");
      case Release::Delete:
        return remove(job, resource, *live);
    }
  }));
}

void Releaser::drop_owner(const JobPtr& job, const AppliedResource& resource,
                          const json::Value& live) {
  const auto patch = owners_patch(live, {.reference = job->owner, .owned = false});
  if (!patch) return next(job);
  api_.patch(path_of(resource), *patch, {},
             scope_.guard([this, job, resource](const Result<json::Value>& answer) {
               if (answer.ok() || client::is_not_found(answer.error())) return next(job);
               keep(job, resource, problem("remove the owner from", resource, answer.error()));
             }));
}

// Only in the version that was read: between then and now another work may have become its owner.
void Releaser::remove(const JobPtr& job, const AppliedResource& resource, const json::Value& live) {
  const api::Metadata metadata(live);
  api_.remove(path_of(resource),
              {.propagation = client::Propagation::Background,
               .uid = std::string(metadata.uid()),
               .resource_version = std::string(metadata.resource_version())},
              scope_.guard([this, job, resource](const Result<json::Value>& answer) {
                if (answer.ok()) {
                  env_.log.info("work.deleted", {{"resource", resource.gvr().text()},
                                                 {"object", resource.key().text()}});
                  return keep(job, resource, "");
                }
                if (client::is_not_found(answer.error())) return next(job);
                keep(job, resource, problem("delete", resource, answer.error()));
              }));
}

}  // namespace berth::fleet
