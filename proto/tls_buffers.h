#pragma once

namespace joseki {

// Makes TLS connections keep OpenSSL's record buffers, 16 KiB each way, only while they read or
// write (SSL_MODE_RELEASE_BUFFERS). gRPC, which makes the connections, has no option for it. Call
// first in the main function of a program with thousands of TLS connections.
void ReleaseIdleTlsBuffers();

}  // namespace joseki
