#include "book/formats/eleeye.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "book/formats/hashed_walk.h"
#include "book/formats/wide_square.h"
#include "engine/xiangqi/fen.h"
#include "engine/xiangqi/packed.h"
#include "engine/xiangqi/symmetry.h"

namespace joseki::book {
namespace {

constexpr size_t kEleeyeRecord = 8;
constexpr uint64_t kMostEleeyeWeight = std::numeric_limits<uint16_t>::max();

constexpr size_t kWideSquares = 256;
// King, adviser, elephant, knight, rook, cannon, pawn; then Black's in the same order.
constexpr size_t kKinds = 14;

// Key stream of RC4 for an all-zero key.
class Rc4 {
 public:
  Rc4() {
    for (size_t i = 0; i < state_.size(); ++i) state_[i] = static_cast<uint8_t>(i);
    uint8_t j = 0;
    for (uint8_t& value : state_) {
      j = static_cast<uint8_t>(j + value);
      std::swap(value, state_[j]);
    }
  }
  uint32_t NextWord() {
    uint32_t word = 0;
    for (int i = 0; i < 4; ++i) word |= uint32_t{NextByte()} << 8 * i;
    return word;
  }

 private:
  uint8_t NextByte() {
    ++x_;
    y_ = static_cast<uint8_t>(y_ + state_[x_]);
    std::swap(state_[x_], state_[y_]);
    return state_[static_cast<uint8_t>(state_[x_] + state_[y_])];
  }

  std::array<uint8_t, 256> state_{};
  uint8_t x_ = 0;
  uint8_t y_ = 0;
};

// Random numbers that locks are made of: every third word of the stream.
struct Locks {
  uint32_t black_to_move = 0;
  uint32_t piece[kKinds][kWideSquares];

  Locks() {
    Rc4 stream;
    const auto next = [&] {
      stream.NextWord();
      stream.NextWord();
      return stream.NextWord();
    };
    black_to_move = next();
    for (auto& squares : piece) {
      for (uint32_t& number : squares) number = next();
    }
  }
};

const Locks& TheLocks() {
  static const Locks locks;
  return locks;
}

struct EleeyeRecord {
  uint32_t lock = 0;
  uint16_t move = 0;  // from-square in the low byte, to-square in the high byte
  uint16_t weight = 0;
};

EleeyeRecord RecordOf(std::string_view bytes, size_t index) {
  const size_t at = index * kEleeyeRecord;
  return {LittleEndian<uint32_t>(bytes, at), LittleEndian<uint16_t>(bytes, at + 4),
          LittleEndian<uint16_t>(bytes, at + 6)};
}

std::optional<Move> FromEleeye(uint16_t move) {
  const std::optional<xiangqi::Square> from = FromWide(move & 0xff);
  const std::optional<xiangqi::Square> to = FromWide(move >> 8);
  if (!from || !to) return std::nullopt;
  return Move::Board(*from, *to);
}

uint16_t ToEleeye(Move move) {
  return static_cast<uint16_t>(ToWide(move.from()) | ToWide(move.to()) << 8);
}

xiangqi::Position Mirrored(const xiangqi::Position& position) {
  return xiangqi::Mapped(xiangqi::Symmetry::kMirror, position);
}

class EleeyeReader {
 public:
  EleeyeReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : bytes_(bytes), file_(file), sink_(sink), order_(bytes.size() / kEleeyeRecord) {
    for (size_t i = 0; i < order_.size(); ++i) order_[i] = {RecordOf(bytes_, i).lock, i};
    std::sort(order_.begin(), order_.end());
  }

  void Read() {
    const HashedBookOf<XiangqiForm> book = {
        .knows = [&](const xiangqi::Position& position) { return Find(position).has_value(); },
        .entry = [&](const xiangqi::Position& position, int ply) { return Entry(position, ply); }};
    Walk(book, HashedWalkOf<XiangqiForm>(), sink_.accept);
    for (const auto& [lock, index] : order_) {
      if (reached_.contains(lock)) continue;
      Reject("unreached_position", index, absl::StrCat("lock ", absl::Hex(lock, absl::kZeroPad8)),
             "a position that legal moves lead to from the start");
    }
  }

 private:
  using Indexed = std::pair<uint32_t, size_t>;  // lock, number of the record from 0
  struct Found {
    std::vector<Indexed>::const_iterator first;
    bool mirrored = false;
  };

  std::optional<Found> Find(const xiangqi::Position& position) const {
    if (const auto at = First(EleeyeLock(position)); at != order_.end()) return Found{at, false};
    const auto at = First(EleeyeLock(Mirrored(position)));
    if (at != order_.end()) return Found{at, true};
    return std::nullopt;
  }

  std::vector<Indexed>::const_iterator First(uint32_t lock) const {
    const auto first = std::lower_bound(order_.begin(), order_.end(), Indexed(lock, 0));
    return first != order_.end() && first->first == lock ? first : order_.end();
  }

  DbPosition Entry(const xiangqi::Position& position, int ply) {
    const Found found = *Find(position);
    DbPosition entry;
    entry.line = static_cast<int>(found.first->second + 1);
    entry.packed = xiangqi::Pack(position);
    entry.ply = ply;
    std::vector<size_t> illegal;
    for (auto at = found.first; at != order_.end() && at->first == found.first->first; ++at) {
      const EleeyeRecord record = RecordOf(bytes_, at->second);
      std::optional<Move> move = FromEleeye(record.move);
      if (move && found.mirrored) move = xiangqi::Mapped(xiangqi::Symmetry::kMirror, *move);
      if (!move || !position.IsLegal(*move)) {
        illegal.push_back(at->second);
        continue;
      }
      AddMove(entry.moves, {.move = *move, .count = record.weight});
    }
    // No move is legal: the lock belongs to another position.
    if (entry.moves.empty() || !reached_.insert(found.first->first).second) return entry;
    for (const size_t index : illegal) {
      Reject("illegal_move", index,
             absl::StrCat("0x", absl::Hex(RecordOf(bytes_, index).move, absl::kZeroPad4)),
             "a legal move in " + xiangqi::ToFen(position, ply));
    }
    return entry;
  }

  void Reject(const char* code, size_t index, std::string found, std::string expected) {
    sink_.reject(MakeProblem({.code = code,
                              .file = std::string(file_),
                              .line = static_cast<int>(index + 1),
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const DbSink& sink_;
  std::vector<Indexed> order_;
  absl::flat_hash_set<uint32_t> reached_;  // locks
};

}  // namespace

uint32_t EleeyeLock(const xiangqi::Position& position) {
  const Locks& locks = TheLocks();
  uint32_t lock = position.side_to_move() == xiangqi::kBlack ? locks.black_to_move : 0;
  xiangqi::ForEach(position.occupied(), [&](xiangqi::Square square) {
    const xiangqi::Piece piece = position.piece(square);
    const size_t kind = xiangqi::TypeOf(piece) - size_t{1} +
                        (xiangqi::ColorOf(piece) == xiangqi::kBlack ? kKinds / 2 : 0);
    lock ^= locks.piece[kind][static_cast<size_t>(ToWide(square))];
  });
  return lock;
}

bool IsEleeye(std::string_view bytes) {
  // Text never contains a zero byte.
  if (bytes.empty() || bytes.size() % kEleeyeRecord != 0 ||
      bytes.find('\0') == std::string_view::npos) {
    return false;
  }
  uint32_t before = 0;
  for (size_t i = 0; i < bytes.size() / kEleeyeRecord; ++i) {
    const EleeyeRecord record = RecordOf(bytes, i);
    if (record.lock < before || !FromEleeye(record.move)) return false;
    before = record.lock;
  }
  return true;
}

absl::Status ReadEleeye(std::string_view bytes, std::string_view file, const DbSink& sink) {
  if (bytes.size() % kEleeyeRecord != 0) {
    return MakeProblem({.code = "bad_size",
                        .file = std::string(file),
                        .found = absl::StrCat(bytes.size(), " bytes"),
                        .expected = "records of 8 bytes"});
  }
  EleeyeReader(bytes, file, sink).Read();
  return absl::OkStatus();
}

std::string WriteEleeye(std::vector<DbPosition> positions) {
  Canonicalise(positions);
  std::map<uint32_t, const DbPosition*> by_lock;  // the first position of each lock
  for (const DbPosition& entry : positions) {
    const absl::StatusOr<xiangqi::Position> position = xiangqi::Unpack(entry.packed);
    // Malformed positions are skipped.
    if (position.ok()) by_lock.emplace(EleeyeLock(*position), &entry);
  }
  std::string out;
  for (const auto& [lock, entry] : by_lock) {
    std::vector<DbMove> moves = entry->moves;
    std::stable_sort(moves.begin(), moves.end(),
                     [](const DbMove& a, const DbMove& b) { return a.count > b.count; });
    const uint64_t most = moves.front().count;
    for (const DbMove& move : moves) {
      uint64_t weight = move.count;
      if (most > kMostEleeyeWeight && weight > 0) {
        weight = std::max<uint64_t>(
            1, static_cast<uint64_t>(static_cast<double>(weight) / static_cast<double>(most) *
                                     static_cast<double>(kMostEleeyeWeight)));
      }
      AppendLittleEndian<uint32_t>(out, lock);
      AppendLittleEndian<uint16_t>(out, ToEleeye(move.move));
      AppendLittleEndian<uint16_t>(out, static_cast<uint16_t>(weight));
    }
  }
  return out;
}

}  // namespace joseki::book
