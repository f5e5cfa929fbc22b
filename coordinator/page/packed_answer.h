#pragma once

#include <httplib.h>

#include <string>
#include <string_view>

namespace joseki::coordinator {

// Answers as small as the asker can take them. Gzip only: the library would choose Brotli at its
// best wherever a browser offers it, which takes half a second of a core for a list of workers.

// Whether an Accept-Encoding header takes gzip.
bool TakesGzip(std::string_view accept_encoding);

// `level` as zlib has it: 1 is the fastest, 9 the smallest.
std::string Gzip(std::string_view bytes, int level);

// Makes `body`, which is not empty, the content of an answer to `request`.
void SendPacked(const httplib::Request& request, std::string body, const char* content_type,
                httplib::Response& response);
// The same of what is packed already.
void SendPacked(const httplib::Request& request, std::string_view plain, std::string_view gzipped,
                const char* content_type, httplib::Response& response);

}  // namespace joseki::coordinator
