#pragma once

#include <httplib.h>

#include <optional>
#include <string>
#include <string_view>

namespace joseki::coordinator {

// Answers as small as the asker can take them. Gzip only: the library would choose Brotli at its
// best wherever a browser offers it, which takes half a second of a core for a list of workers.

// Whether an Accept-Encoding header takes gzip.
bool TakesGzip(std::string_view accept_encoding);

// `level` as zlib has it: 1 is the fastest, 9 the smallest. Nothing where zlib cannot: it has no
// memory, or there is no such level.
std::optional<std::string> Gzip(std::string_view bytes, int level);

// Makes `body`, which is not empty, the content of an answer to `request`.
void SendPacked(const httplib::Request& request, std::string body, const char* content_type,
                httplib::Response& response);
// The same of what is packed already, as far as it could be. Both must outlive the answer.
void SendPacked(const httplib::Request& request, std::string_view plain,
                std::optional<std::string_view> gzipped, const char* content_type,
                httplib::Response& response);

}  // namespace joseki::coordinator
