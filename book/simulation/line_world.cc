#include "book/simulation/line_world.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <queue>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/tuning/exact_math.h"

namespace joseki::book {
namespace {

// Nodes at which the options state deviations.
constexpr double kBaseNodes = 400;
// Doublings of nodes that still correct something.
constexpr int kDoublings = 24;

// Purposes of the random streams of one position.
enum Stream : uint64_t { kLosses = 1, kDrift, kMisjudged, kPlayers, kChild };

// About normal, from one number: the sum of four uniform ones.
double AboutNormal(uint64_t bits) {
  constexpr double kUnit = 1.0 / 65536;
  double sum = 0;
  for (int i = 0; i < 4; ++i) sum += (static_cast<double>(bits >> (16 * i) & 0xffff) + 0.5) * kUnit;
  return (sum - 2) * 1.7320508075688772;  // the sum's variance is 1 / 3
}

uint64_t Hash(uint64_t id, Stream stream, uint64_t index) {
  return Rng(id ^ (stream * 0x9e3779b97f4a7c15u)).Split(index).Next();
}

}  // namespace

struct LineWorld::Position {
  uint64_t id = 0;
  double worth = 0;
  double drift = 0;  // error of every evaluation here, for the side to move
  uint32_t ply = 0;  // from the start

  Color to_move() const { return ply % 2 == 0 ? Color::kFirst : Color::kSecond; }
  Key key() const { return {Rng(id).Next(), id}; }

  PackedPosition packed() const {
    PackedPosition packed;
    std::memcpy(packed.bytes.data(), &id, 8);
    std::memcpy(packed.bytes.data() + 8, &worth, 8);
    std::memcpy(packed.bytes.data() + 16, &drift, 8);
    std::memcpy(packed.bytes.data() + 24, &ply, 4);
    packed.bytes[31] = 'L';
    return packed;
  }
  static std::optional<Position> Of(const PackedPosition& packed) {
    if (packed.bytes[31] != 'L') return std::nullopt;
    Position position;
    std::memcpy(&position.id, packed.bytes.data(), 8);
    std::memcpy(&position.worth, packed.bytes.data() + 8, 8);
    std::memcpy(&position.drift, packed.bytes.data() + 16, 8);
    std::memcpy(&position.ply, packed.bytes.data() + 24, 4);
    if (position.packed() != packed) return std::nullopt;
    return position;
  }
};

class LineWorld::State : public GameState {
 public:
  State(const LineWorld& world, Position position)
      : world_(world), position_(position), start_ply_(position.ply) {}

  bool Play(Move move) override {
    const int index = move.raw() - 1;
    if (index < 0 || index >= world_.options_.moves) return false;
    position_ = world_.After(position_, index);
    return true;
  }
  std::optional<Ending> ending() const override { return std::nullopt; }
  Color side_to_move() const override { return position_.to_move(); }
  int plies() const override { return static_cast<int>(position_.ply - start_ply_); }
  Key key() const override { return position_.key(); }
  PackedPosition packed() const override { return position_.packed(); }
  std::string text() const override {
    return world_.Text(position_.packed(), static_cast<int>(position_.ply) + 1);
  }
  std::vector<Move> LegalMoves() const override {
    std::vector<Move> moves;
    for (int i = 1; i <= world_.options_.moves; ++i)
      moves.push_back(Move(static_cast<uint16_t>(i)));
    return moves;
  }
  absl::StatusOr<Move> ParseMove(std::string_view text) const override {
    if (const std::optional<Move> move = world_.MoveOf(text)) return *move;
    return MakeProblem({.code = "malformed_move", .found = Quote(text), .expected = "m1, m2, .."});
  }

  const Position& position() const { return position_; }

 private:
  const LineWorld& world_;
  Position position_;
  uint32_t start_ply_;
};

LineWorld::LineWorld(const LineWorldOptions& options, uint64_t seed)
    : options_(options), seed_(seed) {}

LineWorld::Position LineWorld::Begin() const {
  Position start;
  start.id = Rng(seed_).Next();
  start.worth = options_.start_worth;
  start.drift = options_.drift * AboutNormal(Hash(start.id, kDrift, 0));
  return start;
}

LineWorld::Position LineWorld::After(const Position& position, int move) const {
  Position next;
  next.id = Hash(position.id, kChild, static_cast<uint64_t>(move));
  next.ply = position.ply + 1;
  next.worth = LossOf(position, move) - position.worth;
  const double fresh = options_.drift * AboutNormal(Hash(next.id, kDrift, 0));
  const double kept = options_.persistence;
  next.drift = -kept * position.drift + std::sqrt(1 - kept * kept) * fresh;
  return next;
}

double LineWorld::LossOf(const Position& position, int move) const {
  const auto best = static_cast<int>(
      Rng(Hash(position.id, kLosses, 0)).Below(static_cast<uint64_t>(options_.moves)));
  if (move == best) return 0;
  Rng rng(Hash(position.id, kLosses, 1 + static_cast<uint64_t>(move)));
  return -options_.mean_loss * Log(1 - rng.Unit());
}

// A sum of independent errors, one a doubling of nodes: more nodes mend those of the lowest ones.
double LineWorld::MisjudgementOf(const Position& position, int move, double doublings) const {
  const double shrinks = options_.a_doubling;
  const auto whole = static_cast<int>(doublings);
  Rng rng = Rng(Hash(position.id, kMisjudged, static_cast<uint64_t>(move)));
  const double mended = std::sqrt(1 - shrinks * shrinks);  // part of an error, by a doubling
  double error = 0;
  double deviation = options_.error;
  for (int level = 0; level < kDoublings; ++level, deviation *= shrinks) {
    const double part = deviation * mended * AboutNormal(rng.Next());
    if (level < whole) continue;
    // Between two powers of two a part of the doubling's error is mended.
    error += level == whole ? part * (1 - (doublings - whole)) : part;
  }
  return error + deviation * AboutNormal(rng.Next());  // what no number of nodes mends
}

LineWorld::Found LineWorld::Search(const GameState& state, uint64_t nodes,
                                   std::span<const Move> excluded, Rng& rng) const {
  const Position& position = static_cast<const State&>(state).position();
  const double doublings = std::log2(std::max(1.0, static_cast<double>(nodes) / kBaseNodes));
  const double chance = options_.chance * std::pow(options_.a_doubling, doublings);
  Found best;
  double most = 0;
  for (int i = 0; i < options_.moves; ++i) {
    const Move move(static_cast<uint16_t>(i + 1));
    if (std::find(excluded.begin(), excluded.end(), move) != excluded.end()) continue;
    const double seen = MisjudgementOf(position, i, doublings) - LossOf(position, i) +
                        chance * AboutNormal(rng.Next());
    if (best.move && seen <= most) continue;
    best.move = move;
    most = seen;
  }
  best.centipawns = position.worth + position.drift + most;
  return best;
}

double LineWorld::Worth(const GameState& state) const {
  return static_cast<const State&>(state).position().worth;
}

absl::StatusOr<Graph> LineWorld::Book() const {
  struct Open {
    double reach;
    Position position;
    bool operator<(const Open& other) const { return reach < other.reach; }
  };
  std::priority_queue<Open> open;
  open.push({1.0, Begin()});
  std::vector<GraphInput> positions;
  while (!open.empty()) {
    const Open at = open.top();
    open.pop();
    GraphInput input;
    input.packed = at.position.packed();
    input.ply = static_cast<int>(at.position.ply) + 1;
    if (at.position.ply < options_.book_plies) {
      std::vector<double> shares;
      double sum = 0;
      for (int i = 0; i < options_.moves; ++i) {
        const double noise = options_.human_noise *
                             AboutNormal(Hash(at.position.id, kPlayers, static_cast<uint64_t>(i)));
        shares.push_back(Exp(-(LossOf(at.position, i) + noise) / options_.human_temperature));
        sum += shares.back();
      }
      for (int i = 0; i < options_.moves; ++i) {
        const double reach = at.reach * shares[static_cast<size_t>(i)] / sum;
        const auto games = static_cast<int64_t>(reach * options_.book_games);
        if (games < options_.least_games) continue;
        input.moves.push_back({Move(static_cast<uint16_t>(i + 1)), games});
        open.push({reach, After(at.position, i)});
      }
    }
    positions.push_back(std::move(input));
  }
  return Graph::Build(*this, std::move(positions));
}

absl::StatusOr<std::unique_ptr<GameState>> LineWorld::Start(std::string_view position,
                                                            const MatchRules& /*match*/) const {
  if (position != "startpos") {
    return MakeProblem({.code = "bad_position", .found = Quote(position), .expected = "startpos"});
  }
  return std::make_unique<State>(*this, Begin());
}

absl::StatusOr<std::unique_ptr<GameState>> LineWorld::Start(const PackedPosition& position,
                                                            const MatchRules& /*match*/) const {
  const std::optional<Position> known = Position::Of(position);
  if (!known) return MakeProblem({.code = "bad_position", .expected = "a position of lines"});
  return std::make_unique<State>(*this, *known);
}

std::string LineWorld::Text(const PackedPosition& position, int ply) const {
  const std::optional<Position> known = Position::Of(position);
  return absl::StrCat(known ? known->id : 0, " ", ply);
}

std::string LineWorld::Text(Move move) const { return absl::StrCat("m", move.raw()); }

std::optional<Move> LineWorld::MoveOf(std::string_view text) const {
  uint32_t number = 0;
  if (text.size() < 2 || text.front() != 'm' ||
      !absl::SimpleAtoi(absl::string_view(text.data(), text.size()).substr(1), &number) ||
      number == 0 || number > static_cast<uint32_t>(options_.moves)) {
    return std::nullopt;
  }
  return Move(static_cast<uint16_t>(number));
}

}  // namespace joseki::book
