#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "coordinator/page/http_server.h"

namespace joseki::coordinator {

// Compression of replies as far as the client accepts it. Gzip alone: Brotli at its best takes half
// a second of a core for a list of workers.

// Whether an Accept-Encoding header allows gzip.
bool TakesGzip(std::string_view accept_encoding);

// `level` of zlib: 1 is fastest, 9 smallest. Nullopt if zlib fails, for lack of memory or a wrong
// level.
std::optional<std::string> Gzip(std::string_view bytes, int level);

// A reply to `request` with this content, compressed where possible.
HttpReply Packed(const HttpRequest& request, std::string body, const char* content_type);
// The overload for content that is already compressed, if it could be. The texts must outlive the
// reply.
HttpReply Packed(const HttpRequest& request, std::string_view plain,
                 std::optional<std::string_view> gzipped, const char* content_type);

}  // namespace joseki::coordinator
