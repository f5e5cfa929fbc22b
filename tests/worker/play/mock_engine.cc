// A USI engine that misbehaves on demand, for the tests of the player of external engines:
//   mock_engine [FAULT [PLY]]
// It plays the first legal move (of searchmoves, if given) and reports 10 searched nodes. FAULT
// applies from the first search at PLY plies on, or from the start if it concerns the start:
//   no-usiok no-readyok           never sends it
//   crash exit stall              ends by a signal, with status 3, or never answers
//   flood                         writes without end and never answers
//   late                          answers after a while
//   garbage huge-line             writes nonsense, or a line of 10 MB, and then answers
//   illegal empty word            names an illegal move, none, or something else
//   resign win                    resigns, or claims a win
//   two-bestmoves                 answers twice
//   talks-on                      writes 12,000 lines behind the answer
//   close-stdout                  keeps running with its output closed
//   deaf                          stops reading and never answers
//   ignore-quit                   keeps running after "quit" and the end of its input
//   after-stop                    answers only after "stop"
//   child                         has a child that would outlive it, and keeps running after "quit"
//   stderr                        writes 1 MB to stderr before each answer
//   at-drops                      writes drops as P@5e, plays one if it can, ends at P*5e
//   moody                         plays the last legal move at every second question
//   mute                          gives no scores

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "engine/shogi/sfen.h"
#include "engine/usi/usi_text.h"

namespace joseki {
namespace {

using WordList = std::vector<std::string_view>;

class Mock {
 public:
  Mock(std::string fault, size_t ply) : fault_(std::move(fault)), ply_(ply) {}

  int Run() {
    if (fault_ == "child" && fork() == 0) {
      for (;;) pause();
    }
    std::string line;
    while (std::getline(std::cin, line)) {
      WordList words = usi::Words(line);
      if (words.empty()) continue;
      const std::string_view command = words[0];
      words.erase(words.begin());
      if (command == "quit" && fault_ != "ignore-quit" && fault_ != "child") return 0;
      Handle(command, words);
    }
    if (fault_ == "ignore-quit" || fault_ == "child") {
      for (;;) pause();
    }
    return 0;
  }

 private:
  bool Is(std::string_view fault) const { return fault_ == fault && moves_.size() >= ply_; }

  static void Say(const std::string& line) { std::cout << line << std::endl; }

  void Handle(std::string_view command, const WordList& words) {
    if (command == "usi") {
      Say("id name Mock 1\nid author nobody");
      Say("option name USI_Hash type spin default 16 min 1 max 1024");
      Say("option name MultiPV type spin default 1 min 1 max 600");
      Say("option name Own Book type check default true");
      if (fault_ != "no-usiok") Say("usiok");
    } else if (command == "isready") {
      if (fault_ != "no-readyok") Say("readyok");
    } else if (command == "setoption") {
      const auto option = usi::ParseOption(words);
      if (option.ok() && option->name == "MultiPV") lines_ = std::atoi(option->value.c_str());
      std::cerr << "set " << (option.ok() ? option->name + "=" + option->value : "?") << std::endl;
    } else if (command == "position") {
      SetPosition(words);
    } else if (command == "go") {
      Go(words);
    } else if (command == "stop" && waiting_) {
      waiting_ = false;
      Answer();
    }
  }

  void SetPosition(const WordList& words) {
    const auto command = usi::ParsePosition(words);
    if (!command.ok()) std::abort();
    auto start = shogi::ParseSfen(command->start);
    if (!start.ok()) std::abort();
    position_ = start->position;
    moves_ = command->moves;
    for (std::string text : moves_) {
      if (fault_ == "at-drops") {
        if (text.find('*') != std::string::npos) std::exit(3);
        std::replace(text.begin(), text.end(), '@', '*');
      }
      const auto move = shogi::ParseMove(position_, text);
      if (!move.ok()) std::abort();
      shogi::Undo undo;
      position_.Do(*move, undo);
    }
  }

  void Go(const WordList& words) {
    const auto go = usi::ParseGo(words);
    wanted_.clear();
    if (go.ok()) wanted_ = go->search_moves;
    if (Is("crash")) std::abort();
    if (Is("exit")) {
      std::cerr << "out of ideas" << std::endl;
      std::exit(3);
    }
    if (Is("stall")) return;
    if (Is("deaf")) {
      for (;;) pause();
    }
    if (Is("flood")) {
      for (;;) Say("info depth 1 score cp 0");
    }
    if (Is("close-stdout")) {
      close(STDOUT_FILENO);
      for (;;) pause();
    }
    if (Is("after-stop")) {
      waiting_ = true;
      return;
    }
    Answer();
  }

  std::vector<std::string> Choices() const {
    if (!wanted_.empty()) return wanted_;
    shogi::MoveList legal;
    position_.Generate<GenType::kAll>(legal);
    std::vector<std::string> choices;
    for (const Move move : legal) choices.push_back(shogi::ToUsi(move));
    if (Is("at-drops")) {
      const auto is_drop = [](const std::string& move) { return move[1] == '*'; };
      std::stable_partition(choices.begin(), choices.end(), is_drop);
      for (std::string& move : choices) std::replace(move.begin(), move.end(), '*', '@');
    }
    return choices;
  }

  void Answer() {
    if (Is("late")) std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (Is("garbage")) {
      std::cout << std::string("\0\xff\x80 \x01 bestmove\rbestmove\n\n \r\nreadyok\nusiok\n", 42);
      Say("info score cp score mate pv");
      Say("option name");
      Say("info depth nodes -3 score cp 99999999999999999999");
    }
    if (Is("huge-line")) Say("info string " + std::string(10'000'000, 'x'));
    if (Is("stderr")) std::cerr << std::string(1'000'000, 'e') << std::endl;
    if (Is("illegal")) return Say("bestmove 5e5d");
    if (Is("empty")) return Say("bestmove");
    if (Is("word")) return Say("bestmove (none)");
    if (Is("resign")) return Say("bestmove resign");
    if (Is("win")) return Say("bestmove win");
    const std::vector<std::string> choices = Choices();
    if (choices.empty()) return Say("bestmove resign");
    const bool last = Is("moody") && ++answers_ % 2 == 0;
    const size_t lines = Is("mute") ? 0 : std::min(choices.size(), static_cast<size_t>(lines_));
    for (size_t i = 0; i < lines; ++i) {
      Say("info depth 1 multipv " + std::to_string(i + 1) + " score cp " +
          std::to_string(7 - static_cast<int>(i)) + " nodes 10 pv " + choices[i]);
    }
    const std::string answer = "bestmove " + (last ? choices.back() : choices.front());
    // A single write, so that a reader of the first answer also has the rest.
    std::string after;
    if (Is("two-bestmoves")) after = "\n" + answer;
    for (int i = 0; Is("talks-on") && i < 12'000; ++i) after += "\ninfo";
    Say(answer + after);
  }

  const std::string fault_;
  const size_t ply_;
  shogi::Position position_;
  std::vector<std::string> moves_;
  std::vector<std::string> wanted_;
  int lines_ = 1;
  int answers_ = 0;
  bool waiting_ = false;
};

}  // namespace
}  // namespace joseki

int main(int argc, char** argv) {
  // Whatever a test forgets: nothing outlives it for long.
  alarm(300);
  return joseki::Mock(argc > 1 ? argv[1] : "", argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0)
      .Run();
}
