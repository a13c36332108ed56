#include "app/audit_log.h"

#include <utility>

namespace berth::app {

Result<std::unique_ptr<AuditLog>> AuditLog::open(env::Env& env, const std::string& path) {
  std::unique_ptr<AuditLog> log(new AuditLog(env, path));
  RETURN_IF_ERROR(log->open_file());
  return log;
}

Status AuditLog::open_file() {
  ASSIGN_OR_RETURN(auto file, env_.disk.open(path_, {.mode = env::OpenMode::Create}));
  ASSIGN_OR_RETURN(size_, file->size());
  file_ = std::move(file);
  return {};
}

void AuditLog::reopen() {
  const Status opened = open_file();
  if (opened.ok()) {
    env_.log.info("hub.audit_reopened", {{"file", path_}});
  } else {
    env_.log.error("hub.audit_not_reopened", {{"error", opened.error().message}});
  }
}

apiserver::AuditSink AuditLog::sink() {
  auto write_line = scope_.guard([this](const std::string& line) { write(line); });
  return [&loop = env_.loop, write_line](std::string line) mutable {
    loop.post([write_line, line = std::move(line)]() mutable { write_line(line); });
  };
}

// A log that cannot be written must not stop the hub; it is told once, and again when it works.
void AuditLog::write(const std::string& line) {
  const Status written = file_->write_at(size_, line + "\n");
  if (written.ok()) size_ += line.size() + 1;
  if (written.ok() != failing_) return;
  failing_ = !written.ok();
  if (failing_) {
    env_.log.error("hub.audit_failed", {{"error", written.error().message}});
  } else {
    env_.log.info("hub.audit_resumed");
  }
}

}  // namespace berth::app
