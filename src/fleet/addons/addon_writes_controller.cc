// Tested by addons_controller_test.cc.
#include "fleet/addons/addon_writes_controller.h"

#include <memory>
#include <utility>

#include "client/errors.h"

namespace berth::fleet {

void submit_each(control::Committer& committer, std::vector<control::Change> changes,
                 std::function<void(const Status&)> done) {
  struct Count {
    std::size_t left;
    Status first = {};
    std::function<void(const Status&)> done;
  };
  auto count = std::make_shared<Count>(Count{.left = changes.size(), .done = std::move(done)});
  for (control::Change& change : changes) {
    committer.submit(std::move(change), [count](const Status& status) {
      if (!status.ok() && count->first.ok()) count->first = status;
      if (--count->left == 0) count->done(count->first);
    });
  }
}

bool is_refusal(const Error& error) {
  return !client::is_stale_write(error) && !client::is_conflict(error) &&
         !client::is_already_exists(error) && !client::network_failure(error) &&
         !client::is_too_many_requests(error);
}

}  // namespace berth::fleet
