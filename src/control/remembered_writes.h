// A sequence of writes that remembers the versions it was answered with, so that its author can
// wait until his caches show them.

#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "client/resource.h"
#include "control/commit.h"

namespace berth::control {

class RememberedWrites final : public WriteSequence {
 public:
  explicit RememberedWrites(std::unique_ptr<WriteSequence> writes) : writes_(std::move(writes)) {}

  const std::optional<Write>& write() const override { return writes_->write(); }
  Status on_answer(Result<json::Value> answer) override;

  // The last version of each resource; deletions that took effect at once have none.
  const std::map<client::Gvr, std::string>& versions() const { return versions_; }
  std::string version_of(const client::Gvr& resource) const;  // Empty: there is none.

 private:
  std::unique_ptr<WriteSequence> writes_;
  std::map<client::Gvr, std::string> versions_;
};

}  // namespace berth::control
