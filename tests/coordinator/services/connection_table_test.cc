#include "coordinator/services/connection_table.h"

#include <map>
#include <optional>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/support/moment.h"

namespace joseki::coordinator {
namespace {

using ::joseki::testing::kNow;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using Room = ConnectionTable::Room;

Peer PeerAt(uint16_t port) { return PeerOf("ipv4:10.0.0.1:" + std::to_string(port)).value(); }

class ConnectionTableTest : public ::testing::Test {
 protected:
  // A connection from a port that is its descriptor, too.
  void Add(int descriptor, absl::Time now = kNow) {
    table_.Add(descriptor, PeerAt(static_cast<uint16_t>(descriptor)), now);
    bytes_[descriptor] = 100;
  }
  std::optional<int> Know(int descriptor, const std::string& serial = "") {
    return table_.Know(PeerAt(static_cast<uint16_t>(descriptor)), serial, look_);
  }

  std::map<int, uint64_t> bytes_;  // what came over those that are there
  const ConnectionTable::Look look_ = [this](int descriptor, const Peer& peer) {
    const auto found = bytes_.find(descriptor);
    const bool same = found != bytes_.end() && peer.port == descriptor;
    return same ? std::optional(found->second) : std::nullopt;
  };
  ConnectionTable table_{{.most = 6,
                          .most_of_one = 3,
                          .most_strangers = 3,
                          .hello = absl::Seconds(10),
                          .least = absl::Seconds(1),
                          .most_bytes = 1000,
                          .all_bytes = 2000}};
};

TEST(PeerTest, IsWhatGrpcCallsIt) {
  EXPECT_EQ(PeerOf("ipv4:127.0.0.1:7460")->port, 7460);
  EXPECT_EQ(PeerOf("ipv4:127.0.0.1:1"), PeerOf("ipv6:%5B::ffff:127.0.0.1%5D:1"));
  EXPECT_EQ(PeerOf("ipv6:%5Bfe80::1%252%5D:1"), PeerOf("ipv6:[fe80::1]:1"));
  EXPECT_NE(PeerOf("ipv6:%5B::1%5D:1"), PeerOf("ipv6:%5B::2%5D:1"));
  EXPECT_NE(PeerOf("ipv6:%5B::1%5D:1"), PeerOf("ipv6:%5B::1%5D:2"));
  for (const char* const name : {"", "unix:/tmp/x", "ipv4:127.0.0.1", "ipv4:127.0.0.1:x",
                                 "ipv4:1.2.3:4", "ipv4:127.0.0.1:70000", "ipv6:%5Bx%5D:1"}) {
    EXPECT_EQ(PeerOf(name), std::nullopt) << name;
  }
}

TEST(ConnectionLimitsTest, LeaveDescriptorsForAllElse) {
  EXPECT_EQ(LimitsFor(524'288).most, ConnectionLimits().most);
  EXPECT_EQ(LimitsFor(4096).most, 4096U - 192U);
  EXPECT_EQ(LimitsFor(4096).most_strangers, ConnectionLimits().most_strangers);
  EXPECT_EQ(LimitsFor(256).most, 64U);
  EXPECT_EQ(LimitsFor(256).most_strangers, 32U);
  EXPECT_GT(LimitsFor(64).most_strangers, 0U);
}

TEST_F(ConnectionTableTest, StrangersMakeRoomForStrangersAfterTheirTime) {
  for (int i = 1; i <= 3; ++i) Add(i, kNow + absl::Milliseconds(i));
  EXPECT_EQ(table_.RoomFor(kNow + absl::Milliseconds(500)), Room::kWait);
  const absl::Time later = kNow + absl::Milliseconds(1001);
  EXPECT_EQ(table_.RoomFor(later), Room::kFree);
  EXPECT_EQ(table_.MakeRoom(look_), 1);
  Add(4, later);
  EXPECT_EQ(table_.RoomFor(later), Room::kWait) << "the next oldest has a millisecond left";
  EXPECT_EQ(table_.counts().strangers, 3U);
  EXPECT_EQ(table_.counts().strangers_out, 1U);
}

TEST_F(ConnectionTableTest, WhoIsKnownStays) {
  for (int i = 1; i <= 3; ++i) {
    Add(i);
    Know(i, "serial");
    Know(i, "serial");
  }
  EXPECT_EQ(table_.counts().known, 3U);
  EXPECT_EQ(table_.RoomFor(kNow), Room::kFree);
  EXPECT_EQ(table_.MakeRoom(look_), std::nullopt);
  EXPECT_THAT(table_.SweepStrangers(kNow + absl::Hours(1), look_), IsEmpty());
  // Unknown clients may use what known ones leave free.
  for (int i = 4; i <= 5; ++i) {
    Add(i);
    Know(i);
  }
  Add(6);
  EXPECT_EQ(table_.RoomFor(kNow), Room::kWait);
  Know(6);
  EXPECT_EQ(table_.RoomFor(kNow + absl::Hours(1)), Room::kNone);
  bytes_.erase(2);
  table_.SweepKnown(look_);
  EXPECT_EQ(table_.RoomFor(kNow), Room::kFree) << "one has gone";
}

TEST_F(ConnectionTableTest, OneCertificateHasSoMany) {
  for (int i = 1; i <= 3; ++i) {
    Add(i);
    EXPECT_EQ(Know(i, "many"), std::nullopt);
  }
  Add(4);
  EXPECT_EQ(Know(4, "many"), 4);
  EXPECT_EQ(table_.counts().known, 3U);
  EXPECT_EQ(table_.counts().refused, 1U);
  Add(5);
  EXPECT_EQ(Know(5, "other"), std::nullopt) << "the others have theirs";
  // Closed connections do not count, even before a sweep has noticed them.
  bytes_.erase(1);
  bytes_.erase(2);
  for (const int i : {6, 7}) {
    Add(i);
    EXPECT_EQ(Know(i, "many"), std::nullopt) << i;
  }
  EXPECT_EQ(table_.counts().known, 4U);
  bytes_.erase(3);
  table_.SweepKnown(look_);
  Add(8);
  EXPECT_EQ(Know(8, "many"), std::nullopt);
}

TEST_F(ConnectionTableTest, StrangersHaveSoManySecondsAndBytes) {
  for (int i = 1; i <= 3; ++i) Add(i, kNow + absl::Seconds(i));
  EXPECT_THAT(table_.SweepStrangers(kNow + absl::Seconds(10), look_), IsEmpty());
  EXPECT_THAT(table_.SweepStrangers(kNow + absl::Seconds(11), look_), ElementsAre(1));
  bytes_[3] = 1001;
  EXPECT_THAT(table_.SweepStrangers(kNow + absl::Seconds(11), look_), ElementsAre(3));
  Add(4, kNow + absl::Seconds(11));
  Add(5, kNow + absl::Seconds(11));
  for (const int i : {2, 4, 5}) bytes_[i] = 900;
  EXPECT_EQ(table_.SweepStrangers(kNow + absl::Seconds(11), look_).size(), 1U)
      << "all of them together";
  EXPECT_EQ(table_.counts().strangers_out, 3U);
}

TEST_F(ConnectionTableTest, ADescriptorMayBeAnotherConnectionsByNow) {
  Add(1);
  bytes_.erase(1);  // it has gone; its descriptor is another one's
  EXPECT_THAT(table_.SweepStrangers(kNow + absl::Hours(1), look_), IsEmpty());
  EXPECT_EQ(table_.counts().strangers, 0U);
  for (int i = 1; i <= 3; ++i) Add(i);
  bytes_.erase(1);
  bytes_.erase(2);
  bytes_.erase(3);
  EXPECT_EQ(table_.MakeRoom(look_), std::nullopt);
}

TEST_F(ConnectionTableTest, WhoIsRevokedEnds) {
  for (int i = 1; i <= 3; ++i) Add(i);
  Know(1, "good");
  Know(2, "bad");
  Know(3, "bad");
  bytes_.erase(3);
  const auto revoked = [](const std::string& serial) { return serial == "bad"; };
  EXPECT_THAT(table_.TakeRevoked(revoked, look_), ElementsAre(2));
  EXPECT_THAT(table_.TakeRevoked(revoked, look_), IsEmpty());
  EXPECT_EQ(table_.counts().known, 1U);
}

}  // namespace
}  // namespace joseki::coordinator
