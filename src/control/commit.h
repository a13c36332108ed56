// One object that should look different, as the fewest writes that make it so. What a controller
// wants is a list of Changes; what would change nothing costs no request.

#pragma once

#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "base/result.h"
#include "client/options.h"
#include "client/resource.h"
#include "json/value.h"

namespace berth::control {

// Where the status of a kind is written.
enum class StatusWrites {
  Subresource,  // At /status only: the server ignores it in every other write.
  WithTheRest,  // The kind has no status subresource.
};

struct Change {
  client::Gvr resource;
  std::optional<json::Value> before = std::nullopt;  // As it was read; absent: to be created.
  std::optional<json::Value> after = std::nullopt;   // As it should be; absent: to be deleted.
  StatusWrites status = StatusWrites::Subresource;
};

struct CreateWrite {
  client::ResourcePath collection;
  json::Value object;
};
struct PatchWrite {
  client::ResourcePath path;
  json::Value patch;  // A merge patch that holds for the version that was read, or fails.
};
struct DeleteWrite {
  client::ResourcePath path;
  client::DeleteOptions options;  // Only that very object.
};
using Write = std::variant<CreateWrite, PatchWrite, DeleteWrite>;

// Writes that follow each other, each made when the answer to the one before is known.
class WriteSequence {
 public:
  virtual ~WriteSequence() = default;

  // What to send now; nothing when all is done.
  virtual const std::optional<Write>& write() const = 0;

  // The server's answer to write(). An error ends the sequence: the caller looks at the world
  // again.
  virtual Status on_answer(Result<json::Value> answer) = 0;
};

// Its writes follow each other, because the second carries the version that the first one made.
// Every update names the uid and resourceVersion it was decided on: a writer with an old picture is
// refused.
class Commit final : public WriteSequence {
 public:
  // Fails when `before` lacks the uid or resourceVersion, or there is neither before nor after.
  static Result<Commit> of(Change change);

  const std::optional<Write>& write() const override { return write_; }

  // That something to be deleted is gone already is no error.
  Status on_answer(Result<json::Value> answer) override;

 private:
  explicit Commit(Change change) : change_(std::move(change)) {}

  Status begin();
  Status patch_main();
  Status patch_status();
  client::ResourcePath path_of(const json::Value& object, std::string subresource) const;

  Change change_;
  std::optional<Write> write_ = std::nullopt;
  bool status_pending_ = false;  // A write of the status follows the one at hand.
};

// The commits of these changes one after the other; no-ops are passed over.
Result<std::unique_ptr<WriteSequence>> sequence_of(std::vector<Change> changes);
Result<std::unique_ptr<WriteSequence>> sequence_of(Change change);

}  // namespace berth::control
