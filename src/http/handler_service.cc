// Tested by server_service_test.cc.

#include "http/handler_service.h"

namespace berth::http {

std::unique_ptr<BodySink> Handler::on_head(const ServerRequest& /*request*/, Answer& /*answer*/) {
  return nullptr;
}

void Handler::on_refused(const ServerRequest& /*request*/, const Error& error, Answer answer) {
  answer.send_error(error);
}

}  // namespace berth::http
