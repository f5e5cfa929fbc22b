#include "coordinator/offline/book_diff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <utility>

#include "absl/strings/str_cat.h"
#include "book/formats/reader.h"

namespace joseki::coordinator {
namespace {

using BookPositionMoves = std::vector<ExportBook::Move>;

int64_t GamesThrough(const ExportBook::Position& position) {
  int64_t games = 0;
  for (const ExportBook::Move& move : position.moves) games += move.games + move.book_count;
  return games;
}

Move AnswerOf(const BookPositionMoves& moves) {
  const ExportBook::Move* const answer = AnswerAmong(moves);
  return answer == nullptr ? Move() : answer->move;
}

// The scale of SetWorth.
double ScoreOf(const ExportBook::Move& move) { return 1 / (1 + std::exp(-move.worth / 600.0)); }

double ChangeOf(const BookPositionMoves& before, const BookPositionMoves& after) {
  const ExportBook::Move* old_answer = AnswerAmong(before);
  const ExportBook::Move* const new_answer = AnswerAmong(after);
  if (old_answer == nullptr || new_answer == nullptr) return 0;
  if (old_answer->move != new_answer->move) {
    const auto known = std::find_if(after.begin(), after.end(), [&](const ExportBook::Move& move) {
      return move.move == old_answer->move;
    });
    if (known != after.end()) old_answer = &*known;
  }
  return std::abs(ScoreOf(*new_answer) - ScoreOf(*old_answer));
}

double ReachAt(const std::vector<double>& reach, size_t index) {
  return index < reach.size() ? reach[index] : 0;
}

double Measure(const PositionDiff& position, DiffOrder order) {
  switch (order) {
    case DiffOrder::kReach:
      return position.reach;
    case DiffOrder::kDifference:
      return position.change;
    case DiffOrder::kBoth:
      break;
  }
  return position.reach * position.change;
}

bool Same(const ExportBook::Move& a, const ExportBook::Move& b, bool weights) {
  const auto facts = [](const ExportBook::Move& move) {
    return std::tuple(move.games, move.evidence.wins, move.evidence.draws, move.evidence.losses,
                      move.book_count, move.value, move.bad);
  };
  return facts(a) == facts(b) && (!weights || a.weight == b.weight);
}

// The moves that differ; the answers, if they do, too. Move lists are in ascending order.
std::vector<MoveDiff> MovesThatDiffer(const BookPositionMoves& before,
                                      const BookPositionMoves& after, bool weights) {
  std::vector<MoveDiff> moves;
  const Move answers[] = {AnswerOf(before), AnswerOf(after)};
  const bool answers_differ = answers[0] != answers[1];
  size_t a = 0;
  size_t b = 0;
  while (a < before.size() || b < after.size()) {
    MoveDiff diff;
    if (b == after.size() || (a < before.size() && before[a].move < after[b].move)) {
      diff.before = before[a++];
    } else if (a == before.size() || after[b].move < before[a].move) {
      diff.after = after[b++];
    } else {
      diff.before = before[a++];
      diff.after = after[b++];
    }
    diff.move = diff.before.has_value() ? diff.before->move : diff.after->move;
    const bool is_answer = diff.move == answers[0] || diff.move == answers[1];
    if (diff.before.has_value() && diff.after.has_value() &&
        Same(*diff.before, *diff.after, weights) && !(answers_differ && is_answer)) {
      continue;
    }
    moves.push_back(diff);
  }
  return moves;
}

}  // namespace

BookDiff Diff(const ExportBook& before, const ExportBook& after, bool weights,
              const Reaches& reaches, DiffOrder order) {
  static const ExportBook::Position kNone;
  BookDiff diff;
  size_t a = 0;
  size_t b = 0;
  while (a < before.positions.size() || b < after.positions.size()) {
    const bool takes_left =
        a < before.positions.size() &&
        (b == after.positions.size() || before.positions[a].packed <= after.positions[b].packed);
    const ExportBook::Position* left = takes_left ? &before.positions[a++] : nullptr;
    const bool takes_right =
        !takes_left || (b < after.positions.size() && after.positions[b].packed == left->packed);
    const ExportBook::Position* right = takes_right ? &after.positions[b++] : nullptr;
    const ExportBook::Position& any = left != nullptr ? *left : *right;
    const ExportBook::Position& old_position = left != nullptr ? *left : kNone;
    const ExportBook::Position& new_position = right != nullptr ? *right : kNone;
    PositionDiff here;
    here.packed = any.packed;
    here.ply = any.ply;
    here.in_before = left != nullptr;
    here.in_after = right != nullptr;
    here.moves = MovesThatDiffer(old_position.moves, new_position.moves, weights);
    const bool both = here.in_before && here.in_after;
    if (both && here.moves.empty()) {
      ++diff.same_positions;
      continue;
    }
    here.answer_changed = both && AnswerOf(old_position.moves) != AnswerOf(new_position.moves);
    here.reach = std::max(left != nullptr ? ReachAt(reaches.before, a - 1) : 0,
                          right != nullptr ? ReachAt(reaches.after, b - 1) : 0);
    if (both) here.change = ChangeOf(old_position.moves, new_position.moves);
    here.games = std::max(GamesThrough(old_position), GamesThrough(new_position));
    diff.only_before += !here.in_after;
    diff.only_after += !here.in_before;
    diff.changed_answers += here.answer_changed;
    if (both) diff.changed_moves += static_cast<int64_t>(here.moves.size());
    diff.positions.push_back(std::move(here));
  }
  const auto rank = [&](const PositionDiff& of) {
    const bool start = of.packed == reaches.start;
    return std::tuple(!(start && of.answer_changed), !of.answer_changed, -Measure(of, order),
                      -of.reach, -of.games);
  };
  std::stable_sort(diff.positions.begin(), diff.positions.end(),
                   [&](const PositionDiff& x, const PositionDiff& y) { return rank(x) < rank(y); });
  return diff;
}

ExportBook ExportOfPositions(std::vector<book::DbPosition> positions, book::BookFormat format) {
  book::Canonicalise(positions);
  ExportBook book;
  const book::Reader reader = book::ReadersOf(format).front();
  book.answer_rule = absl::StrCat("what ", std::string(book::Name(reader)), " plays most often");
  for (book::DbPosition& from : positions) {
    ExportBook::Position& position = book.positions.emplace_back();
    position.packed = from.packed;
    position.ply = from.ply;
    const book::Probe probe = book::ChoiceBy(reader, format, from);
    const auto rank = [&](size_t i) {
      const book::DbMove& move = from.moves[i];
      return std::tuple(probe.choices[i].share, move.value, move.count, move.depth);
    };
    size_t best = 0;
    for (size_t i = 1; i < from.moves.size(); ++i) {
      if (rank(i) > rank(best)) best = i;
    }
    const Move answered = from.moves[best].move;
    for (const book::DbMove& move : from.moves) {
      ExportBook::Move& out = position.moves.emplace_back();
      out.move = move.move;
      if (move.has_value) out.value = move.value;
      out.depth = move.depth;
      out.book_count = static_cast<int64_t>(std::min<uint64_t>(move.count, INT64_MAX));
      out.ponder = move.ponder;
      out.answer = move.move == answered;
    }
    std::sort(position.moves.begin(), position.moves.end(),
              [](const ExportBook::Move& a, const ExportBook::Move& b) { return a.move < b.move; });
    SetWorth(position);
  }
  return book;
}

}  // namespace joseki::coordinator
