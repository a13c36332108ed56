#include "client/discovery_service.h"

#include <utility>

#include <fmt/format.h>

#include "client/errors.h"

namespace berth::client {

DiscoveryService::DiscoveryService(Api& api, env::Clock& clock, DiscoveryOptions options)
    : api_(api), clock_(clock), options_(options) {}

DiscoveryService::~DiscoveryService() {
  if (call_) api_.cancel(*call_);
}

void DiscoveryService::table(Ready ready) {
  const bool young = table_ && clock_.monotonic() - *fetched_ < options_.age_max;
  if (young) return ready(table_);
  fetch(std::move(ready));
}

void DiscoveryService::resolve(std::string name, Found found) {
  look_up([name = std::move(name)](const Discovery& table) { return table.resolve(name); },
          std::move(found));
}

void DiscoveryService::find(Gvk gvk, Found found) {
  look_up(
      [gvk = std::move(gvk)](const Discovery& table) -> Result<ResourceInfo> {
        if (const ResourceInfo* info = table.find(gvk)) return *info;
        return failure(Code::NotFound, fmt::format("the server does not serve {} in {}", gvk.kind,
                                                   GroupVersion{gvk.group, gvk.version}.text()));
      },
      std::move(found));
}

void DiscoveryService::look_up(Lookup lookup, Found found) {
  table([this, lookup = std::move(lookup),
         found = std::move(found)](Result<DiscoveryPtr> current) mutable {
    if (!current.ok()) return found(failure(std::move(current).error()));
    auto info = lookup(**current);
    const bool recent = clock_.monotonic() - *fetched_ < options_.refresh_min;
    if (info.ok() || recent) return found(std::move(info));
    fetch(
        [lookup = std::move(lookup), found = std::move(found)](Result<DiscoveryPtr> fresh) mutable {
          if (!fresh.ok()) return found(failure(std::move(fresh).error()));
          found(lookup(**fresh));
        });
  });
}

void DiscoveryService::fetch(Ready ready) {
  waiting_.push_back(std::move(ready));
  if (building_) return;
  building_ = std::make_shared<Discovery>();
  aggregated_ = true;
  fetch_root("/api");
}

void DiscoveryService::fetch_root(std::string path) {
  RestRequest request = plain_request(path);
  request.accept = kDiscoveryAccept;
  call_ = api_.fetch(std::move(request), {},
                     scope_.guard([this, path = std::move(path)](Result<RestAnswer> answer) {
                       on_root(path, std::move(answer));
                     }));
}

void DiscoveryService::on_root(const std::string& path, Result<RestAnswer> answer) {
  call_ = std::nullopt;
  if (!answer.ok()) return finish(failure(std::move(answer).error()));
  auto document = read_answer(*answer, http::Method::Get);
  if (!document.ok()) return finish(failure(std::move(document).error()));
  const bool aggregated = is_aggregated(answer->content_type);
  aggregated_ = aggregated_ && aggregated;
  const Status added =
      aggregated ? building_->add_aggregated(*document) : building_->add_legacy_groups(*document);
  if (!added.ok()) return finish(failure(added.error()));
  if (path == "/api") return fetch_root("/apis");
  if (aggregated_) return finish(DiscoveryPtr(building_));
  legacy_ = building_->legacy_paths();
  fetch_legacy();
}

void DiscoveryService::fetch_legacy() {
  if (legacy_.empty()) return finish(DiscoveryPtr(building_));
  RestRequest request = plain_request(legacy_.back());
  legacy_.pop_back();
  call_ = api_.fetch(std::move(request), {}, scope_.guard([this](Result<RestAnswer> answer) {
    call_ = std::nullopt;
    // One broken group, often an aggregated server that is down, must not hide all the others.
    if (answer.ok()) {
      const auto document = read_answer(*answer, http::Method::Get);
      const bool good = document.ok() && building_->add_legacy_resources(*document).ok();
      if (!good) answer = failure(Code::InternalError, "unreadable");
    } else if (network_failure(answer.error())) {
      return finish(failure(std::move(answer).error()));
    }
    fetch_legacy();
  }));
}

void DiscoveryService::finish(Result<DiscoveryPtr> result) {
  building_ = nullptr;
  legacy_.clear();
  if (result.ok()) {
    table_ = *result;
    fetched_ = clock_.monotonic();
  }
  auto waiting = std::exchange(waiting_, {});
  for (Ready& ready : waiting) ready(result);
}

}  // namespace berth::client
