#include "engine/usi/shogi/shogi_engine.h"

#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/rng.h"
#include "engine/search/shogi/kit.h"
#include "engine/shogi/mate/mate_solver.h"
#include "engine/usi/option_lines.h"
#include "engine/usi/search_engine.h"

namespace joseki::usi {
namespace {

struct ExtendedSpin {
  const char* name;
  int ExtendedBookOptions::*field;
  int least;
  int most;
};
constexpr ExtendedSpin kExtendedSpins[] = {
    {"ExtendedBookPlies", &ExtendedBookOptions::plies, 1, 1000},
    {"ExtendedBookPercent", &ExtendedBookOptions::percent, 0, 1000},
};
constexpr char kExtendedFile[] = "ExtendedBook";
constexpr char kWeightsFile[] = "WeightsFile";
constexpr char kPartialFile[] = "PartialBook";

class ShogiEngine final : public SearchEngine<ShogiKit> {
 public:
  ShogiEngine(const Protocol& protocol, const CommonOptions& options, ShogiBooks books)
      : SearchEngine(protocol, options),
        books_(std::move(books)),
        chance_(static_cast<uint64_t>(book_.seed)) {}

  std::string DeclareOptions() const override {
    const shogi::EngineOptions engine;
    const ExtendedBookOptions extended;
    std::string text = SearchEngine::DeclareOptions() +
                       TableLines(protocol_, shogi::EvaluationOptionTable(), engine.evaluation) +
                       TableLines(protocol_, SearchOptionTable(), engine.search) +
                       FileLine(protocol_, kWeightsFile, kBuiltInWeights) +
                       FileLine(protocol_, kPartialFile, kNoPartialBook) +
                       FileLine(protocol_, kExtendedFile, extended.file);
    for (const ExtendedSpin& spin : kExtendedSpins) {
      text += SpinLine(protocol_, spin.name, extended.*spin.field, spin.least, spin.most);
    }
    return text + DeclareBookOptions(protocol_);
  }

  absl::Status SetOption(std::string_view name, std::string_view value,
                         std::string& remark) override {
    for (const ExtendedSpin& spin : kExtendedSpins) {
      if (name != spin.name) continue;
      ASSIGN_OR_RETURN(extended_.*spin.field,
                       OptionNumber(name, value, false, spin.least, spin.most));
      return absl::OkStatus();
    }
    if (name == kExtendedFile) {
      return TakeFile(value, ExtendedBookOptions().file, extended_.file, [&] {
        return books_.extended == nullptr ? absl::OkStatus()
                                          : books_.extended->Open(extended_.file);
      });
    }
    if (name == kPartialFile) {
      return TakeFile(value, kNoPartialBook, partial_file_, [&] {
        return books_.partial == nullptr ? absl::OkStatus() : books_.partial->Open(partial_file_);
      });
    }
    if (name == kWeightsFile) return UseWeights(value.empty() ? kBuiltInWeights : value);
    if (IsBookOption(name)) return SetOwnBook(name, value, remark);
    return SearchEngine::SetOption(name, value, remark);
  }

  std::string TakeRoot(bool for_mate) override {
    SearchEngine::TakeRoot(for_mate);
    const bool favoured = books_.extended != nullptr && books_.extended->Fade(extended_, root_ply_);
    search_.SetFavours(favoured ? books_.extended.get() : nullptr);
    const bool alike = books_.partial != nullptr && !books_.partial->empty();
    search_.SetAlike(alike ? books_.partial.get() : nullptr);
    if (!for_mate || mate_ != nullptr) return "";
    size_t bytes = TableBytes();
    for (; !CheckMemory(protocol_.hash_option, bytes).ok(); bytes /= 2) {
    }
    mate_ = std::make_unique<shogi::MateSolver>(bytes);
    if (bytes == TableBytes()) return "";
    const absl::string_view option(protocol_.hash_option.data(), protocol_.hash_option.size());
    return absl::StrCat(option, ": a table of ", bytes >> 20,
                        " MiB for mates, as there is no memory for more");
  }

  // A position that came up before is the search's: so no book brings about a repetition.
  std::optional<BookReply> AskBook() override {
    if (books_.own == nullptr || root_.CheckRepetition(2) != Repetition::kNone) return std::nullopt;
    return books_.own->Ask(root_, root_ply_, book_, chance_.Next());
  }

  MateResult FindMate(int64_t ms) override { return mate_->Run(root_, {.nodes = 0, .ms = ms}); }
  void Stop() override {
    SearchEngine::Stop();
    if (mate_ != nullptr) mate_->Stop();
  }
  void ClearStop() override {
    SearchEngine::ClearStop();
    if (mate_ != nullptr) mate_->ClearStop();
  }

 private:
  void ResizeTables() override {
    SearchEngine::ResizeTables();
    mate_.reset();
  }

  // `file` becomes what `value` says; where `open` refuses that, it becomes `none`.
  template <typename Open>
  static absl::Status TakeFile(std::string_view value, std::string_view none, std::string& file,
                               Open&& open) {
    const std::string before = std::exchange(file, std::string(value.empty() ? none : value));
    if (file == before) return absl::OkStatus();
    absl::Status opened = open();
    if (!opened.ok()) file = none;
    return opened;
  }

  absl::Status SetOwnBook(std::string_view name, std::string_view value, std::string& remark) {
    const BookOptions before = book_;
    RETURN_IF_ERROR(SetBookOption(name, value, book_));
    if (book_.seed != before.seed) chance_ = Rng(static_cast<uint64_t>(book_.seed));
    if (book_.file == before.file || books_.own == nullptr) return absl::OkStatus();
    absl::Status opened = books_.own->Open(book_.file);
    if (opened.ok()) {
      remark = books_.own->Remark();
    } else {
      book_.file = BookOptions().file;
    }
    return opened;
  }

  // Those before stay where a file is refused. What the table holds was valued by other weights.
  absl::Status UseWeights(std::string_view file) {
    if (file == weights_file_) return absl::OkStatus();
    std::shared_ptr<const shogi::Network> network;
    if (file != kBuiltInWeights) {
      ASSIGN_OR_RETURN(network, shogi::LoadNetwork(std::string(file)));
    }
    weights_file_ = file;
    search_.evaluator().UseNetwork(std::move(network));
    search_.NewGame();
    return absl::OkStatus();
  }

  std::string weights_file_ = kBuiltInWeights;
  BookOptions book_;
  ExtendedBookOptions extended_;
  std::string partial_file_ = kNoPartialBook;
  ShogiBooks books_;
  Rng chance_;
  std::unique_ptr<shogi::MateSolver> mate_;  // made when it is first wanted
};

}  // namespace

std::unique_ptr<GameEngine> MakeShogiEngine(const Protocol& protocol, const CommonOptions& options,
                                            ShogiBooks books) {
  return std::make_unique<ShogiEngine>(protocol, options, std::move(books));
}

}  // namespace joseki::usi
