#include "engine/learn_command.h"

#include <algorithm>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iomanip>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <span>
#include <thread>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/hash.h"
#include "base/json.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "engine/learn_lines.h"
#include "engine/learn_state.h"
#include "engine/search/shogi/engine_options.h"
#include "engine/shogi/learn/combine.h"
#include "engine/shogi/learn/sample.h"
#include "engine/shogi/learn/self_play.h"
#include "engine/shogi/learn/trainer.h"
#include "engine/shogi/packed.h"
#include "engine/shogi/sfen.h"
#include "nlohmann/json.hpp"

namespace joseki {
namespace {

using Json = nlohmann::ordered_json;

// The position at the end of a line, without its game history.
shogi::Position EndOf(const PlayedLine& line) {
  shogi::Position position = line.start;
  for (const Move move : line.moves) {
    shogi::Undo undo;
    position.Do(move, undo);
  }
  const auto alone = shogi::ParseSfen(shogi::ToSfen(position, 1));
  return alone.ok() ? alone->position : position;
}

absl::StatusOr<std::shared_ptr<const shogi::Network>> NetworkOf(const std::string& path) {
  if (path.empty()) return std::shared_ptr<const shogi::Network>();
  ASSIGN_OR_RETURN(std::unique_ptr<const shogi::Network> network, shogi::LoadNetwork(path));
  return std::shared_ptr<const shogi::Network>(std::move(network));
}

// Content of a file of samples so far: complete games, and their size in bytes.
struct Progress {
  uint64_t games = 0;
  uint64_t bytes = 0;
  std::string settings;  // hash
  bool begun = false;    // by a command before this one
};

// The progress of a command with these settings.
absl::StatusOr<Progress> ReadProgress(const std::string& path, const std::string& settings) {
  Progress progress;
  progress.settings = settings;
  absl::StatusOr<std::string> text = ReadFile(path);
  if (absl::IsNotFound(text.status())) return progress;
  RETURN_IF_ERROR(text.status());
  const std::vector<std::string> words =
      absl::StrSplit(*text, absl::ByAnyChar(" \n"), absl::SkipEmpty());
  if (words.size() < 3 || !absl::SimpleAtoi(words[0], &progress.games) ||
      !absl::SimpleAtoi(words[1], &progress.bytes)) {
    return MakeProblem({.code = "bad_state",
                        .file = path,
                        .line = 1,
                        .found = Quote(*text),
                        .expected = "games, bytes and the hash of the settings"});
  }
  RETURN_IF_ERROR(CheckSettings(path, words[2], settings));
  progress.begun = true;
  return progress;
}

absl::Status WriteProgress(const std::string& path, const Progress& progress) {
  return WriteFileAtomically(
      path, absl::StrCat(progress.games, " ", progress.bytes, " ", progress.settings, "\n"));
}

// Writes the games of several threads, which finish in any order, to the file by number.
class GameFile {
 public:
  GameFile(const std::string& path, Progress progress, std::ostream& err)
      : path_(path),
        progress_(progress),
        err_(err),
        file_(path, std::ios::binary | std::ios::app) {}

  // Waits until all but a few of the preceding games are in, so that a kill loses little. The first
  // error stays, and nothing is written after it: the state then counts what the file holds.
  absl::Status Put(uint64_t game, std::string bytes) {
    std::unique_lock lock(mutex_);
    written_.wait(lock,
                  [&] { return game < progress_.games + kMostWaiting || !written_all_.ok(); });
    waiting_.emplace(game, std::move(bytes));
    for (auto next = waiting_.begin();
         written_all_.ok() && next != waiting_.end() && next->first == progress_.games;
         next = waiting_.erase(next)) {
      written_all_ = Write(next->second);
      if (written_all_.ok() && progress_.games % 100 == 0) {
        err_ << progress_.games << " games, " << progress_.bytes / learn::kSampleBytes
             << " positions" << std::endl;
      }
    }
    written_.notify_all();
    return written_all_;
  }
  bool ok() const { return file_.good(); }

 private:
  static constexpr uint64_t kMostWaiting = 1000;

  absl::Status Write(const std::string& game) {
    file_.write(game.data(), static_cast<std::streamsize>(game.size()));
    file_.flush();
    if (!file_.good()) {
      return MakeProblem(
          {.code = "cannot_write", .file = path_, .expected = "room for the samples"});
    }
    progress_.bytes += game.size();
    ++progress_.games;
    return WriteProgress(path_ + ".state", progress_);
  }

  const std::string path_;
  std::mutex mutex_;
  std::condition_variable written_;
  Progress progress_;
  std::ostream& err_;
  std::ofstream file_;
  std::map<uint64_t, std::string> waiting_;
  absl::Status written_all_;
};

// Restores the trainer and returns the passes that it made; none if there is no such file.
absl::StatusOr<Json> ReadTraining(const std::string& path, const std::string& settings,
                                  learn::Trainer& trainer) {
  ASSIGN_OR_RETURN(const std::optional<LearnState> state, ReadLearnState(path, settings));
  if (!state) return Json::array();
  if (!state->head.contains("passes") || !state->head["passes"].is_array()) {
    return MakeProblem({.code = "bad_training_state",
                        .file = path,
                        .line = 1,
                        .expected = "a line with the passes of a training"});
  }
  RETURN_IF_ERROR(trainer.Restore(state->learner, path));
  return state->head["passes"];
}

}  // namespace

absl::Status LearnPlay(const LearnPlayArguments& arguments, std::ostream& err) {
  ASSIGN_OR_RETURN(const std::vector<PlayedLine> lines, ReadPlayedLines(arguments.starts));
  std::vector<shogi::Position> starts;
  starts.reserve(lines.size() + 1);
  for (const PlayedLine& line : lines) starts.push_back(EndOf(line));
  if (starts.empty()) starts.emplace_back();
  ASSIGN_OR_RETURN(const auto network, NetworkOf(arguments.weights));
  shogi::EngineOptions engine_options;
  engine_options.evaluation.learned_evaluation = network != nullptr ? 1 : 0;
  RETURN_IF_ERROR(SetAll(arguments.set, engine_options));
  ASSIGN_OR_RETURN(const Json start_hashes, HashesOf(arguments.starts));
  // The number of games may grow, and threads change nothing.
  const Json settings = {{"starts", start_hashes},
                         {"weights", network != nullptr ? network->sha256() : ""},
                         {"set", arguments.set},
                         {"nodes", arguments.nodes},
                         {"random_plies", arguments.random_plies},
                         {"seed", arguments.seed}};
  ASSIGN_OR_RETURN(const Progress progress,
                   ReadProgress(arguments.out + ".state", HashOfSettings(settings)));
  std::error_code error;
  const uint64_t size = std::filesystem::file_size(arguments.out, error);
  if ((error ? 0 : size) < progress.bytes) {
    return MakeProblem(
        {.code = "bad_state",
         .file = arguments.out,
         .found = absl::StrCat(error ? 0 : size, " bytes"),
         .expected = absl::StrCat(progress.bytes, " bytes, as the state beside says")});
  }
  if (!error && size > 0 && !progress.begun) {
    return MakeProblem({.code = "file_exists",
                        .file = arguments.out,
                        .found = absl::StrCat(size, " bytes, and no state beside them"),
                        .expected = "a new file, or one that this command began"});
  }
  RETURN_IF_ERROR(WriteProgress(arguments.out + ".state", progress));
  // Truncates data written after the state: its game is played again.
  if (!error) std::filesystem::resize_file(arguments.out, progress.bytes, error);

  GameFile file(arguments.out, progress, err);
  if (!file.ok()) {
    return MakeProblem(
        {.code = "cannot_write", .file = arguments.out, .expected = "a file that can be written"});
  }
  std::mutex mutex;
  uint64_t next = progress.games;
  const Rng chance(arguments.seed);
  const learn::SelfPlayOptions options{.nodes = arguments.nodes,
                                       .random_plies = arguments.random_plies};
  absl::Status all;
  auto work = [&] {
    Search<Shogi> search(size_t{4} << 20);
    engine_options.ApplyTo(search);
    if (network != nullptr) search.evaluator().UseNetwork(network);
    while (true) {
      uint64_t game = 0;
      {
        const std::lock_guard lock(mutex);
        if (next >= arguments.games || !all.ok()) return;
        game = next++;
      }
      Rng rng = chance.Split(game);
      const shogi::Position& start = starts[rng.Below(starts.size())];
      std::string bytes;
      for (const learn::Sample& sample : learn::PlaySelfPlayGame(start, options, rng, search)) {
        learn::AppendSample(sample, bytes);
      }
      if (const absl::Status put = file.Put(game, std::move(bytes)); !put.ok()) {
        const std::lock_guard lock(mutex);
        all = put;
      }
    }
  };
  std::vector<std::thread> helpers;
  for (int t = 1; t < arguments.threads; ++t) helpers.emplace_back(work);
  work();
  for (std::thread& helper : helpers) helper.join();
  return all;
}

absl::Status LearnTrain(const LearnTrainArguments& arguments, std::ostream& out) {
  std::vector<learn::Encoded> training;
  std::vector<learn::Encoded> held;
  uint64_t games = 0;
  uint64_t positions = 0;
  Json files = Json::array();
  for (const std::string& path : arguments.samples) {
    ASSIGN_OR_RETURN(const std::vector<learn::Sample> samples, learn::ReadSamples(path));
    ASSIGN_OR_RETURN(const Sha256 hash, HashOfFile(path));
    files.push_back({{"file", path}, {"sha256", Hex(hash)}, {"positions", samples.size()}});
    positions += samples.size();
    for (size_t begin = 0, end = 0; begin < samples.size(); begin = end) {
      // Plies ascend within a game.
      for (end = begin + 1; end < samples.size() && samples[end].ply > samples[end - 1].ply;) ++end;
      ++games;
      const bool apart = games % static_cast<uint64_t>(arguments.held_out) == 0;
      const std::span game(samples.data() + begin, end - begin);
      const std::vector<float> expected = learn::ExpectedScores(game, arguments.foresight);
      for (size_t i = 0; i < game.size(); ++i) {
        if (!game[i].quiet) continue;
        absl::StatusOr<learn::Encoded> encoded = learn::Encode(game[i]);
        if (!encoded.ok()) return At(encoded.status(), path);
        encoded->score = expected[i];
        (apart ? held : training).push_back(*encoded);
      }
    }
  }
  if (training.empty() || held.empty()) {
    return MakeProblem({.code = "too_few_samples",
                        .file = arguments.samples.empty() ? "" : arguments.samples.front(),
                        .found = absl::StrCat(positions, " positions of ", games, " games"),
                        .expected = "quiet positions to train with and of games to hold out"});
  }
  learn::Trainer trainer({.threads = arguments.threads,
                          .batch = static_cast<size_t>(arguments.batch),
                          .rate = arguments.rate,
                          .result_share = arguments.result_share,
                          .epochs = arguments.epochs,
                          .seed = arguments.seed});
  std::string from;  // hash of the initial weights
  if (!arguments.from.empty()) {
    ASSIGN_OR_RETURN(const std::string bytes, ReadFile(arguments.from));
    ASSIGN_OR_RETURN(const shogi::Weights weights, shogi::ReadWeights(bytes, arguments.from));
    trainer.BeginWith(weights);
    from = Hex(Sha256Of(bytes));
  }
  Json hashes = Json::array();
  for (const Json& file : files) hashes.push_back(file["sha256"]);
  const Json options = {{"seed", arguments.seed},
                        {"threads", arguments.threads},
                        {"batch", arguments.batch},
                        {"rate", arguments.rate},
                        {"result_share", arguments.result_share},
                        {"foresight", arguments.foresight},
                        {"epochs", arguments.epochs}};
  const std::string settings = HashOfSettings({{"from", from},
                                               {"samples", hashes},
                                               {"held_out", arguments.held_out},
                                               {"options", options}});
  Json passes = Json::array();
  if (!arguments.state.empty()) {
    ASSIGN_OR_RETURN(passes, ReadTraining(arguments.state, settings, trainer));
  }
  const double plain = trainer.MeasurePlain(held);
  out << games << " games, " << positions << " positions, " << training.size() << " to train with, "
      << held.size() << " of games held out, where the plain evaluation has " << plain << std::endl;
  auto write = [&]() -> absl::Status {
    const std::string bytes = shogi::WriteWeights(trainer.Rounded());
    RETURN_IF_ERROR(WriteFileAtomically(arguments.out, bytes));
    Json record = {{"schema", 1},
                   {"weights_sha256", Hex(Sha256Of(bytes))},
                   {"from", from},
                   {"samples", files},
                   {"games", games},
                   {"positions", positions},
                   {"trained", training.size()},
                   {"held_out", held.size()},
                   {"held_out_loss_of_plain", plain},
                   {"passes", passes}};
    record.update(options);
    return WriteFileAtomically(arguments.out + ".json", record.dump(1) + "\n");
  };
  // The state may be of a training that was over before its weights were written.
  if (trainer.epoch() >= arguments.epochs) return write();
  while (trainer.epoch() < arguments.epochs) {
    const learn::Loss loss = trainer.Epoch(training);
    const learn::Loss apart = trainer.Measure(held);
    out << "pass " << trainer.epoch() << ": " << loss.mean << ", held out " << apart.mean
        << std::endl;
    passes.push_back({{"pass", trainer.epoch()}, {"loss", loss.mean}, {"held_out", apart.mean}});
    if (!arguments.state.empty()) {
      RETURN_IF_ERROR(
          WriteLearnState(arguments.state, settings, {{"passes", passes}}, trainer.Save()));
    }
    RETURN_IF_ERROR(write());
  }
  return absl::OkStatus();
}

namespace {

// Samples of a game whose scores belong to its last moves, for the side to move.
absl::StatusOr<std::string> SamplesOf(const Json& json) {
  auto wrong = [](const char* field, const char* expected) {
    return MakeProblem({.code = "bad_game", .found = Quote(field), .expected = expected});
  };
  if (!json.is_object()) return wrong("a value", "an object");
  for (const char* field : {"moves", "result"}) {
    if (!json.contains(field) || !json[field].is_string()) return wrong(field, "a text");
  }
  if (!json.contains("scores") || !json["scores"].is_array()) return wrong("scores", "a list");
  const std::string result = json["result"];
  const int black = result == "first_wins" ? 1 : result == "second_wins" ? -1 : 0;
  if (black == 0 && result != "draw") {
    return wrong("result", "first_wins, second_wins or draw");
  }
  const auto moves = json["moves"].get<std::string>();
  // Lines of an archive have no start field.
  if (json.contains("start") && !json["start"].is_string()) return wrong("start", "a text");
  std::string text = json.value("start", "startpos");
  if (text != "startpos" && text.substr(0, 5) != "sfen ") text = "sfen " + text;
  if (!moves.empty()) absl::StrAppend(&text, " moves ", moves);
  ASSIGN_OR_RETURN(const PlayedLine line, ReadPlayedLine(text));
  const Json& scores = json["scores"];
  if (scores.size() > line.moves.size()) return wrong("scores", "no more than moves");
  const size_t first = line.moves.size() - scores.size();
  constexpr int kDecided = 2500;  // from here on scores are of won games, or stand for none
  shogi::Position position = line.start;
  std::string bytes;
  for (size_t i = 0; i < line.moves.size(); ++i) {
    const Move move = line.moves[i];
    if (i >= first && !position.InCheck() && scores[i - first].is_number_integer()) {
      const auto score = scores[i - first].get<int64_t>();
      const int own = position.side_to_move() == shogi::kBlack ? black : -black;
      if (score > -kDecided && score < kDecided) {
        learn::AppendSample({.position = shogi::Pack(position),
                             .score = static_cast<int16_t>(score),
                             .move = move,
                             .ply = static_cast<uint16_t>(i),
                             .result = static_cast<int8_t>(own),
                             .quiet = !Shogi::IsCapture(position, move) && !move.promotes()},
                            bytes);
      }
    }
    shogi::Undo undo;
    position.Do(move, undo);
  }
  return bytes;
}

}  // namespace

absl::Status LearnGather(const LearnGatherArguments& arguments, std::ostream& out) {
  std::string samples;
  uint64_t games = 0;
  uint64_t skipped = 0;
  auto add = [&](const Json& game) -> absl::Status {
    // Games that ended in a fault say nothing of a position.
    if (game.is_object() && game.value("result", Json()) == Json("none")) {
      ++skipped;
      return absl::OkStatus();
    }
    ASSIGN_OR_RETURN(const std::string bytes, SamplesOf(game));
    samples += bytes;
    ++games;
    return absl::OkStatus();
  };
  for (const std::string& path : arguments.games) {
    ASSIGN_OR_RETURN(const std::string text, ReadFile(path));
    int number = 0;
    const std::vector<std::string> rows = absl::StrSplit(text, '\n');
    for (const std::string& row : rows) {
      ++number;
      if (row.empty()) continue;
      const Json json = ParseJson<Json>(row);
      if (json.is_discarded()) {
        return MakeProblem({.code = "bad_game",
                            .file = path,
                            .line = number,
                            .found = Quote(row),
                            .expected = "an object of JSON on one line"});
      }
      absl::Status added;
      if (json.is_object() && json.contains("games") && json["games"].is_array()) {
        for (const Json& game : json["games"]) {
          if (added.ok()) added = add(game);
        }
      } else {
        added = add(json);
      }
      if (!added.ok()) return At(added, path, number);
    }
  }
  out << games << " games, " << samples.size() / learn::kSampleBytes << " positions, " << skipped
      << " games without a result left out" << std::endl;
  return WriteFileAtomically(arguments.out, samples);
}

absl::Status LearnCombine(const LearnCombineArguments& arguments, std::ostream& out) {
  learn::CombinationMiner miner;
  uint64_t positions = 0;
  for (const std::string& path : arguments.samples) {
    ASSIGN_OR_RETURN(const std::vector<learn::Sample> samples, learn::ReadSamples(path));
    for (const learn::Sample& sample : samples) {
      if (const absl::Status added = miner.Add(sample); !added.ok()) return At(added, path);
      positions += sample.quiet ? 1 : 0;
    }
  }
  const std::vector<learn::FoundCombination> found = miner.Found(
      {.least_positions = arguments.least_positions, .most = static_cast<size_t>(arguments.most)});
  out << positions << " quiet positions, " << found.size() << " pairs" << std::endl;
  return WriteFileAtomically(
      arguments.out,
      learn::CombinationsHeader(found, absl::StrCat(positions, " quiet positions of self-play")));
}

absl::Status LearnAgree(const LearnAgreeArguments& arguments, std::ostream& out) {
  ASSIGN_OR_RETURN(const std::vector<PlayedLine> lines, ReadPlayedLines(arguments.games));
  ASSIGN_OR_RETURN(const auto network, NetworkOf(arguments.weights));
  Search<Shogi> search(size_t{4} << 20);
  search.evaluator().SetOptions({.learned_evaluation = arguments.plain ? 0 : 1});
  if (network != nullptr) search.evaluator().UseNetwork(network);
  uint64_t positions = 0;
  uint64_t agreed = 0;
  for (const PlayedLine& line : lines) {
    shogi::Position position = line.start;
    search.NewGame();
    for (const Move move : line.moves) {
      SearchLimits limits;
      limits.nodes = arguments.nodes;
      ++positions;
      agreed += search.Run(position, limits).best == move ? 1 : 0;
      shogi::Undo undo;
      position.Do(move, undo);
    }
  }
  out << "games      " << lines.size() << "\npositions  " << positions << "\nagreed     " << agreed
      << "\nshare      " << std::fixed << std::setprecision(4)
      << static_cast<double>(agreed) / static_cast<double>(std::max<uint64_t>(positions, 1))
      << std::endl;
  return absl::OkStatus();
}

}  // namespace joseki
