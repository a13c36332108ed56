#include "runtime/channel_bio.h"

#include <string_view>
#include <utility>

#include "base/check.h"

namespace berth::runtime {

struct ChannelBio::Calls {
  static ChannelBio& self(BIO* bio) { return *static_cast<ChannelBio*>(::BIO_get_data(bio)); }

  static int result(BIO* bio, const Progress& progress) {
    BIO_clear_retry_flags(bio);
    switch (progress.need) {
      case Need::Nothing:
        return static_cast<int>(progress.bytes);
      case Need::Readability:
        BIO_set_retry_read(bio);
        return -1;
      case Need::Writability:
        BIO_set_retry_write(bio);
        return -1;
      case Need::End:
        self(bio).ended_ = true;
        return 0;
      case Need::Failure:
        self(bio).error_ = progress.error;
        return -1;
    }
    return -1;
  }

  static int read(BIO* bio, char* into, int size) {
    return result(bio, self(bio).below_->read({into, static_cast<std::size_t>(size)}));
  }
  static int write(BIO* bio, const char* bytes, int size) {
    ChannelBio& its = self(bio);
    const std::string_view record(bytes, static_cast<std::size_t>(size));
    if (its.gathering_) {
      its.gathered_.append(record);
      return result(bio, {.bytes = record.size()});
    }
    // What was made first leaves first.
    const Progress before = its.send();
    return result(bio, before.need == Need::Nothing ? its.below_->write(record) : before);
  }
  static long control(BIO* bio, int command, long /*number*/, void* /*pointer*/) {
    if (command == BIO_CTRL_EOF) return self(bio).ended_ ? 1 : 0;
    return command == BIO_CTRL_FLUSH ? 1 : 0;
  }

  static BIO_METHOD* make_method() {
    BIO_METHOD* method =
        ::BIO_meth_new(::BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "berth channel");
    CHECK(method != nullptr);
    ::BIO_meth_set_read(method, &read);
    ::BIO_meth_set_write(method, &write);
    ::BIO_meth_set_ctrl(method, &control);
    return method;
  }
};

ChannelBio::ChannelBio(std::unique_ptr<Channel> below) : below_(std::move(below)) {}

Progress ChannelBio::send() {
  gathering_ = false;
  while (sent_ < gathered_.size()) {
    Progress progress = below_->write(std::string_view(gathered_).substr(sent_));
    if (progress.need != Need::Nothing) return progress;
    sent_ += progress.bytes;
  }
  gathered_ = {};  // Idle connections hold no memory.
  sent_ = 0;
  return {};
}

BIO* ChannelBio::make() const {
  static BIO_METHOD* const method = Calls::make_method();
  BIO* bio = ::BIO_new(method);
  CHECK(bio != nullptr);
  ::BIO_set_data(bio, const_cast<ChannelBio*>(this));
  ::BIO_set_init(bio, 1);
  return bio;
}

}  // namespace berth::runtime
