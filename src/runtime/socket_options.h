// How our TCP sockets are set.

#pragma once

namespace berth::runtime {

// No delay for small writes, because sessions batch by themselves; keep-alive, so that a peer which
// vanished is noticed in about two minutes even if nobody sends.
void tune_stream(int socket);

}  // namespace berth::runtime
