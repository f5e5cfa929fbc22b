#include "engine/usi/shogi/shogi_engine.h"

#include <span>
#include <utility>

#include "absl/strings/str_cat.h"
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
      : SearchEngine(protocol, options, std::move(books.own)),
        extended_book_(std::move(books.extended)),
        partial_book_(std::move(books.partial)) {}

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
        return extended_book_ == nullptr ? absl::OkStatus() : extended_book_->Open(extended_.file);
      });
    }
    if (name == kPartialFile) {
      return TakeFile(value, kNoPartialBook, partial_file_, [&] {
        return partial_book_ == nullptr ? absl::OkStatus() : partial_book_->Open(partial_file_);
      });
    }
    if (name == kWeightsFile) return UseWeights(value.empty() ? kBuiltInWeights : value);
    return SearchEngine::SetOption(name, value, remark);
  }

  std::string TakeRoot(bool for_mate) override {
    SearchEngine::TakeRoot(for_mate);
    const bool favoured = extended_book_ != nullptr && extended_book_->Fade(extended_, root_ply_);
    search_.SetFavours(favoured ? extended_book_.get() : nullptr);
    const bool alike = partial_book_ != nullptr && !partial_book_->empty();
    search_.SetAlike(alike ? partial_book_.get() : nullptr);
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

  // Sets `file` to `value`; if `open` refuses it, to `none`.
  template <typename Open>
  static absl::Status TakeFile(std::string_view value, std::string_view none, std::string& file,
                               Open&& open) {
    const std::string before = std::exchange(file, std::string(value.empty() ? none : value));
    if (file == before) return absl::OkStatus();
    absl::Status opened = open();
    if (!opened.ok()) file = none;
    return opened;
  }

  // Loads weights; on an error the previous ones stay. Clears the table, whose values are of the
  // old weights.
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
  ExtendedBookOptions extended_;
  std::string partial_file_ = kNoPartialBook;
  std::unique_ptr<ExtendedBookPort> extended_book_;
  std::unique_ptr<PartialBookPort> partial_book_;
  std::unique_ptr<shogi::MateSolver> mate_;  // created on first use
};

}  // namespace

std::unique_ptr<GameEngine> MakeShogiEngine(const Protocol& protocol, const CommonOptions& options,
                                            ShogiBooks books) {
  return std::make_unique<ShogiEngine>(protocol, options, std::move(books));
}

}  // namespace joseki::usi
