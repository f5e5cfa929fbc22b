#include "coordinator/page/packed_reply.h"

#include <zlib.h>

#include <cstddef>
#include <limits>
#include <utility>

#include "absl/cleanup/cleanup.h"
#include "absl/strings/ascii.h"
#include "absl/strings/str_split.h"

namespace joseki::coordinator {
namespace {

constexpr int kGzipWindow = 15 + 16;  // 32 kB, and a gzip header
constexpr int kMemoryLevel = 8;
// For lists that change every few seconds: three times as fast as the usual level, a tenth larger.
constexpr int kReplyLevel = 2;
constexpr size_t kWorthPacking = 600;  // bytes; fewer fit into one packet anyway
constexpr size_t kMostPacked = std::numeric_limits<uInt>::max();  // most bytes per call of zlib

}  // namespace

bool TakesGzip(std::string_view accept_encoding) {
  for (const absl::string_view entry :
       absl::StrSplit(absl::string_view(accept_encoding.data(), accept_encoding.size()), ',')) {
    const std::pair<absl::string_view, absl::string_view> parts =
        absl::StrSplit(entry, absl::MaxSplits(';', 1));
    if (!absl::EqualsIgnoreCase(absl::StripAsciiWhitespace(parts.first), "gzip")) continue;
    const absl::string_view weight = absl::StripAsciiWhitespace(parts.second);
    // q=0, q=0.0 and so on exclude the encoding.
    return weight.find_first_not_of("q=0. ") != absl::string_view::npos || weight.empty();
  }
  return false;
}

std::optional<std::string> Gzip(std::string_view bytes, int level) {
  z_stream stream{};
  if (deflateInit2(&stream, level, Z_DEFLATED, kGzipWindow, kMemoryLevel, Z_DEFAULT_STRATEGY) !=
      Z_OK) {
    return std::nullopt;
  }
  const auto end = absl::MakeCleanup([&stream] { deflateEnd(&stream); });
  std::string packed(deflateBound(&stream, bytes.size()), '\0');
  if (bytes.size() > kMostPacked || packed.size() > kMostPacked) return std::nullopt;
  // zlib does not write to its input, though the pointer is not const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uInt>(bytes.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  if (deflate(&stream, Z_FINISH) != Z_STREAM_END) return std::nullopt;
  packed.resize(stream.total_out);
  return packed;
}

HttpReply Packed(const HttpRequest& request, std::string body, const char* content_type) {
  HttpReply reply{.content_type = content_type, .headers = {{"Vary", "Accept-Encoding"}}};
  if (body.size() >= kWorthPacking && TakesGzip(request.accept_encoding)) {
    if (std::optional<std::string> packed = Gzip(body, kReplyLevel)) {
      reply.headers.emplace_back("Content-Encoding", "gzip");
      body = *std::move(packed);
    }
  }
  reply.body = std::move(body);
  return reply;
}

HttpReply Packed(const HttpRequest& request, std::string_view plain,
                 std::optional<std::string_view> gzipped, const char* content_type) {
  HttpReply reply{.content_type = content_type, .headers = {{"Vary", "Accept-Encoding"}}};
  const bool packed = gzipped.has_value() && TakesGzip(request.accept_encoding);
  if (packed) reply.headers.emplace_back("Content-Encoding", "gzip");
  reply.fixed_body = packed ? *gzipped : plain;
  return reply;
}

}  // namespace joseki::coordinator
