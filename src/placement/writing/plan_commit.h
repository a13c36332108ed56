// A plan as the requests that carry it out, one after the other.

#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "api/object_key.h"
#include "base/result.h"
#include "control/commit.h"
#include "json/value.h"
#include "placement/writing/plan.h"

namespace berth::placement {

// The versions that writes were answered with: a cache that shows them shows all that was written.
struct WrittenVersions {
  std::string decisions = {};  // Empty: nothing was written.
  std::string placement = {};
};

class PlanCommit final : public control::WriteSequence {
 public:
  PlanCommit(api::ObjectKey key, std::vector<PlannedWrite> writes);

  const std::optional<control::Write>& write() const override { return request_; }

  // That a decision to be deleted is gone already is no error. What answers say is handed out by
  // the methods below, also after an error.
  Status on_answer(Result<json::Value> answer) override;

  const WrittenVersions& versions() const { return versions_; }

  // How a decision in a cache that has reached versions() compares to what was written.
  enum class Sight : std::uint8_t {
    AsWritten,
    NotGoneYet,  // It was deleted, which has no version to wait for.
    News,        // Somebody else wrote it, or nothing was written here.
  };
  // The version that the cache shows; empty when it shows no such decision.
  Sight compare(const std::string& decision, std::string_view version) const;

  // What is to be told of all that was written. `decision` refers to the object as it was before
  // the write, or as it was created.
  struct News {
    Notice notice;
    json::Value decision;
  };
  const std::vector<News>& news() const { return news_; }

 private:
  struct Written {
    std::string version;
    bool is_gone = false;  // Then the version is the one that was deleted.
  };

  void prepare();
  void remember(const PlannedWrite& write, const json::Value& answer);
  client::ResourcePath path_of(const PlannedWrite& write) const;
  json::Value reference_to(const json::Value& decision, const std::string& name) const;

  api::ObjectKey key_;
  std::vector<PlannedWrite> writes_;
  std::size_t next_ = 0;
  std::optional<control::Write> request_ = std::nullopt;
  json::Value previous_ = {};  // The last answer.
  WrittenVersions versions_;
  std::map<std::string, Written> decisions_;  // By their names.
  std::vector<News> news_;
};

}  // namespace berth::placement
