#include "base/settings_file.h"

#include <algorithm>
#include <fstream>
#include <optional>
#include <set>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "base/problem.h"
#include "base/status_macros.h"

namespace joseki {
namespace {

constexpr size_t kMostBytes = size_t{1} << 20;
constexpr size_t kDeepest = 8;

bool IsBare(char c) {
  return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '-' || c == '_';
}
// Characters of numbers, true and false.
bool IsPlain(char c) { return IsBare(c) || c == '+' || c == '.' || c == ':'; }

class SettingsParser {
 public:
  SettingsParser(std::string_view text, const std::string& path) : rest_(text), path_(path) {}

  absl::StatusOr<std::vector<Setting>> Parse() {
    for (;;) {
      PassBlanksAndLines();
      if (rest_.empty()) return std::move(settings_);
      RETURN_IF_ERROR(rest_.front() == '[' ? Section() : Entry());
      PassBlanks();
      if (!rest_.empty() && rest_.front() != '\n') {
        return Bad("the end of the line, or a comment");
      }
    }
  }

 private:
  absl::Status Bad(std::string expected) const {
    const std::string_view line = rest_.substr(0, rest_.find('\n'));
    return MakeProblem({.code = "bad_settings",
                        .file = path_,
                        .line = line_,
                        .found = line.empty() ? "the end of the line" : Quote(line),
                        .expected = std::move(expected)});
  }

  char Next() const { return rest_.empty() ? '\0' : rest_.front(); }
  bool Take(char c) {
    if (Next() != c) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Skips comments, too.
  void PassBlanks() {
    while (Next() == ' ' || Next() == '\t' || Next() == '\r') rest_.remove_prefix(1);
    if (Next() == '#') rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size()));
  }
  void PassBlanksAndLines() {
    for (PassBlanks(); Take('\n'); PassBlanks()) ++line_;
  }

  std::string_view TakeWhile(bool (*fits)(char)) {
    const auto end = std::find_if_not(rest_.begin(), rest_.end(), fits);
    const auto taken = rest_.substr(0, static_cast<size_t>(end - rest_.begin()));
    rest_.remove_prefix(taken.size());
    return taken;
  }

  absl::Status Name(std::string& name) {
    if (Next() == '"' || Next() == '\'') return Text(name);
    name = TakeWhile(IsBare);
    return name.empty() ? Bad("a name") : absl::OkStatus();
  }

  absl::Status Section() {
    Take('[');
    section_.clear();
    do {
      PassBlanks();
      if (section_.size() == kDeepest) return Bad(absl::StrCat("at most ", kDeepest, " names"));
      RETURN_IF_ERROR(Name(section_.emplace_back()));
      PassBlanks();
    } while (Take('.'));
    if (!Take(']')) return Bad("]");
    settings_.push_back({.section = section_, .line = line_});
    return absl::OkStatus();
  }

  absl::Status Entry() {
    Setting setting{.section = section_, .line = line_};
    RETURN_IF_ERROR(Name(setting.name));
    PassBlanks();
    if (!Take('=')) return Bad("= and a value");
    PassBlanks();
    RETURN_IF_ERROR(Value(setting.values));
    if (!names_.emplace(section_, setting.name).second) {
      return MakeProblem({.code = "bad_settings",
                          .file = path_,
                          .line = setting.line,
                          .found = absl::StrCat(setting.name, " once more"),
                          .expected = "each name once in its section"});
    }
    settings_.push_back(std::move(setting));
    return absl::OkStatus();
  }

  absl::Status Value(std::vector<std::string>& values) {
    if (!Take('[')) return Single(values.emplace_back());
    for (;;) {
      PassBlanksAndLines();
      if (Take(']')) return absl::OkStatus();
      RETURN_IF_ERROR(Single(values.emplace_back()));
      PassBlanksAndLines();
      if (Take(']')) return absl::OkStatus();
      if (!Take(',')) return Bad(", or ]");
    }
  }

  absl::Status Single(std::string& value) {
    if (Next() == '"' || Next() == '\'') return Text(value);
    value = TakeWhile(IsPlain);
    const bool number =
        !value.empty() && (absl::ascii_isdigit(static_cast<unsigned char>(value[0])) ||
                           value[0] == '+' || value[0] == '-');
    if (number || value == "true" || value == "false") return absl::OkStatus();
    rest_ = std::string_view(rest_.data() - value.size(), rest_.size() + value.size());
    return Bad("a \"text\", a number, true, false, or a [list] of them");
  }

  // Reads a text, which must end in its line.
  absl::Status Text(std::string& text) {
    const char quote = Next();
    const std::string_view whole = rest_;
    rest_.remove_prefix(1);
    while (Next() != quote) {
      if (rest_.empty() || Next() == '\n') {
        rest_ = whole;
        return Bad(absl::StrCat("a text that ends with ", std::string(1, quote)));
      }
      char c = Next();
      rest_.remove_prefix(1);
      if (c == '\\' && quote == '"') {
        constexpr std::string_view kLetters = "\"\\ntr";
        constexpr std::string_view kMeant = "\"\\\n\t\r";
        const size_t letter = kLetters.find(Next());
        if (rest_.empty() || letter == std::string_view::npos) {
          return Bad("one of \" \\ n t r after a backslash");
        }
        rest_.remove_prefix(1);
        c = kMeant[letter];
      }
      text += c;
    }
    rest_.remove_prefix(1);
    return absl::OkStatus();
  }

  std::string_view rest_;
  const std::string& path_;
  int line_ = 1;
  std::vector<std::string> section_;
  std::set<std::pair<std::vector<std::string>, std::string>> names_;
  std::vector<Setting> settings_;
};

}  // namespace

absl::StatusOr<std::vector<Setting>> ParseSettings(std::string_view text, const std::string& path) {
  return SettingsParser(text, path).Parse();
}

absl::StatusOr<std::vector<Setting>> ReadSettings(const std::string& path) {
  const auto unreadable = [&](const char* found) {
    return MakeProblem({.code = "settings_file",
                        .file = path,
                        .found = found,
                        .expected = "a TOML file of settings, at most 1 MiB"});
  };
  std::ifstream file(path, std::ios::binary);
  std::string text(kMostBytes + 1, '\0');
  // Reading a folder fails here, not at opening.
  if (!file.read(text.data(), static_cast<std::streamsize>(text.size())) && !file.eof()) {
    return unreadable("a file that cannot be read");
  }
  text.resize(static_cast<size_t>(file.gcount()));
  if (text.size() > kMostBytes) return unreadable("more than that");
  return ParseSettings(text, path);
}

}  // namespace joseki
