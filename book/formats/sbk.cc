#include "book/formats/sbk.h"

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <optional>
#include <utility>

#include "absl/container/flat_hash_map.h"
#include "absl/hash/hash.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/formats/protobuf_wire.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/position.h"
#include "engine/shogi/sfen.h"

namespace joseki::book {
namespace {

using shogi::Square;

// Field numbers of the book, of a state and of a move.
constexpr uint32_t kAuthor = 1;
constexpr uint32_t kDescription = 2;
constexpr uint32_t kState = 3;
constexpr uint32_t kId = 1;
constexpr uint32_t kGames = 4;
constexpr uint32_t kWonBlack = 5;
constexpr uint32_t kWonWhite = 6;
constexpr uint32_t kPosition = 7;
constexpr uint32_t kMove = 9;
constexpr uint32_t kMoveBits = 1;
constexpr uint32_t kEvaluation = 2;
constexpr uint32_t kWeight = 3;
constexpr uint32_t kNextState = 4;
constexpr uint64_t kMostWeight = std::numeric_limits<int32_t>::max();

// Piece types in the file's numbering: pawn, lance, knight, silver, gold, bishop, rook and king
// from 1; promoted ones add 8.
constexpr std::array<uint8_t, shogi::kPieceTypeCount> kSbkKind = {0, 1, 2,  3,  4,  6,  7, 5,
                                                                  8, 9, 10, 11, 12, 14, 15};

constexpr uint32_t PlaceOf(Square s) {
  return static_cast<uint32_t>(shogi::RankOf(s) | shogi::FileOf(s) << 4);
}

Square SquareAt(uint32_t place) {
  const uint32_t rank = place & 15;
  const uint32_t file = place >> 4 & 15;
  if (rank < 1 || rank > 9 || file < 1 || file > 9) return shogi::kNoSquare;
  return shogi::MakeSquare(static_cast<int>(file), static_cast<int>(rank));
}

// Bits 0-7 from (0: a drop), 8-15 to, 19 promotion, 20-23 captured piece type, 24-27 moving piece
// type, 28 and 31 White.
uint32_t BitsOf(const shogi::Position& position, Move move) {
  uint32_t bits = PlaceOf(move.to()) << 8;
  shogi::PieceType type = move.is_drop() ? static_cast<shogi::PieceType>(move.dropped())
                                         : shogi::TypeOf(position.piece(move.from()));
  if (!move.is_drop()) bits |= PlaceOf(move.from());
  if (move.promotes()) bits |= 1u << 19;
  bits |= static_cast<uint32_t>(kSbkKind[shogi::TypeOf(position.piece(move.to()))]) << 20;
  bits |= static_cast<uint32_t>(kSbkKind[type]) << 24;
  if (position.side_to_move() == shogi::kWhite) bits |= 1u << 28 | 1u << 31;
  return bits;
}

std::optional<Move> MoveOf(uint32_t bits) {
  const Square to = SquareAt(bits >> 8);
  if (to == shogi::kNoSquare) return std::nullopt;
  const bool promote = (bits & 1u << 19) != 0;
  if ((bits & 0xff) != 0) {
    const Square from = SquareAt(bits);
    if (from == shogi::kNoSquare) return std::nullopt;
    return Move::Board(from, to, promote);
  }
  for (int type = shogi::kPawn; type <= shogi::kGold; ++type) {
    if (kSbkKind[static_cast<size_t>(type)] == (bits >> 24 & 15) && !promote) {
      return Move::Drop(static_cast<shogi::PieceType>(type), to);
    }
  }
  return std::nullopt;
}

class SbkReader {
 public:
  SbkReader(std::string_view bytes, std::string_view file, const DbSink& sink)
      : bytes_(bytes), file_(file), sink_(sink) {}

  absl::Status Read() {
    if (absl::Status indexed = Index(); !indexed.ok()) return indexed;
    for (size_t i = 0; i < states_.size(); ++i) AddRoot(i);
    while (!queue_.empty()) {
      const Waiting next = queue_.front();
      queue_.pop_front();
      Take(next);
    }
    for (size_t i = 0; i < states_.size(); ++i) {
      if (!states_[i].reached) {
        Reject(i, "unreached_state", absl::StrCat("state ", states_[i].id),
               "a state that moves lead to from a root");
      }
    }
    return absl::OkStatus();
  }

 private:
  struct State {
    std::string_view message;
    int32_t id = 0;
    bool reached = false;
  };
  struct Waiting {
    size_t state = 0;
    PackedPosition packed;
    int ply = 1;
  };

  // Locates the states and checks the form of the whole file.
  absl::Status Index() {
    WireReader book(bytes_);
    WireField field;
    while (book.Next(field)) {
      if (field.number != kState || !field.is_bytes) continue;
      const auto base = static_cast<size_t>(field.bytes.data() - bytes_.data());
      State state{.message = field.bytes};
      WireReader reader(field.bytes);
      WireField part;
      while (reader.Next(part)) {
        if (part.number == kId && !part.is_bytes) state.id = static_cast<int32_t>(part.value);
        if (part.number != kMove || !part.is_bytes) continue;
        WireReader move(part.bytes);
        WireField bit;
        while (move.Next(bit)) {
        }
        if (move.failed()) {
          return Broken(static_cast<size_t>(part.bytes.data() - bytes_.data()) + move.at());
        }
      }
      if (reader.failed()) return Broken(base + reader.at());
      if (!by_id_.emplace(state.id, states_.size()).second) {
        return MakeProblem({.code = "bad_state",
                            .file = std::string(file_),
                            .line = static_cast<int>(states_.size() + 1),
                            .found = absl::StrCat("a second state ", state.id, " at byte ", base),
                            .expected = "each number once"});
      }
      states_.push_back(state);
    }
    if (book.failed()) return Broken(book.at());
    return absl::OkStatus();
  }

  absl::Status Broken(size_t at) const {
    return MakeProblem({.code = "bad_wire",
                        .file = std::string(file_),
                        .found = absl::StrCat("no field of a message at byte ", at),
                        .expected = "a book of ShogiGUI's"});
  }

  // Adds a state as a root: one that has a position, or the first, whose default is the start
  // position.
  void AddRoot(size_t index) {
    std::string_view text;
    WireReader reader(states_[index].message);
    WireField field;
    while (reader.Next(field)) {
      if (field.number == kPosition && field.is_bytes) text = field.bytes;
    }
    if (text.empty() && index > 0) return;
    const absl::StatusOr<shogi::SfenPosition> root =
        shogi::ParseSfen(text.empty() ? std::string_view(shogi::kStartSfen) : text);
    if (!root.ok()) {
      sink_.reject(At(root.status(), file_, static_cast<int>(index + 1)));
      states_[index].reached = true;  // reported
      return;
    }
    if (root->position.king(shogi::kBlack) == shogi::kNoSquare ||
        root->position.king(shogi::kWhite) == shogi::kNoSquare) {
      states_[index].reached = true;
      return Reject(index, "bad_position", Quote(text), "a king of each side, as in a game");
    }
    Arrive(index, root->position, root->ply);
  }

  void Arrive(size_t index, const shogi::Position& position, int ply) {
    if (states_[index].reached) return;
    states_[index].reached = true;
    queue_.push_back({index, shogi::Pack(position), ply});
  }

  void Take(const Waiting& at) {
    absl::StatusOr<shogi::Position> position = shogi::Unpack(at.packed);
    if (!position.ok()) return;
    DbPosition entry;
    entry.line = static_cast<int>(at.state + 1);
    entry.packed = at.packed;
    entry.ply = at.ply;
    WireReader reader(states_[at.state].message);
    WireField field;
    while (reader.Next(field)) {
      if (field.number == kMove && field.is_bytes) TakeMove(at, field.bytes, *position, entry);
    }
    if (!entry.moves.empty()) sink_.accept(std::move(entry));
  }

  void TakeMove(const Waiting& at, std::string_view message, shogi::Position& position,
                DbPosition& entry) {
    uint32_t bits = 0;
    int32_t weight = 0;
    int32_t next = -1;
    bool has_next = false;
    WireReader reader(message);
    WireField field;
    while (reader.Next(field)) {
      if (field.is_bytes) continue;
      if (field.number == kMoveBits) bits = static_cast<uint32_t>(field.value);
      if (field.number == kWeight) weight = static_cast<int32_t>(field.value);
      if (field.number == kNextState) next = static_cast<int32_t>(field.value);
      has_next = has_next || field.number == kNextState;
    }
    const std::optional<Move> move = MoveOf(bits);
    if (!move.has_value() || !position.IsLegal(*move)) {
      return Reject(at.state, "illegal_move",
                    absl::StrCat("0x", absl::Hex(bits, absl::kZeroPad8), " at byte ",
                                 static_cast<size_t>(message.data() - bytes_.data())),
                    "a legal move in " + shogi::ToSfen(position, at.ply));
    }
    DbMove added;
    added.move = *move;
    added.count = static_cast<uint64_t>(std::max(weight, 0));
    AddMove(entry.moves, added);
    if (!has_next || next == -1) return;
    const auto to = by_id_.find(next);
    if (to == by_id_.end()) {
      return Reject(at.state, "bad_state",
                    absl::StrCat("a move that leads to state ", next, " at byte ",
                                 static_cast<size_t>(message.data() - bytes_.data())),
                    "a state of the book");
    }
    shogi::Undo undo;
    position.Do(*move, undo);
    Arrive(to->second, position, at.ply + 1);
    position.TakeBack(*move, undo);
  }

  void Reject(size_t state, std::string_view code, std::string found, std::string expected) {
    sink_.reject(MakeProblem({.code = std::string(code),
                              .file = std::string(file_),
                              .line = static_cast<int>(state + 1),
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const DbSink& sink_;
  std::vector<State> states_;
  absl::flat_hash_map<int32_t, size_t> by_id_;
  std::deque<Waiting> queue_;
};

struct PackedHash {
  size_t operator()(const PackedPosition& packed) const { return absl::HashOf(packed.bytes); }
};

class SbkWriter {
 public:
  explicit SbkWriter(const std::vector<DbPosition>& positions) : positions_(positions) {
    for (size_t i = 0; i < positions.size(); ++i) index_.emplace(positions[i].packed, i);
  }

  std::string Write() {
    AppendBytes(out_, kAuthor, "");
    AppendBytes(out_, kDescription, "joseki");
    Root(shogi::Pack(shogi::Position()), 1);
    // Roots: first states that no book move leads to, then remaining members of cycles.
    const std::vector<bool> led_to = LedTo();
    for (const bool wanted : {false, true}) {
      for (size_t i = 0; i < positions_.size(); ++i) {
        if (led_to[i] == wanted) Root(positions_[i].packed, positions_[i].ply);
      }
    }
    return std::move(out_);
  }

 private:
  struct Waiting {
    PackedPosition packed;
    int root_ply = 0;  // 0: not a root
  };

  std::vector<bool> LedTo() const {
    std::vector<bool> led_to(positions_.size());
    for (const DbPosition& entry : positions_) {
      absl::StatusOr<shogi::Position> position = shogi::Unpack(entry.packed);
      if (!position.ok()) continue;
      for (const DbMove& move : entry.moves) {
        shogi::Undo undo;
        position->Do(move.move, undo);
        if (const auto to = index_.find(shogi::Pack(*position)); to != index_.end()) {
          led_to[to->second] = true;
        }
        position->TakeBack(move.move, undo);
      }
    }
    return led_to;
  }

  void Root(const PackedPosition& packed, int ply) {
    if (!index_.contains(packed) || ids_.contains(packed)) return;
    StateOf(packed, ply);
    while (!queue_.empty()) {
      const Waiting next = queue_.front();
      queue_.pop_front();
      State(next);
    }
  }

  // Number of a position's state; a new state is queued for writing.
  int32_t StateOf(const PackedPosition& packed, int root_ply) {
    const auto [at, fresh] = ids_.emplace(packed, static_cast<int32_t>(ids_.size()));
    if (fresh) queue_.push_back({packed, root_ply});
    return at->second;
  }

  void State(const Waiting& waiting) {
    absl::StatusOr<shogi::Position> position = shogi::Unpack(waiting.packed);
    if (!position.ok()) return;
    std::string state;
    AppendNumber(state, kId, static_cast<uint64_t>(ids_.at(waiting.packed)));
    const auto entry = index_.find(waiting.packed);
    uint64_t games = 0;
    std::string moves;
    if (entry != index_.end()) {
      for (const DbMove& move : positions_[entry->second].moves) {
        games += move.count;
        AppendBytes(moves, kMove, MoveMessage(*position, move));
      }
    }
    AppendNumber(state, kGames, std::min(games, kMostWeight));
    AppendNumber(state, kWonBlack, 0);
    AppendNumber(state, kWonWhite, 0);
    if (waiting.root_ply > 0) {
      AppendBytes(state, kPosition, shogi::ToSfen(*position, waiting.root_ply));
    }
    AppendBytes(out_, kState, state + moves);
  }

  std::string MoveMessage(shogi::Position& position, const DbMove& move) {
    const uint32_t bits = BitsOf(position, move.move);
    shogi::Undo undo;
    position.Do(move.move, undo);
    const int32_t next = StateOf(shogi::Pack(position), 0);
    position.TakeBack(move.move, undo);
    std::string message;
    // A signed 32-bit number, sign-extended to the 64 bits of the wire.
    AppendNumber(message, kMoveBits,
                 static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits))));
    AppendNumber(message, kEvaluation, 0);
    AppendNumber(message, kWeight, std::min(move.count, kMostWeight));
    AppendNumber(message, kNextState, static_cast<uint64_t>(next));
    return message;
  }

  const std::vector<DbPosition>& positions_;
  absl::flat_hash_map<PackedPosition, size_t, PackedHash> index_;
  absl::flat_hash_map<PackedPosition, int32_t, PackedHash> ids_;
  std::deque<Waiting> queue_;
  std::string out_;
};

}  // namespace

bool IsSbk(std::string_view bytes) {
  WireReader reader(bytes);
  WireField field;
  bool states = false;
  while (reader.Next(field)) {
    if (field.number > kState || !field.is_bytes) return false;
    states = states || field.number == kState;
  }
  return states && !reader.failed();
}

absl::Status ReadSbk(std::string_view bytes, std::string_view file, const DbSink& sink) {
  return SbkReader(bytes, file, sink).Read();
}

std::string WriteSbk(std::vector<DbPosition> positions) {
  // Clamps to the format's range before sorting, so that reading the file back gives the same
  // order.
  for (DbPosition& position : positions) {
    for (DbMove& move : position.moves) {
      move.value = 0;
      move.depth = 0;
      move.count = std::min(move.count, kMostWeight);
    }
  }
  Canonicalise(positions);
  return SbkWriter(positions).Write();
}

}  // namespace joseki::book
