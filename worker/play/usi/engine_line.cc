#include "worker/play/usi/engine_line.h"

#include <algorithm>
#include <span>
#include <vector>

#include "absl/strings/numbers.h"
#include "engine/core/value.h"

namespace joseki::worker {
namespace {

constexpr size_t kMostTextBytes = 200;
constexpr int kMostScore = 32767;
constexpr int kMostMultiPv = 1000;

std::vector<std::string_view> WordsOf(std::string_view line) {
  std::vector<std::string_view> words;
  constexpr std::string_view kSpaces = " \t\r";
  for (size_t at = line.find_first_not_of(kSpaces); at != std::string_view::npos;) {
    const size_t end = std::min(line.find_first_of(kSpaces, at), line.size());
    words.push_back(line.substr(at, end - at));
    at = line.find_first_not_of(kSpaces, end);
  }
  return words;
}

using Words = std::span<const std::string_view>;

template <typename Number>
std::optional<Number> NumberOf(std::string_view word) {
  Number number = 0;
  if (!absl::SimpleAtoi(absl::string_view(word.data(), word.size()), &number)) return std::nullopt;
  return number;
}

// The score of a mate: "mate 5", "mate -4"; in "mate +" and "mate -" the number is unknown.
std::optional<int> MateScore(std::string_view word, bool in_moves) {
  if (word.empty()) return std::nullopt;
  const bool mated = word.front() == '-';
  const bool signed_word = mated || word.front() == '+';
  const std::string_view digits = word.substr(signed_word ? 1 : 0);
  std::optional<int> plies = signed_word && digits.empty() ? kMaxPly : NumberOf<int>(digits);
  if (!plies || *plies < 0) return std::nullopt;
  plies = std::min(*plies, 2000);
  if (in_moves) plies = std::max(0, 2 * *plies - (mated ? 0 : 1));
  return mated ? MatedIn(*plies) : MateIn(*plies);
}

std::optional<int> ScoreOf(std::string_view kind, std::string_view value, bool mates_in_moves) {
  if (kind == "mate") return MateScore(value, mates_in_moves);
  if (kind != "cp") return std::nullopt;
  const std::optional<int> score = NumberOf<int>(value);
  if (!score) return std::nullopt;
  return std::clamp(*score, -kMostScore, kMostScore);
}

EngineInfo InfoOf(Words words, bool mates_in_moves) {
  EngineInfo info;
  for (size_t i = 0; i < words.size(); ++i) {
    const std::string_view next = i + 1 < words.size() ? words[i + 1] : std::string_view();
    if (words[i] == "string") break;  // free text follows
    if (words[i] == "pv") {
      info.move = next.substr(0, kMostTextBytes);
      break;  // always the last item
    }
    if (words[i] == "nodes") {
      info.nodes = NumberOf<uint64_t>(next);
    } else if (words[i] == "depth") {
      info.depth = NumberOf<uint32_t>(next);
    } else if (words[i] == "multipv") {
      info.multipv = std::clamp(NumberOf<int>(next).value_or(1), 1, kMostMultiPv);
    } else if (words[i] == "score") {
      // UCCI gives the bare number.
      info.score = NumberOf<int>(next)    ? ScoreOf("cp", next, false)
                   : i + 2 < words.size() ? ScoreOf(next, words[i + 2], mates_in_moves)
                                          : std::nullopt;
    }
  }
  return info;
}

std::string Join(Words words) {
  std::string text;
  for (const std::string_view word : words) {
    if (!text.empty()) text += ' ';
    text += word;
  }
  return text.substr(0, kMostTextBytes);
}

}  // namespace

EngineLine ParseEngineLine(std::string_view line, bool mates_in_moves) {
  using Kind = EngineLine::Kind;
  const std::vector<std::string_view> all = WordsOf(line);
  const Words words(all);
  if (words.empty()) return {};
  const std::string_view first = words[0];
  const std::string_view second = words.size() > 1 ? words[1] : std::string_view();
  EngineLine parsed;
  if (first == "info") {
    parsed.kind = Kind::kInfo;
    parsed.info = InfoOf(words.subspan(1), mates_in_moves);
  } else if (first == "bestmove") {
    parsed.kind = Kind::kBestMove;
    parsed.text = second.substr(0, kMostTextBytes);
  } else if (first == "nobestmove") {
    parsed.kind = Kind::kBestMove;
    parsed.text = "resign";
  } else if ((first == "usiok" || first == "uciok" || first == "ucciok") && words.size() == 1) {
    parsed.kind = Kind::kOk;
  } else if (first == "readyok" && words.size() == 1) {
    parsed.kind = Kind::kReadyOk;
  } else if (first == "id" && second == "name") {
    parsed.kind = Kind::kName;
    parsed.text = Join(words.subspan(2));
  } else if (first == "option") {
    // UCCI omits "name". A name may have spaces: it extends up to "type".
    const auto name = words.begin() + (second == "name" ? 2 : 1);
    const auto type = std::find(name, words.end(), std::string_view("type"));
    if (type != words.end()) parsed.text = Join({name, type});
    if (!parsed.text.empty()) parsed.kind = Kind::kOption;
  }
  return parsed;
}

}  // namespace joseki::worker
