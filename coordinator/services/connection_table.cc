#include "coordinator/services/connection_table.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace joseki::coordinator {
namespace {

// Descriptors for the database, logs, listening sockets, gRPC, and the page with its connections.
constexpr uint64_t kOwnDescriptors = 192;
constexpr uint64_t kFewest = 8;

bool Skip(std::string_view& text, std::string_view prefix) {
  if (text.substr(0, prefix.size()) != prefix) return false;
  text.remove_prefix(prefix.size());
  return true;
}

}  // namespace

std::optional<Peer> PeerOf(std::string_view name) {
  const bool four = Skip(name, "ipv4:");
  if (!four && !Skip(name, "ipv6:")) return std::nullopt;
  const size_t colon = name.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  Peer peer;
  const std::string_view digits = name.substr(colon + 1);
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), peer.port);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  std::string_view host = name.substr(0, colon);
  if (!Skip(host, "%5B")) Skip(host, "[");
  // A closing bracket follows, or an interface's number before it.
  const std::string text(host.substr(0, host.find_first_of("%]")));
  if (four) {
    peer.address[10] = peer.address[11] = 0xff;
    if (inet_pton(AF_INET, text.c_str(), &peer.address[12]) != 1) return std::nullopt;
  } else if (inet_pton(AF_INET6, text.c_str(), peer.address.data()) != 1) {
    return std::nullopt;
  }
  return peer;
}

ConnectionLimits LimitsFor(uint64_t descriptors) {
  ConnectionLimits limits;
  const uint64_t left = descriptors > kOwnDescriptors ? descriptors - kOwnDescriptors : 0;
  limits.most = std::clamp<uint64_t>(left, kFewest, limits.most);
  limits.most_strangers = std::min(limits.most_strangers, limits.most / 2);
  limits.most_of_one = std::min(limits.most_of_one, limits.most / 2);
  return limits;
}

ConnectionTable::Strangers::const_iterator ConnectionTable::Oldest() const {
  return std::min_element(strangers_.begin(), strangers_.end(), [](const auto& a, const auto& b) {
    return a.second.came < b.second.came;
  });
}

size_t ConnectionTable::MostStrangers() const {
  return std::min(limits_.most_strangers, limits_.most - std::min(limits_.most, known_.size()));
}

ConnectionTable::Room ConnectionTable::RoomFor(absl::Time now) const {
  const size_t most = MostStrangers();
  if (most == 0) return Room::kNone;
  if (strangers_.size() < most) return Room::kFree;
  return now - Oldest()->second.came >= limits_.least ? Room::kFree : Room::kWait;
}

std::optional<int> ConnectionTable::MakeRoom(const Look& look) {
  if (strangers_.empty() || strangers_.size() < MostStrangers()) return std::nullopt;
  const auto oldest = Oldest();
  const int descriptor = oldest->second.descriptor;
  const bool there = look(descriptor, oldest->first).has_value();
  strangers_.erase(oldest);
  if (!there) return std::nullopt;
  ++strangers_out_;
  return descriptor;
}

void ConnectionTable::Add(int descriptor, const Peer& peer, absl::Time now) {
  // A peer that reconnects: its earlier connection has ended, and has not been swept yet.
  if (const auto known = known_.find(peer); known != known_.end()) {
    Forget(peer, known->second.serial);
    known_.erase(known);
  }
  strangers_[peer] = {descriptor, now};
}

std::optional<int> ConnectionTable::Know(const Peer& peer, const std::string& serial,
                                         const Look& look) {
  const auto stranger = strangers_.find(peer);
  if (stranger == strangers_.end()) return std::nullopt;
  const int descriptor = stranger->second.descriptor;
  strangers_.erase(stranger);
  if (!serial.empty()) {
    absl::flat_hash_set<Peer>& peers = of_one_[serial];
    if (peers.size() >= limits_.most_of_one) {
      // Do not count connections that ended since the last sweep.
      absl::erase_if(peers, [&](const Peer& other) {
        const auto known = known_.find(other);
        if (look(known->second.descriptor, other)) return false;
        known_.erase(known);
        return true;
      });
    }
    if (peers.size() >= limits_.most_of_one) {
      ++refused_;
      return descriptor;
    }
    peers.insert(peer);
  }
  known_[peer] = {descriptor, serial};
  return std::nullopt;
}

void ConnectionTable::Forget(const Peer& peer, const std::string& serial) {
  const auto one = of_one_.find(serial);
  if (one == of_one_.end()) return;
  one->second.erase(peer);
  if (one->second.empty()) of_one_.erase(one);
}

std::vector<int> ConnectionTable::SweepStrangers(absl::Time now, const Look& look) {
  std::vector<int> out;
  uint64_t all = 0;
  absl::erase_if(strangers_, [&](const auto& entry) {
    const auto& [peer, stranger] = entry;
    const std::optional<uint64_t> bytes = look(stranger.descriptor, peer);
    if (!bytes) return true;
    all += *bytes;
    if (now - stranger.came < limits_.hello && *bytes <= limits_.most_bytes &&
        all <= limits_.all_bytes) {
      return false;
    }
    all -= *bytes;
    out.push_back(stranger.descriptor);
    return true;
  });
  strangers_out_ += out.size();
  return out;
}

void ConnectionTable::SweepKnown(const Look& look) {
  absl::erase_if(known_, [&](const auto& entry) {
    if (look(entry.second.descriptor, entry.first)) return false;
    Forget(entry.first, entry.second.serial);
    return true;
  });
}

std::vector<int> ConnectionTable::TakeRevoked(
    const std::function<bool(const std::string& serial)>& revoked, const Look& look) {
  std::vector<int> out;
  absl::erase_if(known_, [&](const auto& entry) {
    const auto& [peer, known] = entry;
    if (known.serial.empty() || !revoked(known.serial)) return false;
    if (look(known.descriptor, peer)) out.push_back(known.descriptor);
    Forget(peer, known.serial);
    return true;
  });
  return out;
}

ConnectionCounts ConnectionTable::counts() const {
  return {.known = known_.size(),
          .strangers = strangers_.size(),
          .most = limits_.most,
          .most_strangers = limits_.most_strangers,
          .refused = refused_,
          .strangers_out = strangers_out_};
}

}  // namespace joseki::coordinator
