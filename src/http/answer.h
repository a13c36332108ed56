// Answer: a handler's one chance to reply to a request, now or later.

#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "base/error.h"
#include "http/body.h"
#include "http/message.h"
#include "http/session.h"

namespace berth::http {

// Called once when the stream of a request is over: its answer went out, or its client went away.
using Closed = std::move_only_function<void(StreamEnd)>;

// The requests of one connection, as their answers see them. Calls about a stream that is over are
// ignored.
class Exchanges {
 public:
  virtual ~Exchanges() = default;

  virtual bool is_open(StreamId id) const = 0;
  virtual void on_closed(StreamId id, Closed closed) = 0;
  virtual void respond(StreamId id, ResponseHead head, Body body) = 0;
  virtual void resume(StreamId id) = 0;
  virtual void release(StreamId id, std::size_t bytes) = 0;
};

// Tells the connection that a body which said Waiting has news. May be called at any time on the
// connection's loop, except from inside pull().
class Waker {
 public:
  Waker(std::weak_ptr<Exchanges> exchanges, StreamId id)
      : exchanges_(std::move(exchanges)), id_(id) {}

  void operator()() const;

 private:
  std::weak_ptr<Exchanges> exchanges_;
  StreamId id_;
};

// Belongs to the loop of its connection, and may outlive the connection: then nothing happens any
// more. An answer that dies without having been given says 500, so that no client waits for ever.
class Answer {
 public:
  Answer() = default;  // Nobody's.
  Answer(std::weak_ptr<Exchanges> exchanges, StreamId id)
      : exchanges_(std::move(exchanges)), id_(id) {}
  ~Answer();
  Answer(Answer&& other) noexcept;
  Answer& operator=(Answer&& other) noexcept;

  // Once. The date is added; the session frames the body. A body that is a source streams for as
  // long as it likes, at the client's pace: take a waker() before, for when it has been Waiting.
  void send(ResponseHead head, Body body);

  // A short text: the message of the error with its status, and Retry-After if the error has it.
  void send_error(const Error& error);

  Waker waker() const { return {exchanges_, id_}; }

  // False when nobody waits for the answer any more: the work for it may stop.
  bool is_wanted() const;

  // To be asked for while the request is at hand. The callback lives with the stream: guard it.
  void on_closed(Closed closed);

  // So many bytes of a streamed request body were used up; the client may send as many again.
  void release(std::size_t bytes);

 private:
  std::weak_ptr<Exchanges> exchanges_;
  StreamId id_ = 0;
};

}  // namespace berth::http
