#include "cli/run/run_text.h"

#include <ostream>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "book/play_spec.h"
#include "cli/boards/game_view.h"
#include "cli/cluster/online.h"
#include "cli/cluster/progress_words.h"
#include "cli/run/spec_command.h"
#include "cli/words/phrases.h"
#include "cli/words/run_phrases.h"
#include "cli/words/words.h"

namespace joseki::cli {
namespace {

constexpr size_t kLabelColumns = 10;

std::string Number(double value) { return absl::StrFormat("%g", value); }

std::string Percent(double share) {
  return absl::StrCat(static_cast<int>(share * 1000) / 10.0, " %");
}

std::string LineOf(const Rules& rules, const std::vector<Move>& line) {
  std::vector<std::string> moves;
  for (const Move move : line) moves.push_back(rules.Text(move));
  return absl::StrJoin(moves, " ");
}

std::string SideText(const coordinator::PlaySpec& play, const Voice& voice) {
  const GameView& view = ViewOf(play.game);
  switch (play.opponent->side) {
    case book::Opponent::Side::kBlack:
      return voice.Say(view.first_phrase);
    case book::Opponent::Side::kWhite:
      return voice.Say(view.second_phrase);
    case book::Opponent::Side::kBoth:
      break;
  }
  return voice.Say(phrase::kBothSides);
}

// REQUIRES: `play` has an opponent.
std::string PairingText(const coordinator::PlaySpec& play, const Voice& voice) {
  const coordinator::Opponent& opponent = *play.opponent;
  const std::string book =
      opponent.book.empty() ? "none" : absl::BytesToHexString(opponent.book).substr(0, 12);
  std::string text =
      voice.Say(phrase::kPairingIs, SideText(play, voice),
                absl::StrCat(book, "@", opponent.engine_id, "/", opponent.engine_signature),
                opponent.move_ms > 0 ? voice.Say(phrase::kMilliseconds, opponent.move_ms)
                                     : voice.Say(phrase::kNodes, opponent.nodes));
  if (!opponent.engine_options.empty()) {
    text += voice.Say(phrase::kPairingOptions,
                      absl::StrJoin(opponent.engine_options, ",", absl::PairFormatter("=")));
  }
  switch (opponent.rules.choice) {
    case book::PlayRules::Choice::kAnswer:
      return text;
    case book::PlayRules::Choice::kShare:
      return text + voice.Say(phrase::kPairingByShare);
    case book::PlayRules::Choice::kRange:
      break;
  }
  return text + voice.Say(phrase::kPairingInRange, opponent.rules.range);
}

class RunText {
 public:
  RunText(const coordinator::RunStatus& run, const Rules& rules, const Voice& voice,
          std::ostream& out)
      : run_(run), rules_(rules), voice_(voice), out_(out) {}

  void Print() {
    out_ << RunLine(run_, voice_) << "\n";
    PrintPlay();
    PrintHistory();
    PrintOpponent();
    PrintWorkers();
    PrintPriors();
    PrintScores();
    PrintCounts();
    PrintStopRules();
    PrintLines();
  }

 private:
  void Item(const Phrase& label, const std::string& text) {
    out_ << "  " << PaddedRight(voice_.Say(label), kLabelColumns) << " " << text << "\n";
  }
  // Prints a line that continues the item above.
  void More(const std::string& text) {
    out_ << std::string(kLabelColumns + 3, ' ') << text << "\n";
  }
  // Item with a phrase and its values.
  template <typename... Values>
  void Say(const Phrase& label, const Phrase& phrase, const Values&... values) {
    Item(label, voice_.Say(phrase, values...));
  }

  void PrintPlay() {
    const coordinator::RunSpec& spec = run_.spec;
    Say(phrase::kEngine, phrase::kEngineIs, spec.play.engine_id, spec.play.engine_signature,
        LimitWords(spec.play, voice_), spec.play.jitter_percent);
    for (const auto& [name, value] : spec.play.engine_options) {
      More(absl::StrCat(name, " = ", value));
    }
    Say(phrase::kPolicy, phrase::kPolicyIs, spec.policy, Percent(spec.deviation), spec.seed);
    for (const auto& [name, value] : spec.policy_options) More(absl::StrCat(name, " = ", value));
    const bool usual = spec.start == phrase::kStartPosition.english();
    Item(phrase::kStart, usual ? voice_.Say(phrase::kStartPosition) : spec.start);
    if (spec.match) return;
    const std::string options = SpecOptions(spec, SpecFiles());
    if (!options.empty()) Item(phrase::kOptions, options.substr(1));
  }

  void PrintHistory() {
    const coordinator::RunSpec& spec = run_.spec;
    if (spec.taken_over) Item(phrase::kTakes, TakenOverWords(spec, voice_));
    const auto& extension = spec.extension;
    if (!extension) return;
    const std::string budget = BudgetWords(spec, voice_);
    const std::string regardless = RegardlessWords(spec, voice_);
    if (extension->times == 1) {
      Say(phrase::kExtended, phrase::kExtendedOnce, extension->after, budget, regardless);
    } else {
      Say(phrase::kExtended, phrase::kExtendedTimes, extension->times, extension->after, budget,
          regardless);
    }
  }

  void PrintOpponent() {
    const coordinator::PlaySpec& play = run_.spec.play;
    if (play.opponent) {
      Item(phrase::kPairing, PairingText(play, voice_));
    }
    if (!play.re_entry) return;
    if (run_.stages > 0) {
      Say(phrase::kReEntry, phrase::kReEntryByStage);
    } else {
      Say(phrase::kReEntry, phrase::kReEntryByGames, play.re_entry_games);
    }
  }

  void PrintWorkers() {
    const coordinator::RunSpec& spec = run_.spec;
    Say(phrase::kWorkers, phrase::kWorkersAre, run_.servers, spec.share.priority,
        spec.share.weight);
    if (!run_.not_served.empty()) More(SentenceText(voice_, run_.not_served));
    const coordinator::Requirements& needs = spec.requirements;
    for (const auto& [name, value] : needs.labels) {
      More(voice_.Say(phrase::kNeeds, name, value));
    }
    if (needs.memory_mb > 0) More(voice_.Say(phrase::kNeedsMemory, needs.memory_mb));
    if (needs.cores > 0) More(voice_.Say(phrase::kNeedsCores, needs.cores));
  }

  void PrintScores() {
    if (!run_.line_searches) return;
    const std::string words = CalibrationWords(*run_.line_searches, voice_);
    if (!words.empty()) Item(phrase::kScores, words);
  }

  void PrintPriors() {
    const coordinator::PriorStatus& priors = run_.priors;
    if (priors.positions == 0) return;
    std::string text =
        voice_.Say(phrase::kPriorsAre, priors.done, priors.positions, run_.spec.priors.nodes);
    if (priors.older > 0) text += voice_.Say(phrase::kPriorsOlder, priors.older);
    if (priors.unscored > 0) text += voice_.Say(phrase::kPriorsUnscored, priors.unscored);
    if (priors.failed > 0) text += voice_.Say(phrase::kPriorsFailed, priors.failed);
    Item(phrase::kPriors, text + voice_.Say(phrase::kPriorsCount,
                                            absl::StrFormat("%.1f", priors.games), priors.scale));
  }

  void PrintCounts() {
    Say(phrase::kPlaying, phrase::kPlayingIs, run_.slots_in_flight, run_.leases);
    Say(phrase::kSetAside, phrase::kSetAsideIs, run_.draws, run_.faults, run_.conflicts,
        run_.poisoned_lines);
    const ResignRule& resign = run_.spec.play.resign;
    if (resign.below == 0) return;
    Say(phrase::kResigning, phrase::kResigningIs, resign.below, resign.moves, run_.resign_checked,
        run_.resign_wrong);
  }

  void PrintStopRules() {
    const coordinator::StopRules& stop = run_.spec.stop;
    if (stop.settling.on()) {
      Say(phrase::kSettling, phrase::kSettlingIs, Number(stop.settling.error),
          Number(stop.settling.margin));
    }
    if (run_.gain_left) {
      Say(phrase::kToFind, phrase::kToFindIs, absl::StrFormat("%.4f", *run_.gain_left),
          Number(stop.least_gain));
    }
    if (run_.answers_changed) {
      Say(phrase::kChanging, phrase::kChangingIs,
          absl::StrFormat("%.1f", 100 * *run_.answers_changed), Number(100 * stop.least_change));
    }
  }

  void PrintLines() {
    const auto start = rules_.Start(run_.spec.start, MatchRules{});
    for (const coordinator::RestingLine& resting : run_.resting) {
      const std::string line = start.ok()
                                   ? voice_.LineText(rules_, (*start)->packed(), resting.line)
                                   : LineOf(rules_, resting.line);
      Say(phrase::kResting, phrase::kRestingIs, line, resting.draws);
    }
    for (const coordinator::PoisonedLine& poisoned : run_.poisoned) {
      Say(phrase::kLeftOutLine, phrase::kLeftOutLineIs, LineOf(rules_, poisoned.line),
          poisoned.attempts, Quote(poisoned.reason, 200),
          absl::StrJoin(FailedWith(poisoned), ", "));
    }
    for (const auto& [termination, games] : run_.terminations) {
      Item(phrase::kEndedByLabel, absl::StrCat(WordText(voice_, Name(termination)), ": ", games));
    }
  }

  const coordinator::RunStatus& run_;
  const Rules& rules_;
  const Voice& voice_;
  std::ostream& out_;
};

}  // namespace

std::vector<std::string> FailedWith(const coordinator::PoisonedLine& line) {
  std::vector<std::string> workers;
  for (const coordinator::LineFailure& failure : line.failed) workers.push_back(failure.worker);
  return workers;
}

void PrintRun(const coordinator::RunStatus& run, const Rules& rules, const Voice& voice,
              std::ostream& out) {
  RunText(run, rules, voice, out).Print();
}

}  // namespace joseki::cli
