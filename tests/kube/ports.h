// Ports for the servers of tests.

#pragma once

namespace berth::kube {

// A TCP port on the loopback address that nobody listens on. It is this process's to the end: no
// other test program gets it, and the system gives it to no client.
int free_port();

// False if another test program has the port; otherwise none gets it any more.
bool claim_port(int port);

}  // namespace berth::kube
