#include "proto/tls_buffers.h"

#include <openssl/ssl.h>

namespace joseki {
namespace {

// Called by OpenSSL for every connection that it makes.
// NOLINTNEXTLINE(google-runtime-int)
void Made(void* connection, void*, CRYPTO_EX_DATA*, int, long, void*) {
  SSL_set_mode(static_cast<SSL*>(connection), SSL_MODE_RELEASE_BUFFERS);
}

}  // namespace

void ReleaseIdleTlsBuffers() { SSL_get_ex_new_index(0, nullptr, Made, nullptr, nullptr); }

}  // namespace joseki
