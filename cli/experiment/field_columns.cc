#include "cli/experiment/field_columns.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "book/play_spec.h"
#include "worker/play/usi/engines_file.h"

namespace joseki::cli {
namespace {

constexpr char kLeague[] = "league";

// A column whose opponent is a book of the folder, or none, played by the engine of the experiment.
struct Kind {
  ColumnKind kind;
  const char* type;  // of the book; empty: none
  uint64_t times;    // of the experiment's nodes, for both sides
};

constexpr Kind kKinds[] = {
    {{"input", "the input book by shares"}, "type2", 1},
    {{"equal", "equal weights (Type-1)"}, "type1", 1},
    {{"bookless", "the same engine without a book"}, "", 1},
    {{"input10", "the input book by shares, both at ten times the nodes"}, "type2", 10},
    {{"bookless10", "the same engine without a book, both at ten times the nodes"}, "", 10},
};

constexpr ColumnKind kNames[] = {
    kKinds[0].kind, kKinds[1].kind, kKinds[2].kind,
    kKinds[3].kind, kKinds[4].kind, {kLeague, "every other tuned book of the folder, its answers"}};

constexpr char kEngine[] = "engine:";
// The measurement of times: pairs per round, and rounds at most.
constexpr uint32_t kTimedPairs = 4;
constexpr int kTimedRounds = 6;
// The measurement's tolerances in the logarithm of a move's time: between the two sides, and from
// the wanted time.
constexpr double kSameTime = 0.05;
constexpr double kWantedTime = 0.15;
constexpr double kMostNodes = 1e9;
// The largest factor by which a round changes a limit.
constexpr double kLargestStep = 20;

double MsOfMove(const book::SideUse& use) {
  return static_cast<double>(std::max<uint64_t>(1, use.micros)) / 1000 /
         static_cast<double>(std::max<uint64_t>(1, use.moves));
}

absl::StatusOr<EqualTime> TimeAt(Laboratory& lab, const std::string& id, uint64_t our_nodes,
                                 uint64_t their_nodes) {
  MatchPlan plan;
  plan.name = absl::StrCat("time--", id, "-", our_nodes, "-", their_nodes);
  plan.sides[0] = {lab.arguments().engine, lab.arguments().engine};
  plan.sides[1] = {id, id, "answer", their_nodes};
  plan.nodes = our_nodes;
  plan.pairs = kTimedPairs;
  ASSIGN_OR_RETURN(const PlannedMatch match, lab.Play(plan));
  RETURN_IF_ERROR(CheckNotVoid(match.played));
  const book::SeriesTally& tally = match.played.series.tally();
  if (tally.total().games() == 0) return absl::CancelledError("no game was timed yet");
  return EqualTime{our_nodes, their_nodes, MsOfMove(tally.used[0]), MsOfMove(tally.used[1])};
}

// One side's limit, corrected by the measured time of a move. The model is a constant plus a time
// per node: a line through the last two measurements. With one measurement, or a falling line, the
// limit changes in proportion.
class Limit {
 public:
  explicit Limit(uint64_t nodes) : nodes_(nodes) {}

  uint64_t nodes() const { return nodes_; }
  void Approach(double wanted_ms, double took_ms) {
    const auto at = static_cast<double>(nodes_);
    double next = at * wanted_ms / took_ms;
    if (before_nodes_ > 0 && before_nodes_ != nodes_) {
      const double slope = (took_ms - before_ms_) / (at - static_cast<double>(before_nodes_));
      if (slope > 0) next = at + (wanted_ms - took_ms) / slope;
    }
    before_nodes_ = nodes_;
    before_ms_ = took_ms;
    next = std::clamp(next, at / kLargestStep, at * kLargestStep);
    nodes_ = static_cast<uint64_t>(std::clamp(next, 1.0, kMostNodes));
  }

 private:
  uint64_t nodes_;
  uint64_t before_nodes_ = 0;
  double before_ms_ = 0;
};

// The best of several rounds: the smallest deviation by kSameTime and kWantedTime.
absl::StatusOr<EqualTime> MeasureTime(Laboratory& lab, const std::string& id, double wanted_ms) {
  Limit ours(10 * lab.arguments().nodes);
  Limit theirs(10 * lab.arguments().nodes);
  EqualTime best;
  double least = 0;
  for (int round = 0; round < kTimedRounds; ++round) {
    ASSIGN_OR_RETURN(const EqualTime now, TimeAt(lab, id, ours.nodes(), theirs.nodes()));
    const double apart = std::abs(std::log(now.their_ms / now.our_ms));
    const double off = std::max(std::abs(std::log(now.our_ms / wanted_ms)),
                                std::abs(std::log(now.their_ms / wanted_ms)));
    const double error = std::max(apart / kSameTime, off / kWantedTime);
    if (round == 0 || error < least) {
      best = now;
      least = error;
    }
    if (error < 1) break;
    ours.Approach(wanted_ms, now.our_ms);
    theirs.Approach(wanted_ms, now.their_ms);
  }
  return best;
}

const Kind* FindKind(const std::string& name) {
  const auto at = std::find_if(std::begin(kKinds), std::end(kKinds),
                               [&](const Kind& kind) { return kind.kind.name == name; });
  return at == std::end(kKinds) ? nullptr : at;
}

}  // namespace

std::span<const ColumnKind> ColumnKinds() { return kNames; }

absl::Status CheckColumn(const Laboratory& lab, const std::string& name) {
  if (absl::StartsWith(name, kEngine) && !lab.arguments().engines.empty()) {
    ASSIGN_OR_RETURN(const worker::EngineEntries engines,
                     worker::ReadEnginesFile(lab.arguments().engines));
    if (engines.contains(name.substr(sizeof kEngine - 1))) return absl::OkStatus();
  }
  if (name == kLeague || FindKind(name) != nullptr) return absl::OkStatus();
  std::string known;
  for (const ColumnKind& kind : kNames)
    absl::StrAppend(&known, known.empty() ? "" : ", ", kind.name);
  absl::StrAppend(&known, ", or engine:ID of --engines");
  return MakeProblem(
      {.code = "usage", .file = "--column", .found = Quote(name), .expected = known});
}

absl::StatusOr<FieldColumn> ColumnOf(Laboratory& lab, const std::string& name, double engine_ms) {
  RETURN_IF_ERROR(CheckColumn(lab, name));
  FieldColumn column;
  column.name = name;
  column.word = name;
  if (name == kLeague) {
    column.against = kNames[std::size(kNames) - 1].what;
    column.league = true;
    return column;
  }
  if (absl::StartsWith(name, kEngine)) {
    const std::string id = name.substr(sizeof kEngine - 1);
    ASSIGN_OR_RETURN(column.time, MeasureTime(lab, id, engine_ms));
    column.word =
        absl::StrCat("engine-", id, "-", column.time->our_nodes, "-", column.time->their_nodes);
    column.nodes = column.time->our_nodes;
    column.side = {id, id, "answer", column.time->their_nodes};
    column.against = absl::StrFormat(
        "%s without a book of ours, %d nodes a move to our %d: %.2f ms a move to our %.2f", id,
        column.time->their_nodes, column.time->our_nodes, column.time->their_ms,
        column.time->our_ms);
    return column;
  }
  const Kind& kind = *FindKind(name);
  column.against = kind.kind.what;
  column.nodes = kind.times * lab.arguments().nodes;
  column.side.label = lab.arguments().engine;
  column.side.name = lab.arguments().engine;
  if (*kind.type == 0) return column;
  ASSIGN_OR_RETURN(const std::string book, lab.TypeBook(kind.type));
  column.side = {absl::StrCat("Type-", kind.type + 4), lab.Played(book), "share"};
  return column;
}

MatchPlan MatchOfBook(const Laboratory& lab, const FieldBook& book, const FieldColumn& column,
                      uint64_t judge_nodes) {
  MatchPlan plan;
  plan.name = absl::StrCat(book.word, "--", column.word);
  plan.sides[0] = {book.label, lab.Played(book.name)};
  plan.sides[1] = column.side;
  plan.nodes = column.nodes;
  plan.pairs = lab.arguments().pairs;
  plan.judge_nodes = judge_nodes;
  return plan;
}

}  // namespace joseki::cli
