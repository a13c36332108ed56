#include "http/answer.h"

#include <chrono>
#include <utility>

namespace berth::http {

void Waker::operator()() const {
  if (const auto exchanges = exchanges_.lock()) exchanges->resume(id_);
}

Answer::~Answer() {
  if (!is_wanted()) return;
  send_error({.code = Code::InternalError, .message = "the request was dropped without an answer"});
}

Answer::Answer(Answer&& other) noexcept
    : exchanges_(std::exchange(other.exchanges_, {})), id_(other.id_) {}

Answer& Answer::operator=(Answer&& other) noexcept {
  Answer mine(std::move(other));
  std::swap(exchanges_, mine.exchanges_);
  std::swap(id_, mine.id_);
  return *this;
}

void Answer::send(ResponseHead head, Body body) {
  const auto exchanges = std::exchange(exchanges_, {}).lock();
  if (exchanges) exchanges->respond(id_, std::move(head), std::move(body));
}

void Answer::send_error(const Error& error) {
  ResponseHead head{.status = http_status(error.code)};
  head.headers.add("content-type", "text/plain; charset=utf-8");
  head.headers.add("x-content-type-options", "nosniff");
  if (error.retry_after) {
    const auto seconds = std::chrono::ceil<std::chrono::seconds>(*error.retry_after);
    head.headers.add("retry-after", std::to_string(seconds.count()));
  }
  send(std::move(head), Body(error.message + "\n"));
}

bool Answer::is_wanted() const {
  const auto exchanges = exchanges_.lock();
  return exchanges && exchanges->is_open(id_);
}

void Answer::on_closed(Closed closed) {
  if (const auto exchanges = exchanges_.lock()) exchanges->on_closed(id_, std::move(closed));
}

void Answer::release(std::size_t bytes) {
  if (const auto exchanges = exchanges_.lock()) exchanges->release(id_, bytes);
}

}  // namespace berth::http
