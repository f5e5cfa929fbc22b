#include "base/trust/authority.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/file.h"
#include "base/problem.h"
#include "base/status_macros.h"
#include "base/trust/token.h"

namespace joseki::trust {
namespace {

constexpr mode_t kSecretMode = 0600;
constexpr mode_t kPublicMode = 0644;
constexpr mode_t kFolderMode = 0700;
constexpr absl::Duration kAuthorityLife = absl::Hours(24 * 3650);
// Clocks of a cluster differ.
constexpr absl::Duration kSlack = absl::Minutes(10);
constexpr std::string_view kAnyone = "*";
constexpr std::string_view kUnused = "-";

absl::Status FileProblem(int error, const std::string& path) {
  return MakeProblem({.code = "file_error",
                      .file = path,
                      .found = std::strerror(error),
                      .expected = "a folder that can be written"},
                     absl::ErrnoToStatusCode(error));
}

absl::Status MakeFolder(const std::string& path) {
  const std::filesystem::path above = std::filesystem::path(path).parent_path();
  std::error_code error;
  if (!above.empty()) std::filesystem::create_directories(above, error);
  if (error) return FileProblem(error.value(), path);
  if (mkdir(path.c_str(), kFolderMode) != 0 && errno != EEXIST) return FileProblem(errno, path);
  return absl::OkStatus();
}

// One change of a folder at a time, in this process or another one.
class Turn {
 public:
  static absl::StatusOr<Turn> Take(const std::string& folder) {
    const std::string path = folder + "/.lock";
    const int fd = open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, kSecretMode);
    if (fd < 0) return FileProblem(errno, path);
    while (flock(fd, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int error = errno;
      close(fd);
      return FileProblem(error, path);
    }
    return Turn(fd);
  }
  ~Turn() {
    if (fd_ >= 0) close(fd_);
  }
  Turn(Turn&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Turn& operator=(Turn&&) = delete;

 private:
  explicit Turn(int fd) : fd_(fd) {}
  int fd_;
};

using Words = std::vector<std::string>;

// The lines of a file, as words; none if there is no such file.
absl::StatusOr<std::vector<Words>> ReadTable(const std::string& path, size_t words) {
  std::vector<Words> table;
  const absl::StatusOr<std::string> text = ReadFile(path);
  if (absl::IsNotFound(text.status())) return table;
  RETURN_IF_ERROR(text.status());
  int number = 0;
  for (const absl::string_view view : absl::StrSplit(*text, '\n')) {
    const std::string line(view);
    ++number;
    if (line.empty() || line[0] == '#') continue;
    Words row = absl::StrSplit(line, ' ');
    if (row.size() < words) {
      return MakeProblem({.code = "bad_table",
                          .file = path,
                          .line = number,
                          .found = absl::StrCat(row.size(), " words"),
                          .expected = absl::StrCat(words)},
                         absl::StatusCode::kFailedPrecondition);
    }
    table.push_back(std::move(row));
  }
  return table;
}

absl::Status WriteTable(const std::string& path, const std::vector<Words>& table, mode_t mode) {
  std::string text;
  for (const Words& row : table) {
    for (size_t i = 0; i < row.size(); ++i) absl::StrAppend(&text, i == 0 ? "" : " ", row[i]);
    text += '\n';
  }
  return WriteFileAtomically(path, text, mode);
}

std::string TextOf(absl::Time time) {
  return absl::FormatTime("%Y-%m-%dT%H:%M:%SZ", time, absl::UTCTimeZone());
}

// A time that cannot be read is over.
absl::Time TimeOf(const std::string& text) {
  absl::Time time;
  std::string error;
  const bool ok = absl::ParseTime("%Y-%m-%dT%H:%M:%SZ", text, absl::UTCTimeZone(), &time, &error);
  return ok ? time : absl::InfinitePast();
}

// The columns of the two tables.
enum IssuedColumn : size_t { kSerial, kRole, kName, kNotAfter, kIssuedColumns };
enum TokenColumn : size_t { kHash, kUntil, kWorker, kUsedBy, kTokenColumns };

absl::Status WritePair(const std::string& folder, const std::string& certificate,
                       const std::string& key) {
  RETURN_IF_ERROR(WriteFileAtomically(folder + "/key.pem", key, kSecretMode));
  return WriteFileAtomically(folder + "/cert.pem", certificate, kPublicMode);
}

absl::Status CheckName(const std::string& name) {
  if (IsHolderName(name)) return absl::OkStatus();
  return MakeProblem(
      {.code = "bad_name", .found = Quote(name), .expected = "1 to 64 of A-Z a-z 0-9 . _ -"});
}

// One message: a stranger learns nothing of what there is.
absl::Status BadToken() {
  return MakeProblem({.code = "bad_token",
                      .found = "a token that is unknown, used, at its end, or another worker's",
                      .expected = "one of `joseki certs token` that no other node has used"},
                     absl::StatusCode::kPermissionDenied);
}

}  // namespace

absl::StatusOr<Authority> Authority::Create(const std::string& folder, absl::Time now) {
  RETURN_IF_ERROR(MakeFolder(folder));
  Authority authority(folder);
  {
    ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder));
    if (std::filesystem::exists(authority.File("ca.pem"))) {
      return MakeProblem({.code = "authority_exists",
                          .file = authority.File("ca.pem"),
                          .found = "an authority",
                          .expected = "a folder without one: every certificate of the old one "
                                      "would be worthless"},
                         absl::StatusCode::kFailedPrecondition);
    }
    ASSIGN_OR_RETURN(const Signer signer, MakeAuthority({now - kSlack, now + kAuthorityLife}));
    for (const char* const name : {"issued", "tokens"}) {
      RETURN_IF_ERROR(WriteFileAtomically(authority.File(name), "", kSecretMode));
    }
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("revoked"), "", kPublicMode));
    // Its certificate last: where that is, everything is.
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("ca.key"), signer.key, kSecretMode));
    RETURN_IF_ERROR(WriteFileAtomically(authority.File("ca.pem"), signer.certificate, kPublicMode));
  }
  RETURN_IF_ERROR(authority.RenewServer(now, kLife));
  return authority;
}

absl::StatusOr<Authority> Authority::Open(const std::string& folder) {
  Authority authority(folder);
  RETURN_IF_ERROR(authority.ReadSigner().status());
  return authority;
}

absl::StatusOr<Signer> Authority::ReadSigner() const {
  Signer signer;
  for (const auto& [name, text] :
       {std::pair("ca.pem", &signer.certificate), std::pair("ca.key", &signer.key)}) {
    absl::StatusOr<std::string> read = ReadFile(File(name));
    if (!read.ok()) {
      return MakeProblem(
          {.code = "no_authority",
           .file = File(name),
           .found = ProblemOf(read.status()).found,
           .expected = "the folder of an authority, as `joseki certs init` makes it"},
          absl::StatusCode::kFailedPrecondition);
    }
    *text = *std::move(read);
  }
  return signer;
}

absl::Status Authority::RenewServer(absl::Time now, absl::Duration life) const {
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(const std::string key, MakeKey());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignServer(signer, key, {now - kSlack, now + life}));
  return WritePair(folder_, certificate, key);
}

absl::Status Authority::Record(const Identity& identity, absl::Time not_after) const {
  ASSIGN_OR_RETURN(std::vector<Words> issued, ReadTable(File("issued"), kIssuedColumns));
  issued.push_back(
      {identity.serial, std::string(NameOf(identity.role)), identity.name, TextOf(not_after)});
  return WriteTable(File("issued"), issued, kSecretMode);
}

absl::StatusOr<std::string> Authority::Issue(Role role, const std::string& name, absl::Time now,
                                             absl::Duration life) const {
  RETURN_IF_ERROR(CheckName(name));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(const std::string key, MakeKey());
  Identity identity{role, name, ""};
  ASSIGN_OR_RETURN(identity.serial, MakeSerial());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignClient(signer, key, identity, {now - kSlack, now + life}));
  // On record before it exists: what can be used can be revoked.
  RETURN_IF_ERROR(Record(identity, now + life));
  const std::string holders = absl::StrCat(folder_, "/", std::string(NameOf(role)), "s");
  const std::string folder = absl::StrCat(holders, "/", name);
  RETURN_IF_ERROR(MakeFolder(holders));
  RETURN_IF_ERROR(MakeFolder(folder));
  RETURN_IF_ERROR(WriteFileAtomically(folder + "/ca.pem", signer.certificate, kPublicMode));
  RETURN_IF_ERROR(WritePair(folder, certificate, key));
  return folder;
}

absl::StatusOr<std::string> Authority::MakeToken(const std::string& worker, absl::Time now,
                                                 absl::Duration life) const {
  if (!worker.empty()) RETURN_IF_ERROR(CheckName(worker));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTable(File("tokens"), kTokenColumns));
  std::erase_if(tokens, [&](const Words& token) { return TimeOf(token[kUntil]) < now; });
  ASSIGN_OR_RETURN(const std::string secret, MakeSecret());
  const std::string until = TextOf(now + life);
  tokens.push_back({HashOfSecret(secret), until, worker.empty() ? std::string(kAnyone) : worker,
                    std::string(kUnused)});
  RETURN_IF_ERROR(WriteTable(File("tokens"), tokens, kSecretMode));
  return trust::TextOf({secret, signer.certificate}, worker, until);
}

absl::StatusOr<std::string> Authority::Enroll(std::string_view secret, const std::string& worker,
                                              std::string_view request, absl::Time now) const {
  RETURN_IF_ERROR(CheckName(worker));
  ASSIGN_OR_RETURN(const std::string key, KeyOfRequest(request));
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTable(File("tokens"), kTokenColumns));
  const std::string hash = HashOfSecret(secret);
  const auto token = std::find_if(tokens.begin(), tokens.end(),
                                  [&](const Words& row) { return row[kHash] == hash; });
  const bool anyone = token != tokens.end() && (*token)[kWorker] == kAnyone;
  const bool used = token != tokens.end() && (*token)[kUsedBy] != kUnused;
  if (token == tokens.end() || TimeOf((*token)[kUntil]) < now ||
      (!anyone && (*token)[kWorker] != worker) || (used && (*token)[kUsedBy] != key)) {
    return BadToken();
  }
  if (anyone) {
    ASSIGN_OR_RETURN(const std::vector<Issued> issued, List());
    for (const Issued& other : issued) {
      if (other.identity.role == Role::kWorker && other.identity.name == worker && !other.revoked &&
          other.not_after >= now) {
        return MakeProblem({.code = "name_taken",
                            .found = Quote(worker),
                            .expected = "a name that no worker has, or a token for this one"},
                           absl::StatusCode::kAlreadyExists);
      }
    }
  }
  ASSIGN_OR_RETURN(const Signer signer, ReadSigner());
  Identity identity{Role::kWorker, worker, ""};
  ASSIGN_OR_RETURN(identity.serial, MakeSerial());
  ASSIGN_OR_RETURN(const std::string certificate,
                   SignRequest(signer, request, identity, {now - kSlack, now + kLife}));
  // From now on the token is this key's and this name's: whoever asks again with it is the same
  // node.
  (*token)[kUsedBy] = key;
  (*token)[kWorker] = worker;
  RETURN_IF_ERROR(WriteTable(File("tokens"), tokens, kSecretMode));
  RETURN_IF_ERROR(Record(identity, now + kLife));
  return certificate;
}

absl::StatusOr<int> Authority::Revoke(Role role, const std::string& name, absl::Time now) const {
  ASSIGN_OR_RETURN(const Turn turn, Turn::Take(folder_));
  ASSIGN_OR_RETURN(const std::vector<Issued> issued, List());
  ASSIGN_OR_RETURN(std::vector<Words> revoked, ReadTable(File("revoked"), 1));
  int count = 0;
  for (const Issued& one : issued) {
    const Identity& holder = one.identity;
    if (holder.role != role || holder.name != name || one.revoked || one.not_after < now) continue;
    revoked.push_back({holder.serial, std::string(NameOf(role)), name, TextOf(now)});
    ++count;
  }
  ASSIGN_OR_RETURN(std::vector<Words> tokens, ReadTable(File("tokens"), kTokenColumns));
  const size_t waiting = role != Role::kWorker ? 0 : std::erase_if(tokens, [&](const Words& token) {
    return token[kWorker] == name;
  });
  if (count == 0 && waiting == 0) {
    return MakeProblem({.code = "unknown_holder",
                        .found = absl::StrCat("no certificate of the ", std::string(NameOf(role)),
                                              " ", Quote(name)),
                        .expected = "one that is listed by `joseki certs list` as valid"},
                       absl::StatusCode::kNotFound);
  }
  if (waiting > 0) RETURN_IF_ERROR(WriteTable(File("tokens"), tokens, kSecretMode));
  RETURN_IF_ERROR(WriteTable(File("revoked"), revoked, kPublicMode));
  return count;
}

absl::StatusOr<std::vector<Authority::Issued>> Authority::List() const {
  ASSIGN_OR_RETURN(const std::vector<Words> rows, ReadTable(File("issued"), kIssuedColumns));
  ASSIGN_OR_RETURN(const std::vector<Words> revoked, ReadTable(File("revoked"), 1));
  std::set<std::string> serials;
  for (const Words& row : revoked) serials.insert(row[kSerial]);
  std::vector<Issued> issued;
  for (const Words& row : rows) {
    const std::optional<Role> role = RoleOf(row[kRole]);
    if (!role) continue;
    issued.push_back({{*role, row[kName], row[kSerial]},
                      TimeOf(row[kNotAfter]),
                      serials.count(row[kSerial]) > 0});
  }
  return issued;
}

}  // namespace joseki::trust
