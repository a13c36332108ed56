// TestHub: a hub without network, threads and disk. Requests go in as text, answers come out as
// text; the verbs, the kinds, the watches and the rules of commits between them are the real ones.

#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "apiserver/custom/custom_registry.h"
#include "apiserver/hub_facts.h"
#include "apiserver/verbs/outcome.h"
#include "apiserver/verbs/view.h"
#include "apiserver/watch/watch_hub.h"
#include "apiserver/watch/watch_stream.h"
#include "base/random.h"
#include "http/message.h"
#include "json/value.h"
#include "store/snapshot.h"

namespace berth::apiserver::testing {

struct HubAnswer {
  int status = 0;
  http::Headers headers = {};
  std::string body = {};

  json::Value json() const;  // Null when the body is no JSON.

  // What a JSON pointer points at in the body: a string as it is, everything else as JSON; "" when
  // there is nothing.
  std::string at(std::string_view pointer) const;

  std::vector<std::string> warnings() const;
};

// The kinds, and tokens for users: "admin-token" and "eve-token".
std::shared_ptr<const HubFacts> test_facts();

User admin();
User plain_user(std::string name);

struct HubCall {
  http::Method method = http::Method::Get;
  std::string target = "/";
  std::string body = {};
  std::vector<std::pair<std::string, std::string>> headers = {};
  User user = admin();
};

// What a BodySource has to give now.
std::string drained(http::BodySource& source);

class TestHub {
 public:
  // With the namespaces default, kube-system and team. It remembers as many changes as that.
  explicit TestHub(std::size_t changes_max = 1'000);
  ~TestHub();

  // Authorization has been passed; everything after it happens as in the real hub: a write that
  // meets another one is planned anew. Of a watch, the answer has what it sends at once.
  HubAnswer send(const HubCall& call);
  HubAnswer perform(const ApiRequest& request);

  // The usual calls, by the administrator.
  HubAnswer get(std::string target, std::string accept = {});
  HubAnswer post(std::string target, std::string body);
  HubAnswer put(std::string target, std::string body);
  HubAnswer merge(std::string target, std::string body);  // PATCH with a merge patch.
  HubAnswer patch(std::string target, std::string body, std::string content_type);
  HubAnswer apply(std::string target, std::string body);
  HubAnswer remove(std::string target, std::string body = {});

  // A watch that stays open.
  std::unique_ptr<WatchStream> watch(std::string target, std::string accept = {});

  // Happens once, after the next request has planned its writes and before they are committed.
  void before_next_commit(std::function<void()> competing) { competing_ = std::move(competing); }

  // Where the next commit does not work at all.
  void fail_next_commit(Error error) { failing_ = std::move(error); }

  store::Revision revision() const { return snapshot_->revision(); }
  std::size_t commits() const { return commits_; }
  View view();
  void advance(Duration length) { now_ += length; }
  Time now() const { return now_; }

 private:
  Outcome run(const ApiRequest& request);
  Response carried_out(const ApiRequest& request, Outcome outcome);
  Result<std::vector<store::Written>> commit(std::vector<store::EntryWrite> writes);
  Response watched(WatchPlan plan);

  std::shared_ptr<const HubFacts> facts_;
  CustomRegistry definitions_;
  store::SnapshotPtr snapshot_;
  WatchHub watches_;
  Random random_;
  Time now_;
  std::uint64_t uids_ = 0;
  std::size_t commits_ = 0;
  std::function<void()> competing_;
  std::optional<Error> failing_;
};

}  // namespace berth::apiserver::testing
