#include "append_log.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include <fmt/core.h>

#include "base/hash.h"
#include "env/files.h"
#include "lines.h"

namespace berth::worlds {
namespace {

constexpr std::size_t kHeadBytes = 12;  // The length, then the hash.
constexpr std::size_t kFileMax = 64 << 20;

std::string record_of(std::string_view payload) {
  const auto length =
      std::bit_cast<std::array<char, 4>>(static_cast<std::uint32_t>(payload.size()));
  const auto hash = std::bit_cast<std::array<char, 8>>(hash64(payload));
  std::string record(length.begin(), length.end());
  record.append(hash.begin(), hash.end());
  return record.append(payload);
}

// The payload of the record at the start of `bytes`; nothing if there is no whole record.
std::optional<std::string_view> first_payload(std::string_view bytes) {
  if (bytes.size() < kHeadBytes) return std::nullopt;
  std::uint32_t length = 0;
  std::copy_n(bytes.data(), sizeof length, reinterpret_cast<char*>(&length));
  if (length == 0 || length > bytes.size() - kHeadBytes) return std::nullopt;
  return bytes.substr(kHeadBytes, length);
}

}  // namespace

class AppendLog::Session final : public env::StreamHandler {
 public:
  Session(AppendLog& log, std::uint64_t id, std::unique_ptr<env::Stream> stream)
      : log_(log), id_(id), stream_(std::move(stream)) {
    stream_->start(*this);
  }

  void answer(std::string_view line) { stream_->write(line); }

  void on_received(std::string_view bytes) override {
    const bool fine = lines_.feed(bytes, [this](std::string_view line) {
      log_.on_line(id_, line);
      return true;
    });
    if (!fine) log_.end(id_);
  }
  void on_drained() override {}
  void on_ended() override { stream_->shutdown_write(); }
  void on_closed(const Status& /*why*/) override { log_.end(id_); }

 private:
  AppendLog& log_;
  std::uint64_t id_;
  Lines lines_;
  std::unique_ptr<env::Stream> stream_;
};

AppendLog::AppendLog(env::Env& env, AppendLogOptions options,
                     std::function<void(const Error&)> on_doubt)
    : env_(env), options_(std::move(options)), on_doubt_(std::move(on_doubt)) {}

AppendLog::~AppendLog() = default;

Status AppendLog::open() {
  RETURN_IF_ERROR(recover());
  env_.log.info("log.opened", {{"entries", entries_.size()}});
  return listen();
}

Status AppendLog::recover() {
  const std::string path = options_.directory + "/log";
  RETURN_IF_ERROR(env_.disk.create_directory(options_.directory));
  ASSIGN_OR_RETURN(const bool exists, env_.disk.exists(path));
  std::string right;
  if (exists) {
    ASSIGN_OR_RETURN(const std::string bytes, env::read_file(env_.disk, path, kFileMax));
    right = bytes.substr(0, load(bytes));
  }
  if (options_.mistake == Mistake::TrustsTheCache && exists) {
    ASSIGN_OR_RETURN(file_, env_.disk.open(path, {.mode = env::OpenMode::Existing}));
    RETURN_IF_ERROR(file_->truncate(right.size()));
    return file_->sync();
  }
  // Written anew, not only cut: after a failed sync the system may show bytes that are in its cache
  // and will never be on the disk, and a further sync would say that all is well.
  if (options_.mistake == Mistake::ForgetsTheDirectory) {
    ASSIGN_OR_RETURN(file_, env_.disk.open(path, {.mode = env::OpenMode::Create}));
    RETURN_IF_ERROR(file_->truncate(0));
    RETURN_IF_ERROR(file_->write_at(0, right));
    return file_->sync();
  }
  RETURN_IF_ERROR(env::replace_file(env_.disk, path, right, 0600));
  ASSIGN_OR_RETURN(file_, env_.disk.open(path, {.mode = env::OpenMode::Existing}));
  return {};
}

// Takes over the whole and right records; the number of their bytes. What follows was never
// acknowledged.
std::size_t AppendLog::load(std::string_view bytes) {
  for (std::string_view rest = bytes;;) {
    const auto payload = first_payload(rest);
    if (!payload) break;
    const std::string record = record_of(*payload);
    const bool right = rest.starts_with(record) || options_.mistake == Mistake::TrustsTornRecords;
    if (!right) break;
    index_.emplace(*payload, entries_.size());
    entries_.emplace_back(*payload);
    rest.remove_prefix(record.size());
    size_ += record.size();
  }
  return size_;
}

Status AppendLog::listen() {
  std::vector<env::Seat> seats;
  seats.push_back({&env_.network, scope_.guard([this](std::unique_ptr<env::Stream> stream) {
                     const std::uint64_t id = ++last_session_;
                     sessions_[id] = std::make_unique<Session>(*this, id, std::move(stream));
                   })});
  ASSIGN_OR_RETURN(listener_, env_.network.listen({.address = options_.listen}, std::move(seats)));
  return {};
}

void AppendLog::on_line(std::uint64_t session, std::string_view line) {
  constexpr std::string_view kAppend = "append ";
  if (!line.starts_with(kAppend) || line.size() == kAppend.size()) return end(session);
  if (waiting_.empty()) env_.loop.post(scope_.guard([this] { commit(); }));
  waiting_.push_back({.session = session, .id = std::string(line.substr(kAppend.size()))});
}

// All requests of a turn share one sync.
void AppendLog::commit() {
  if (doubtful_) return;
  const std::vector<Request> batch = std::exchange(waiting_, {});
  const Status written = write(batch);
  if (!written.ok()) return doubt(written.error());
  if (options_.mistake == Mistake::AnswersBeforeSync) {
    sync_later();
  } else if (const Status synced = file_->sync(); !synced.ok()) {
    return doubt(synced.error());
  }
  answer(batch);
}

Status AppendLog::write(const std::vector<Request>& batch) {
  for (const Request& request : batch) {
    if (index_.contains(request.id)) continue;
    const std::string record = record_of(request.id);
    RETURN_IF_ERROR(file_->write_at(size_, record));
    size_ += record.size();
    index_.emplace(request.id, entries_.size());
    entries_.push_back(request.id);
  }
  return {};
}

void AppendLog::answer(const std::vector<Request>& batch) {
  for (const Request& request : batch) {
    const auto session = sessions_.find(request.session);
    if (session == sessions_.end()) continue;
    session->second->answer(fmt::format("ok {} {}\n", request.id, index_.at(request.id)));
  }
}

void AppendLog::sync_later() {
  late_sync_ = env::after(env_.loop, env_.clock, std::chrono::milliseconds(100), [this] {
    if (const Status synced = file_->sync(); !synced.ok()) doubt(synced.error());
  });
}

void AppendLog::doubt(const Error& error) {
  if (std::exchange(doubtful_, true)) return;
  env_.log.error("log.doubtful", {{"error", error.message}});
  on_doubt_(error);
}

// Later, because a session may be on the stack.
void AppendLog::end(std::uint64_t session) {
  env_.loop.post(scope_.guard([this, session] { sessions_.erase(session); }));
}

}  // namespace berth::worlds
