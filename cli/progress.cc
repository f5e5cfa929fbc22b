#include "cli/progress.h"

#include <unistd.h>

#include <ostream>

#include "absl/strings/str_cat.h"
#include "cli/words/phrases.h"
#include "cli/words/words.h"

namespace joseki::cli {

Progress::Progress(std::ostream& out, const Clock& clock, Options options)
    : out_(out), clock_(clock), options_(options), began_(clock.Now()), what_began_(began_) {}

Progress::Options Progress::ForStandardError(const Voice& voice) {
  return {.terminal = isatty(STDERR_FILENO) != 0, .voice = voice};
}

Progress::~Progress() { Clear(); }

void Progress::Update(const std::string& what, uint64_t done, uint64_t total,
                      const std::string& detail) {
  const absl::Time now = clock_.Now();
  if (what != what_) {
    what_ = what;
    what_began_ = now;
  }
  const absl::Duration every = options_.terminal ? options_.terminal_every : options_.plain_every;
  if (now - began_ < options_.quiet || now - last_ < every) return;
  last_ = now;
  std::string line = what;
  const double seconds = absl::ToDoubleSeconds(now - what_began_);
  if (total > 0) absl::StrAppend(&line, " ", done * 100 / total, " %");
  if (!detail.empty()) absl::StrAppend(&line, options_.voice.Say(phrase::kComma), detail);
  if (total > done && done > 0 && seconds > 0) {
    const double rest = seconds * static_cast<double>(total - done) / static_cast<double>(done);
    line += options_.voice.Say(phrase::kLeft, DurationText(options_.voice, absl::Seconds(rest)));
  }
  if (options_.terminal) {
    const size_t width = Columns(line);
    if (width < live_width_) line.append(live_width_ - width, ' ');
    live_width_ = width;
    out_ << "\r" << line << std::flush;
  } else {
    out_ << line << std::endl;
  }
}

void Progress::Clear() {
  if (live_width_ == 0) return;
  out_ << "\r" << std::string(live_width_, ' ') << "\r" << std::flush;
  live_width_ = 0;
}

}  // namespace joseki::cli
