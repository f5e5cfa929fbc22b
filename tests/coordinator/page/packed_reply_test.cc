#include "coordinator/page/packed_reply.h"

#include <zlib.h>

#include <string>
#include <string_view>

#include "gtest/gtest.h"

namespace joseki::coordinator {
namespace {

std::string Unpack(std::string packed) {
  z_stream stream{};
  EXPECT_EQ(inflateInit2(&stream, 15 + 16), Z_OK);
  std::string plain(100'000, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  stream.next_out = reinterpret_cast<Bytef*>(plain.data());
  stream.avail_out = static_cast<uInt>(plain.size());
  EXPECT_EQ(inflate(&stream, Z_FINISH), Z_STREAM_END);
  plain.resize(stream.total_out);
  inflateEnd(&stream);
  return plain;
}

std::string Text(size_t lines) {
  std::string text;
  for (size_t i = 0; i < lines; ++i) text += "a line of a list, number " + std::to_string(i) + "\n";
  return text;
}

TEST(PackedReplyTest, KnowsWhoTakesGzip) {
  for (const std::string_view header :
       {"gzip", "gzip, deflate, br", "br;q=1.0, GZIP;q=0.8, *;q=0.1", "deflate , gzip ; q=0.001"}) {
    EXPECT_TRUE(TakesGzip(header)) << header;
  }
  for (const std::string_view header :
       {"", "identity", "br", "gzip;q=0", "gzip; q=0.000, br", "x-gzipped", "deflate"}) {
    EXPECT_FALSE(TakesGzip(header)) << header;
  }
}

TEST(PackedReplyTest, GivesBackWhatWasPacked) {
  for (const int level : {1, 2, 9}) {
    for (const std::string& text : {std::string("x"), Text(2'000), std::string(50'000, '\0')}) {
      const std::optional<std::string> packed = Gzip(text, level);
      ASSERT_TRUE(packed.has_value());
      EXPECT_EQ(Unpack(*packed), text);
    }
  }
  EXPECT_LT(Gzip(Text(2'000), 2)->size(), Text(2'000).size() / 4);
  EXPECT_EQ(Gzip("x", 10), std::nullopt) << "no such level";
}

// A body as sent to a client that accepts the encodings `accept`.
struct Sent {
  std::string encoding;
  std::string bytes;
};

Sent Send(const std::string& body, const std::string& accept) {
  const HttpReply reply = Packed({.accept_encoding = accept}, body, "application/json");
  EXPECT_EQ(reply.content_type, "application/json");
  Sent sent{"", reply.body};
  bool varies = false;
  for (const auto& [name, value] : reply.headers) {
    if (name == "Content-Encoding") sent.encoding = value;
    varies = varies || (name == "Vary" && value == "Accept-Encoding");
  }
  EXPECT_TRUE(varies);
  return sent;
}

TEST(PackedReplyTest, PacksForWhoTakesItAndWhereItIsWorthIt) {
  const std::string large = Text(200);
  const Sent packed = Send(large, "gzip, deflate, br");
  EXPECT_EQ(packed.encoding, "gzip");
  EXPECT_EQ(Unpack(packed.bytes), large);
  const Sent plain = Send(large, "br");
  EXPECT_EQ(plain.encoding, "");
  EXPECT_EQ(plain.bytes, large);
  EXPECT_EQ(Send("{}", "gzip").bytes, "{}");
}

}  // namespace
}  // namespace joseki::coordinator
