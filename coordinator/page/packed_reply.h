#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "coordinator/page/http_server.h"

namespace joseki::coordinator {

// Replies as small as the asker can take them. Gzip only: Brotli at its best takes half a second of
// a core for a list of workers.

// Whether an Accept-Encoding header takes gzip.
bool TakesGzip(std::string_view accept_encoding);

// `level` as zlib has it: 1 is the fastest, 9 the smallest. Nothing where zlib cannot: it has no
// memory, or there is no such level.
std::optional<std::string> Gzip(std::string_view bytes, int level);

// A reply to `request` with this content.
HttpReply Packed(const HttpRequest& request, std::string body, const char* content_type);
// The same of what is packed already, as far as it could be. Both must outlive the reply.
HttpReply Packed(const HttpRequest& request, std::string_view plain,
                 std::optional<std::string_view> gzipped, const char* content_type);

}  // namespace joseki::coordinator
