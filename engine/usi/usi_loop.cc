#include "engine/usi/usi_loop.h"

#include <algorithm>
#include <istream>
#include <optional>
#include <ostream>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/memory.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/search/table_memory.h"
#include "engine/shogi/sfen.h"
#include "engine/usi/time_control.h"

namespace joseki::usi {
namespace {

constexpr char kHash[] = "USI_Hash";

size_t TableBytes(const Options& options) { return static_cast<size_t>(options.hash_mb) << 20; }

uint64_t MemoryOf(const Options& options) {
  return TableMemory(options.hash_mb, options.engine.search);
}

// The legal moves that `wanted` does not name.
absl::StatusOr<std::vector<Move>> AllBut(const shogi::Position& position,
                                         const std::vector<std::string>& wanted) {
  std::vector<Move> keep;
  for (const std::string& text : wanted) {
    ASSIGN_OR_RETURN(const Move move, shogi::ParseMove(position, text));
    keep.push_back(move);
  }
  shogi::MoveList legal;
  position.Generate<GenType::kAll>(legal);
  std::vector<Move> excluded;
  for (const Move move : legal) {
    if (std::find(keep.begin(), keep.end(), move) == keep.end()) excluded.push_back(move);
  }
  return excluded;
}

}  // namespace

UsiLoop::UsiLoop(std::istream& in, std::ostream& out, const Options& options,
                 std::unique_ptr<OwnBook> book, std::unique_ptr<ExtendedBookPort> extended,
                 std::unique_ptr<PartialBookPort> partial)
    : in_(in),
      options_(options),
      book_(std::move(book)),
      extended_(std::move(extended)),
      partial_(std::move(partial)),
      book_chance_(static_cast<uint64_t>(options.book.seed)),
      search_(TableBytes(options)),
      out_(out) {
  options_.engine.ApplyTo(search_);
  search_.SetThreads(options_.threads);
  // Reading a line would flush the output beside the searching thread that writes to it, and lines
  // would come out twice.
  in_.tie(nullptr);
}

UsiLoop::~UsiLoop() { EndSearch(/*answer=*/false); }

void UsiLoop::Run() {
  std::string line;
  while (std::getline(in_, line)) {
    if (!Handle(line)) {
      EndSearch(/*answer=*/false);
      return;
    }
  }
  if (go_.infinite || go_.ponder) EndSearch(/*answer=*/true);
  if (searcher_.joinable()) searcher_.join();
}

bool UsiLoop::Handle(std::string_view line) {
  WordList words = Words(line);
  if (words.empty()) return true;
  const std::string_view command = words[0];
  words.erase(words.begin());

  if (command == "quit") return false;
  if (command == "usi") {
    DeclareEngine();
  } else if (command == "isready") {
    Say("readyok");
  } else if (command == "setoption") {
    Report(SetOption(words));
  } else if (command == "usinewgame") {
    Report(NewGame());
  } else if (command == "position") {
    Report(SetPosition(words));
  } else if (command == "go") {
    Report(Go(words));
  } else if (command == "stop") {
    EndSearch(/*answer=*/true);
  } else if (command == "ponderhit") {
    PonderHit();
  } else if (command == "gameover") {
    EndSearch(/*answer=*/false);
  } else {
    Say(absl::StrCat("info string unknown command ", Quote(command)));
  }
  return true;
}

void UsiLoop::DeclareEngine() {
  Say(absl::StrCat("id name Joseki\nid author the Joseki authors\n", DeclareOptions(), "usiok"));
}

absl::Status UsiLoop::SetOption(const WordList& words) {
  ASSIGN_OR_RETURN(const OptionCommand command, ParseOption(words));
  RETURN_IF_ERROR(RefuseWhileSearching("setoption"));
  const int hash_mb = options_.hash_mb;
  const BookOptions book = options_.book;
  const std::string extended = options_.extended.file;
  const std::string partial = options_.partial_file;
  const std::string weights = options_.weights_file;
  Options changed = options_;
  RETURN_IF_ERROR(changed.Set(command.name, command.value));
  // Or the table stays as it is.
  RETURN_IF_ERROR(CheckMemory(kHash, MemoryOf(changed), MemoryOf(options_)));
  options_ = std::move(changed);
  if (searcher_.joinable()) searcher_.join();
  options_.engine.ApplyTo(search_);
  search_.SetThreads(options_.threads);
  if (options_.book.seed != book.seed) {
    book_chance_ = Rng(static_cast<uint64_t>(options_.book.seed));
  }
  if (options_.book.file != book.file && book_ != nullptr) {
    const absl::Status opened = book_->Open(options_.book.file);
    if (!opened.ok()) {
      options_.book.file = BookOptions().file;
      return opened;
    }
    if (const std::string remark = book_->Remark(); !remark.empty()) {
      Say(absl::StrCat("info string ", remark));
    }
  }
  if (options_.extended.file != extended && extended_ != nullptr) {
    const absl::Status opened = extended_->Open(options_.extended.file);
    if (!opened.ok()) {
      options_.extended.file = ExtendedBookOptions().file;
      return opened;
    }
  }
  if (options_.partial_file != partial && partial_ != nullptr) {
    const absl::Status opened = partial_->Open(options_.partial_file);
    if (!opened.ok()) {
      options_.partial_file = kNoPartialBook;
      return opened;
    }
  }
  if (options_.weights_file != weights) {
    const absl::Status used = UseWeights();
    if (!used.ok()) {
      options_.weights_file = weights;
      return used;
    }
  }
  if (options_.hash_mb != hash_mb) {
    search_.ResizeTable(TableBytes(options_));
    mate_.reset();
  }
  return absl::OkStatus();
}

// What the table holds was valued by other weights.
absl::Status UsiLoop::UseWeights() {
  std::shared_ptr<const shogi::Network> network;
  if (options_.weights_file != kBuiltInWeights) {
    ASSIGN_OR_RETURN(network, shogi::LoadNetwork(options_.weights_file));
  }
  search_.evaluator().UseNetwork(std::move(network));
  search_.NewGame();
  return absl::OkStatus();
}

absl::Status UsiLoop::NewGame() {
  RETURN_IF_ERROR(RefuseWhileSearching("usinewgame"));
  search_.NewGame();
  return absl::OkStatus();
}

// All or nothing: after an illegal move the position is the one before the command.
absl::Status UsiLoop::SetPosition(const WordList& words) {
  ASSIGN_OR_RETURN(const PositionCommand command, ParsePosition(words));
  ASSIGN_OR_RETURN(shogi::SfenPosition start, shogi::ParseSfen(command.start));
  shogi::Position& position = start.position;
  for (const std::string& text : command.moves) {
    ASSIGN_OR_RETURN(const Move move, shogi::ParseMove(position, text));
    shogi::Undo undo;
    position.Do(move, undo);
  }
  position_ = std::move(position);
  ply_ = start.ply + static_cast<int>(command.moves.size());
  return absl::OkStatus();
}

absl::Status UsiLoop::Go(const WordList& words) {
  ASSIGN_OR_RETURN(const GoCommand go, ParseGo(words));
  RETURN_IF_ERROR(RefuseWhileSearching("go"));
  std::vector<Move> excluded;
  if (!go.search_moves.empty()) {
    ASSIGN_OR_RETURN(excluded, AllBut(position_, go.search_moves));
  }
  if (searcher_.joinable()) searcher_.join();
  root_ = position_;
  excluded_ = std::move(excluded);
  if (go.mate) {
    StartMate(go);
  } else if (!PlayFromBook(go)) {
    StartSearch(go);
  }
  return absl::OkStatus();
}

// An analysis is of the search alone, and a position that came up before is the search's too: so no
// book brings about a repetition.
bool UsiLoop::PlayFromBook(const GoCommand& go) {
  const bool endless = go.nodes == 0 && go.depth == 0 && go.movetime == 0 && !go.has_clock;
  if (book_ == nullptr || go.infinite || go.ponder || endless || !go.search_moves.empty() ||
      root_.CheckRepetition(2) != Repetition::kNone) {
    return false;
  }
  const std::optional<BookReply> reply =
      book_->Ask(root_, ply_, options_.book, book_chance_.Next());
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
  Say(absl::StrCat("info string book\n", FormatInfo(info), "\n",
                   FormatBestMove(result, options_.ponder)));
  return true;
}

// The opponent has played what was expected: the clock runs now. The search begins again with its
// limits; what pondering has found stands in the table.
void UsiLoop::PonderHit() {
  if (!searching() || !go_.ponder) {
    Say("info string ponderhit without a ponder search");
    return;
  }
  EndSearch(/*answer=*/false);
  GoCommand go = go_;
  go.ponder = false;
  StartSearch(go);
}

// Searches root_. REQUIRES: searcher_ is joined.
void UsiLoop::StartSearch(const GoCommand& go) {
  go_ = go;
  SearchLimits limits = LimitsFor(go_, root_.side_to_move());
  limits.excluded = excluded_;
  limits.lines = options_.multi_pv;
  const bool endless = limits.nodes == 0 && limits.depth == 0 && limits.hard_ms == 0;
  go_.infinite = go_.infinite || (endless && !go_.ponder);
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    searching_ = true;
    held_ = go_.infinite || go_.ponder;
    silent_ = false;
  }
  search_.ClearStop();
  const bool favoured = extended_ != nullptr && extended_->Fade(options_.extended, ply_);
  search_.SetFavours(favoured ? extended_.get() : nullptr);
  search_.SetAlike(partial_ != nullptr && !partial_->empty() ? partial_.get() : nullptr);
  searcher_ = std::thread([this, limits, with_ponder = options_.ponder] {
    const SearchResult result = search_.Run(root_, limits, [this](const SearchInfo& info) {
      const std::lock_guard<std::mutex> lock(mutex_);
      if (!silent_) out_ << FormatInfo(info) << std::endl;
    });
    std::unique_lock<std::mutex> lock(mutex_);
    released_.wait(lock, [this] { return !held_; });
    if (!silent_) out_ << FormatBestMove(result, with_ponder) << std::endl;
    searching_ = false;
  });
}

void UsiLoop::StartMate(const GoCommand& go) {
  if (mate_ == nullptr) {
    size_t bytes = TableBytes(options_);
    for (; !CheckMemory(kHash, bytes).ok(); bytes /= 2) {
    }
    if (bytes != TableBytes(options_)) {
      Say(absl::StrCat("info string ", kHash, ": a table of ", bytes >> 20,
                       " MiB for mates, as there is no memory for more"));
    }
    mate_ = std::make_unique<shogi::MateSolver>(bytes);
  }
  go_ = go;
  go_.infinite = go.mate_ms == 0;
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    searching_ = true;
    held_ = false;  // the answer is final whenever it comes
    silent_ = false;
  }
  mate_->ClearStop();
  searcher_ = std::thread([this, limits = shogi::MateLimits{.ms = go.mate_ms}] {
    const shogi::MateResult result = mate_->Run(root_, limits);
    const std::lock_guard<std::mutex> lock(mutex_);
    if (!silent_) out_ << FormatCheckmate(result) << std::endl;
    searching_ = false;
  });
}

void UsiLoop::EndSearch(bool answer) {
  {
    const std::lock_guard<std::mutex> lock(mutex_);
    held_ = false;
    silent_ = !answer;
  }
  search_.Stop();
  if (mate_ != nullptr) mate_->Stop();
  released_.notify_all();
  if (searcher_.joinable()) searcher_.join();
}

bool UsiLoop::searching() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return searching_;
}

absl::Status UsiLoop::RefuseWhileSearching(std::string_view what) {
  if (!searching()) return absl::OkStatus();
  return MakeProblem(
      {.code = "searching",
       .file = {},
       .line = 0,
       .found = absl::StrCat(absl::string_view(what.data(), what.size()), " during a search"),
       .expected = "stop first"},
      absl::StatusCode::kFailedPrecondition);
}

void UsiLoop::Say(std::string_view line) {
  const std::lock_guard<std::mutex> lock(mutex_);
  out_ << line << std::endl;
}

void UsiLoop::Report(const absl::Status& status) {
  if (!status.ok()) Say(absl::StrCat("info string ", std::string(status.message())));
}

}  // namespace joseki::usi
