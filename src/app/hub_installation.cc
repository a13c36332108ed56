#include "app/hub_installation.h"

#include <future>
#include <memory>
#include <utility>

#include <fmt/format.h>

namespace berth::app {
namespace {

constexpr std::size_t kErrorBytesMax = 4096;

// Lives on the loop until all is done or something failed.
class Installer : public std::enable_shared_from_this<Installer> {
 public:
  Installer(env::Loop& loop, std::vector<Installation> installations)
      : loop_(loop), installations_(std::move(installations)), open_(installations_.size()) {}

  std::future<Status> result() { return result_.get_future(); }

  void begin() {
    if (installations_.empty()) return finish({});
    for (std::size_t i = 0; i < installations_.size(); ++i) step(i, 0);
  }

 private:
  void step(std::size_t installation, std::size_t next) {
    Installation& one = installations_[installation];
    if (finished_) return;
    if (next == one.requests.size()) {
      if (--open_ == 0) finish({});
      return;
    }
    apiserver::ApiRequest& request = one.requests[next];
    const std::string what = request.info.resource + " " + request.info.name;
    one.server->perform(std::move(request), [self = shared_from_this(), installation, next,
                                             what](apiserver::Response response) mutable {
      if (response.status >= 300) return self->refuse(what, response);
      // Not at once: an answer may come from inside the call.
      self->loop_.post([self, installation, next] { self->step(installation, next + 1); });
    });
  }

  void refuse(const std::string& what, apiserver::Response& response) {
    std::string text(kErrorBytesMax, '\0');
    text.resize(response.body.pull(text).bytes);
    finish(failure(Code::InternalError, fmt::format("cannot install {}: {}", what, text)));
  }

  void finish(Status status) {
    if (!std::exchange(finished_, true)) result_.set_value(std::move(status));
  }

  env::Loop& loop_;
  std::vector<Installation> installations_;
  std::size_t open_;
  bool finished_ = false;
  std::promise<Status> result_;
};

}  // namespace

Status install(env::Loop& loop, std::vector<Installation> installations) {
  auto installer = std::make_shared<Installer>(loop, std::move(installations));
  std::future<Status> result = installer->result();
  loop.post([installer = std::move(installer)] { installer->begin(); });
  return result.get();
}

}  // namespace berth::app
