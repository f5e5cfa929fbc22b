#include "base/address.h"

#include "base/problem.h"
#include "gtest/gtest.h"

namespace joseki {
namespace {

TEST(AddressTest, ReadsHostAndPort) {
  EXPECT_EQ(ParseHostPort("10.0.0.1:7460")->host, "10.0.0.1");
  EXPECT_EQ(ParseHostPort("10.0.0.1:7460")->port, 7460);
  EXPECT_EQ(ParseHostPort("[::1]:0")->host, "::1");
  EXPECT_EQ(ParseHostPort("node-1.cluster:65535")->port, 65535);
}

TEST(AddressTest, RefusesWhatIsNone) {
  for (const char* text : {"", "7460", ":7460", "127.0.0.1", "a:port", "a:70000", "a:-1",
                           "a:", "::1:7460", "a:7460 "}) {
    EXPECT_FALSE(ParseHostPort(text)) << text;
  }
}

TEST(AddressTest, DialsAPortOfAHost) {
  for (const char* text : {"127.0.0.1:1", "node-1.cluster:65535", "[::1]:7460"}) {
    EXPECT_EQ(CheckDialled(text), absl::OkStatus());
  }
  for (const char* text : {"", "127.0.0.1", "127.0.0.1:0", "127.0.0.1:99999", ":7460", "a:"}) {
    EXPECT_EQ(ProblemOf(CheckDialled(text)).code, "bad_address") << text;
  }
}

TEST(AddressTest, TellsLoopbackFromTheRest) {
  for (const char* host : {"127.0.0.1", "127.1.2.3", "localhost", "::1"}) {
    EXPECT_TRUE(IsLoopback(host)) << host;
  }
  for (const char* host : {"0.0.0.0", "10.0.0.1", "", "127.evil.example", "localhost.example"}) {
    EXPECT_FALSE(IsLoopback(host)) << host;
  }
}

}  // namespace
}  // namespace joseki
