#include "engine/usi/engine_loop.h"

#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/core/number_option.h"
#include "engine/usi/option_lines.h"
#include "engine/usi/time_control.h"

namespace joseki::usi {
namespace {

absl::StatusOr<std::vector<Move>> MovesOf(const GameEngine& engine,
                                          const std::vector<std::string>& texts) {
  std::vector<Move> moves;
  for (const std::string& text : texts) {
    ASSIGN_OR_RETURN(moves.emplace_back(), engine.ParseMove(text));
  }
  return moves;
}

// The legal moves that are not in `wanted`.
absl::StatusOr<std::vector<Move>> AllBut(const GameEngine& engine,
                                         const std::vector<std::string>& wanted) {
  ASSIGN_OR_RETURN(const std::vector<Move> keep, MovesOf(engine, wanted));
  std::vector<Move> excluded = engine.LegalMoves();
  std::erase_if(excluded,
                [&](Move move) { return std::find(keep.begin(), keep.end(), move) != keep.end(); });
  return excluded;
}

}  // namespace

EngineLoop::EngineLoop(std::istream& in, std::ostream& out, EngineMaker make)
    : in_(in), make_(std::move(make)), out_(out) {
  // Untied: reading a line would flush the output while the searching thread writes to it, which
  // would duplicate lines.
  in_.tie(nullptr);
}

EngineLoop::~EngineLoop() { EndSearch(/*answer=*/false); }

void EngineLoop::Run() {
  std::string line;
  while (std::getline(in_, line)) {
    if (!Handle(line)) {
      EndSearch(/*answer=*/false);
      if (protocol_ != nullptr && !protocol_->farewell.empty()) Say(protocol_->farewell);
      return;
    }
  }
  if (go_.infinite || go_.ponder) EndSearch(/*answer=*/true);
  if (searcher_.joinable()) searcher_.join();
}

bool EngineLoop::Handle(std::string_view line) {
  WordList words = Words(line);
  if (words.empty()) return true;
  const std::string_view command = words[0];
  words.erase(words.begin());

  if (command == "quit") return false;
  if (const Protocol* const named = ProtocolNamed(command)) {
    Speak(*named);
    DeclareEngine();
    return true;
  }
  if (protocol_ == nullptr) Speak(DefaultProtocol());
  if (command == "isready") {
    Say("readyok");
  } else if (command == "setoption") {
    Report(SetOption(words));
  } else if (command == protocol_->new_game) {
    Report(NewGame());
  } else if (command == "position") {
    Report(SetPosition(words));
  } else if (command == "banmoves") {
    Report(BanMoves(words));
  } else if (command == "go") {
    const bool searched = searching();
    const absl::Status status = Go(words);
    Report(status);
    if (!status.ok() && !searched) AnswerNothing(words);
  } else if (command == "stop") {
    EndSearch(/*answer=*/true);
  } else if (command == "ponderhit") {
    PonderHit();
  } else if (command == "gameover") {
    EndSearch(/*answer=*/false);
    engine_->GameOver(/*lost=*/words.size() == 1 && words[0] == "lose");
  } else {
    Remark("unknown command " + Quote(command));
  }
  return true;
}

void EngineLoop::Speak(const Protocol& protocol) {
  if (protocol_ == &protocol) return;
  EndSearch(/*answer=*/false);
  go_ = GoCommand();
  banned_.clear();
  refused_ = false;
  ranks_from_one_ = false;
  protocol_ = &protocol;
  engine_ = make_(protocol);
}

void EngineLoop::DeclareEngine() {
  std::string text = "id name Joseki\nid author the Joseki authors\n" + engine_->DeclareOptions();
  if (!protocol_->ranks_option.empty()) {
    text += CheckLine(*protocol_, protocol_->ranks_option, false);
  }
  if (!protocol_->milliseconds_option.empty()) {
    text += CheckLine(*protocol_, protocol_->milliseconds_option, true);
  }
  if (!protocol_->new_game_option.empty()) {
    text += ButtonLine(*protocol_, protocol_->new_game_option);
  }
  Say(text + std::string(protocol_->ok));
}

absl::Status EngineLoop::SetOption(const WordList& words) {
  ASSIGN_OR_RETURN(const OptionCommand command, ParseOption(words, *protocol_));
  RETURN_IF_ERROR(RefuseWhileSearching("setoption"));
  if (searcher_.joinable()) searcher_.join();
  ASSIGN_OR_RETURN(const bool done, SetProtocolOption(command));
  if (done) return absl::OkStatus();
  std::string remark;
  RETURN_IF_ERROR(engine_->SetOption(command.name, command.value, remark));
  if (!remark.empty()) Remark(remark);
  return absl::OkStatus();
}

absl::StatusOr<bool> EngineLoop::SetProtocolOption(const OptionCommand& command) {
  if (command.name == protocol_->new_game_option) {
    engine_->NewGame();
    return true;
  }
  if (command.name == protocol_->milliseconds_option) {
    if (command.value == "true") return true;
    return MakeProblem({.code = "bad_option",
                        .found = command.name + " " + Quote(command.value),
                        .expected = "true"});
  }
  if (command.name == protocol_->ranks_option) {
    ASSIGN_OR_RETURN(const int number, OptionNumber(command.name, command.value, true, 0, 1));
    ranks_from_one_ = number != 0;
    return true;
  }
  return false;
}

absl::Status EngineLoop::NewGame() {
  RETURN_IF_ERROR(RefuseWhileSearching(protocol_->new_game));
  if (searcher_.joinable()) searcher_.join();
  engine_->NewGame();
  return absl::OkStatus();
}

absl::Status EngineLoop::SetPosition(const WordList& words) {
  refused_ = true;
  ASSIGN_OR_RETURN(const PositionCommand command, ParsePosition(words, *protocol_));
  RETURN_IF_ERROR(engine_->SetPosition(command.start, Heard(command.moves)));
  refused_ = false;
  banned_.clear();
  return absl::OkStatus();
}

absl::Status EngineLoop::BanMoves(const WordList& words) {
  ASSIGN_OR_RETURN(banned_, MovesOf(*engine_, Heard({words.begin(), words.end()})));
  return absl::OkStatus();
}

absl::Status EngineLoop::Go(const WordList& words) {
  ASSIGN_OR_RETURN(const GoCommand go, ParseGo(words, *protocol_, engine_->side_to_move()));
  RETURN_IF_ERROR(RefuseWhileSearching("go"));
  if (refused_) {
    return MakeProblem({.code = "bad_position",
                        .found = "go after a position that was refused",
                        .expected = "a position first"},
                       absl::StatusCode::kFailedPrecondition);
  }
  std::vector<Move> excluded = banned_;
  if (!go.search_moves.empty()) {
    ASSIGN_OR_RETURN(const std::vector<Move> others, AllBut(*engine_, Heard(go.search_moves)));
    excluded.insert(excluded.end(), others.begin(), others.end());
  }
  if (!go.passed_over.empty()) {
    Remark("go: passed over " + Quote(absl::StrJoin(go.passed_over, " ")));
  }
  if (searcher_.joinable()) searcher_.join();
  if (const std::string remark = engine_->TakeRoot(go.mate); !remark.empty()) Remark(remark);
  root_mover_ = engine_->side_to_move();
  excluded_ = std::move(excluded);
  if (go.mate) {
    StartMate(go);
  } else if (!PlayFromBook(go)) {
    StartSearch(go);
  }
  return absl::OkStatus();
}

void EngineLoop::AnswerNothing(const WordList& words) {
  const bool mate =
      std::any_of(protocol_->go_words.begin(), protocol_->go_words.end(), [&](const GoWord& word) {
        return word.limit == GoLimit::kMateSearch && !words.empty() && word.word == words[0];
      });
  const auto written = [this](Move move) { return Written(move); };
  Say(mate ? FormatCheckmate(MateResult(), written)
           : FormatBestMove(SearchResult(), false, *protocol_, written));
}

// No book move for an endless search, which is an analysis.
bool EngineLoop::PlayFromBook(const GoCommand& go) {
  if (go.infinite || go.ponder || !go.ends()) return false;
  if (!go.search_moves.empty() || !excluded_.empty()) return false;
  const std::optional<BookReply> reply = engine_->AskBook();
  if (!reply.has_value()) return false;
  go_ = go;
  SearchInfo info;
  std::vector<Move> line{reply->move};
  if (reply->ponder) line.push_back(reply->ponder);
  info.depth = reply->depth;
  info.value = reply->value;
  info.pv = line;
  SearchResult result;
  result.best = reply->move;
  result.ponder = reply->ponder;
  Remark("book");
  const auto written = [this](Move move) { return Written(move); };
  Say(FormatInfo(info, *protocol_, written));
  Say(FormatBestMove(result, engine_->ponders(), *protocol_, written));
  return true;
}

// The opponent played the expected move, so the clock runs now. The book answers, or the search
// restarts with its limits; the results of pondering are in the table.
void EngineLoop::PonderHit() {
  if (!searching() || !go_.ponder) {
    Remark("ponderhit without a ponder search");
    return;
  }
  EndSearch(/*answer=*/false);
  GoCommand go = go_;
  go.ponder = false;
  if (!PlayFromBook(go)) StartSearch(go);
}

// REQUIRES: searcher_ is joined.
void EngineLoop::StartSearch(const GoCommand& go) {
  go_ = go;
  SearchLimits limits = LimitsFor(go_, root_mover_);
  limits.excluded = excluded_;
  limits.lines = engine_->lines();
  const bool endless = limits.nodes == 0 && limits.depth == 0 && limits.hard_ms == 0;
  go_.infinite = go_.infinite || (endless && !go_.ponder);
  BeginSearching(/*held=*/go_.infinite || go_.ponder);
  searcher_ = std::thread([this, limits, with_ponder = engine_->ponders()] {
    const auto written = [this](Move move) { return Written(move); };
    const SearchObserver observer = [&](const SearchInfo& info) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!silent_) out_ << FormatInfo(info, *protocol_, written) << std::endl;
    };
    const SearchResult result =
        limits.ponder ? engine_->Ponder(limits, observer,
                                        [&](Move reply) {
                                          const std::lock_guard<std::mutex> lock(mutex_);
                                          if (silent_) return;
                                          out_ << protocol_->remark << "pondering on "
                                               << written(reply) << std::endl;
                                        })
                      : engine_->Search(limits, observer);
    std::unique_lock<std::mutex> lock(mutex_);
    released_.wait(lock, [this] { return !held_; });
    if (!silent_) out_ << FormatBestMove(result, with_ponder, *protocol_, written) << std::endl;
    searching_ = false;
  });
}

void EngineLoop::StartMate(const GoCommand& go) {
  go_ = go;
  go_.infinite = go.mate_ms == 0;
  BeginSearching(/*held=*/false);  // the answer is final at any time
  searcher_ = std::thread([this, ms = go.mate_ms] {
    const MateResult result = engine_->FindMate(ms);
    const auto written = [this](Move move) { return Written(move); };
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!silent_) out_ << FormatCheckmate(result, written) << std::endl;
    searching_ = false;
  });
}

void EngineLoop::BeginSearching(bool held) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    searching_ = true;
    held_ = held;
    silent_ = false;
  }
  engine_->ClearStop();
}

void EngineLoop::EndSearch(bool answer) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    held_ = false;
    silent_ = !answer;
  }
  if (engine_ != nullptr) engine_->Stop();
  released_.notify_all();
  if (searcher_.joinable()) searcher_.join();
}

bool EngineLoop::searching() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return searching_;
}

absl::Status EngineLoop::RefuseWhileSearching(std::string_view what) {
  if (!searching()) return absl::OkStatus();
  return MakeProblem(
      {.code = "searching",
       .file = {},
       .line = 0,
       .found = absl::StrCat(absl::string_view(what.data(), what.size()), " during a search"),
       .expected = "stop first"},
      absl::StatusCode::kFailedPrecondition);
}

std::string EngineLoop::Written(Move move) const {
  const std::string text = engine_->rules().Text(move);
  return ranks_from_one_ ? WithRanks(text, 1) : text;
}

std::vector<std::string> EngineLoop::Heard(std::vector<std::string> moves) const {
  if (ranks_from_one_) {
    for (std::string& move : moves) move = WithRanks(move, -1);
  }
  return moves;
}

void EngineLoop::Say(std::string_view line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  out_ << line << std::endl;
}

void EngineLoop::Remark(std::string_view text) {
  std::string line(protocol_->remark);
  line += text;
  Say(line);
}

void EngineLoop::Report(const absl::Status& status) {
  if (!status.ok()) Remark(std::string(status.message()));
}

}  // namespace joseki::usi
