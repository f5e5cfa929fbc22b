#pragma once

namespace joseki {

// To be called first in the main function of a program with thousands of TLS connections: from then
// on a connection has OpenSSL's buffers for records, 16 KiB each way, only while it reads or writes
// (SSL_MODE_RELEASE_BUFFERS). gRPC, whose the connections are, has no option for it.
void ReleaseIdleTlsBuffers();

}  // namespace joseki
