#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "book/bytes.h"
#include "book/records/encoding.h"
#include "book/records/record.h"
#include "book/records/xiangqi_replay.h"
#include "book/records/xqf_cipher.h"
#include "engine/xiangqi/fen.h"

// XQF, the records of 象棋演播室: a header of 1,024 bytes, then a tree of moves in depth-first
// order. A move's continuation precedes its alternatives.

namespace joseki::book {
namespace {

constexpr size_t kXqfHeader = 1024;
constexpr uint8_t kLastVersion = 18;
// Bound of a line's plies. No game is as long, and the work for a file made of branches stays
// bounded.
constexpr int kMostPlies = 1024;

// Header fields; a text is preceded by its length.
constexpr size_t kToMoveAt = 50;
constexpr size_t kResultAt = 51;
constexpr size_t kEventAt = 144;
constexpr size_t kDateAt = 208;
constexpr size_t kRedAt = 240;
constexpr size_t kBlackAt = 256;
constexpr size_t kLongText = 63;
constexpr size_t kShortText = 15;

// Piece types of a side in header order, from its left rook.
constexpr xiangqi::PieceType kOrder[] = {
    xiangqi::kRook, xiangqi::kKnight,  xiangqi::kElephant, xiangqi::kAdviser,
    xiangqi::kKing, xiangqi::kAdviser, xiangqi::kElephant, xiangqi::kKnight,
    xiangqi::kRook, xiangqi::kCannon,  xiangqi::kCannon,   xiangqi::kPawn,
    xiangqi::kPawn, xiangqi::kPawn,    xiangqi::kPawn,     xiangqi::kPawn};
constexpr size_t kSide = std::size(kOrder);

// Nullopt for a square off the board.
std::optional<xiangqi::Square> XqfSquare(int number) {
  if (number >= xiangqi::kSquareCount) return std::nullopt;
  return xiangqi::MakeSquare(number / 10, number % 10);
}

End EndOfXqf(uint8_t result) {
  constexpr End kEnds[] = {End::kUnknown, End::kFirstWon, End::kSecondWon, End::kDraw};
  return result < std::size(kEnds) ? kEnds[result] : End::kUnknown;
}

class XqfReader {
 public:
  XqfReader(std::string_view bytes, std::string_view file, const RecordSink& sink)
      : bytes_(bytes), file_(file), sink_(sink), cipher_(bytes) {
    replay_.Keep(sink.positions);
  }

  void Read() {
    if (const xiangqi::Position start = Start();
        xiangqi::Pack(start) != xiangqi::Pack(XiangqiReplay::Start())) {
      return Reject("not_even_start", Quote(xiangqi::ToFen(start, 1), 120),
                    "the even start position");
    }
    replay_.Restart();
    std::optional<Node> node = Next();
    if (!node) return;
    if (!node->goes_on) return Reject("no_moves", "a game without moves", "at least one move");
    int ply = 1;
    while (ply > 0) {
      node = Next();
      if (!node) return;
      Arrive(*node, ply);
      if (over_) return;
      if (node->has_other) others_.push_back(ply);
      if (node->goes_on) {
        if (++ply > kMostPlies) {
          return Reject("bad_xqf", "a line that goes on",
                        absl::StrCat("lines of at most ", kMostPlies, " plies"));
        }
        continue;
      }
      GiveLine();
      if (others_.empty() || sink_.variation == nullptr) return;
      ply = others_.back();
      others_.pop_back();
      first_ = ply;
      broken_ = false;
    }
  }

 private:
  struct Node {
    uint8_t from = 0;
    uint8_t to = 0;
    bool goes_on = false;    // a continuation follows
    bool has_other = false;  // an alternative follows after the whole continuation
  };

  uint8_t Byte(size_t at) const { return static_cast<uint8_t>(bytes_[at]); }

  void Reject(const char* code, std::string found, std::string expected) {
    sink_.reject(MakeProblem({.code = code,
                              .file = std::string(file_),
                              .line = 1,
                              .found = std::move(found),
                              .expected = std::move(expected)}));
  }

  // The position of the header, valid or not.
  xiangqi::Position Start() const {
    xiangqi::PositionBuilder builder;
    for (size_t i = 0; i < 2 * kSide; ++i) {
      const std::optional<xiangqi::Square> square = XqfSquare(cipher_.PieceAt(i));
      if (!square) continue;  // not on the board
      builder.Put(*square, xiangqi::MakePiece(i < kSide ? xiangqi::kRed : xiangqi::kBlack,
                                              kOrder[i % kSide]));
    }
    builder.SideToMove(Byte(kToMoveAt) == 1 ? xiangqi::kBlack : xiangqi::kRed);
    return builder.Build();
  }

  // Decodes the next `size` bytes; at the end of the file reports it and returns false.
  bool TakeBytes(uint8_t* out, size_t size) {
    if (bytes_.size() - at_ < size) {
      Reject("bad_xqf", absl::StrCat("the end at byte ", bytes_.size()), "a whole move");
      return false;
    }
    for (size_t i = 0; i < size; ++i, ++at_) out[i] = cipher_.Plain(Byte(at_), at_);
    return true;
  }

  // The next node; reports a broken file and returns nullopt.
  std::optional<Node> Next() {
    uint8_t fields[4];
    if (!TakeBytes(fields, sizeof fields)) return std::nullopt;
    Node node{.from = fields[0], .to = fields[1]};
    bool commented = true;
    if (Byte(2) <= 10) {
      node.goes_on = (fields[2] & 0xf0) != 0;
      node.has_other = (fields[2] & 0x0f) != 0;
    } else {
      node.goes_on = (fields[2] & 0x80) != 0;
      node.has_other = (fields[2] & 0x40) != 0;
      commented = (fields[2] & 0x20) != 0;
    }
    if (!commented) return node;
    uint8_t size[4];
    if (!TakeBytes(size, sizeof size)) return std::nullopt;
    const uint32_t length = cipher_.CommentLength(
        LittleEndian<uint32_t>({reinterpret_cast<const char*>(size), sizeof size}, 0));
    if (length > bytes_.size() - at_) {
      Reject("bad_xqf", absl::StrCat("a comment of ", length, " bytes at byte ", at_),
             "one that ends in the file");
      return std::nullopt;
    }
    at_ += length;
    return node;
  }

  // Plays the move of `node` at `ply`, unless the line is broken before it.
  void Arrive(const Node& node, int ply) {
    if (broken_) return;
    if (replay_.plies() >= ply) replay_.BackTo(ply - 1);
    // The parent move could not be played, so its branches are skipped.
    if (replay_.plies() != ply - 1) {
      broken_ = true;
      return;
    }
    const std::optional<xiangqi::Square> from = XqfSquare(cipher_.From(node.from));
    const std::optional<xiangqi::Square> to = XqfSquare(cipher_.To(node.to));
    if (from && to && replay_.Play(Move::Board(*from, *to))) return;
    broken_ = true;
    over_ = !given_;
    if (!from || !to) {
      return Reject(
          "malformed_move",
          absl::StrCat(cipher_.From(node.from), " to ", cipher_.To(node.to), ", ply ", ply),
          "two squares, each file * 10 + rank");
    }
    const Move move = Move::Board(*from, *to);
    Reject("illegal_move", absl::StrCat("'", xiangqi::ToUcci(move), "' at ply ", ply),
           xiangqi::WhyIllegal(replay_.position(), move));
  }

  // Gives the current line: the first as the game, later ones as variations.
  void GiveLine() {
    if (!std::exchange(given_, true)) {
      GameRecord game;
      game.moves = replay_.moves();
      game.positions = replay_.positions();
      game.result = replay_.ResultOf(EndOfXqf(Byte(kResultAt)));
      game.players[0] = Text(kRedAt, kShortText);
      game.players[1] = Text(kBlackAt, kShortText);
      game.event = Text(kEventAt, kLongText);
      game.date = Text(kDateAt, kShortText);
      sink_.accept(std::move(game));
      return;
    }
    if (replay_.plies() < first_) return;  // its first own move was broken
    sink_.variation({.line = 1, .first = first_, .moves = replay_.moves()});
  }

  // A header text in UTF-8; empty if it cannot be decoded.
  std::string Text(size_t at, size_t most) const {
    const std::string_view text = bytes_.substr(at + 1, std::min<size_t>(Byte(at), most));
    if (IsUtf8(text)) return std::string(text.substr(0, text.find('\0')));
    const absl::StatusOr<std::string> utf8 = Gb18030ToUtf8(text);
    return utf8.ok() ? utf8->substr(0, utf8->find('\0')) : std::string();
  }

  const std::string_view bytes_;
  const std::string_view file_;
  const RecordSink& sink_;
  const XqfCipher cipher_;
  XiangqiReplay replay_;
  size_t at_ = kXqfHeader;
  std::vector<int> others_;  // plies with a pending alternative, ascending
  int first_ = 1;            // first own ply of the current line
  bool broken_ = false;      // whether the current line is broken
  bool given_ = false;       // whether the game was given
  bool over_ = false;        // whether reading has ended
};

}  // namespace

void ReadXqf(std::string_view bytes, std::string_view file, const RecordSink& sink) {
  const bool whole = IsXqf(bytes) && bytes.size() >= kXqfHeader;
  const auto version = whole ? static_cast<uint8_t>(bytes[2]) : uint8_t{0};
  if (!whole || version == 0 || version > kLastVersion) {
    return sink.reject(MakeProblem(
        {.code = whole ? "unknown_version" : "bad_xqf",
         .file = std::string(file),
         .line = 1,
         .found = whole ? absl::StrCat("version ", version) : absl::StrCat(bytes.size(), " bytes"),
         .expected = whole ? absl::StrCat("version 1 to ", kLastVersion) : "a header of XQF"}));
  }
  XqfReader(bytes, file, sink).Read();
}

bool IsXqf(std::string_view bytes) {
  // A control character in this place never occurs in text.
  return bytes.size() > 2 && bytes.substr(0, 2) == "XQ" && static_cast<uint8_t>(bytes[2]) < ' ';
}

}  // namespace joseki::book
