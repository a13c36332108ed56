// Handler: what a program has to implement to serve HTTP.

#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/error.h"
#include "env/network.h"
#include "http/answer.h"
#include "http/message.h"

namespace berth::http {

struct ServerRequest {
  RequestHead head;
  std::shared_ptr<const env::Peer> peer;  // Shared by all requests of a connection.
  std::string body = {};                  // Empty while it is not there yet, or if it is streamed.
};

// Takes the body of one request piece by piece. It owns the request's Answer, which may be given at
// any time: then the rest of the body is not read. It dies with the stream.
class BodySink {
 public:
  virtual ~BodySink() = default;

  virtual void on_body(std::string_view bytes) = 0;  // Owes an Answer::release() of as many.
  virtual void on_end() = 0;
  virtual void on_broken(const Error& error) = 0;  // The body does not go on; answer.
};

// Always called on the server's loop. A handler must not destroy its server from inside a call.
class Handler {
 public:
  virtual ~Handler() = default;

  // The head has arrived, the body has not. There are three ways on:
  //   send the answer                 the body is not read
  //   return a sink with the answer   the body goes there
  //   touch nothing, return nullptr   the body is collected, and on_request follows
  virtual std::unique_ptr<BodySink> on_head(const ServerRequest& request, Answer& answer);

  // The request is complete.
  virtual void on_request(ServerRequest request, Answer answer) = 0;

  // The request goes no further: its body is too large, broken or late, or the server has too much
  // to do. This says so in plain text; a handler whose clients expect another form overrides it.
  virtual void on_refused(const ServerRequest& request, const Error& error, Answer answer);
};

}  // namespace berth::http
