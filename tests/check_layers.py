#!/usr/bin/env python3
"""Checks what a compiler does not: which folder includes which, and what the documents name.

  tests/check_layers.py [ROOT]     prints one line for each violation; exit status 1 if there are any

  1. Arrows: a file includes only rooms on lower floors (docs/reference/architecture.md).
  2. Confinement: a third-party header is included only where it belongs.
     A pure room includes no thread, lock, clock, log or SQL at all, the core not even by other headers.
  3. Sources: every .cc file is named in the CMakeLists.txt of its folder or one above it.
  4. Definitions: what a header declares is defined in its own room, or an arrow would point there unseen.
  5. Documents: every path that a document names exists, and so does every linked file and heading;
     sources and scripts name no document that is gone; a page of docs/guide/ has at most 250 lines;
     a row of a table is one line.
  6. Words: a word of docs/reference/glossary.md has one definition, there and nowhere else.
  7. Nine files: those that README.md lists in reading order stay short enough to be read.
"""

import pathlib
import re
import sys

# Longest prefix first decides the room of a file. Each room may include itself and those listed.
# A room that stands for a single file is an exception, and its comment says why.
RULES = {"base", "engine/core"}
BOOK = RULES | {"book", "proto/limits"}
SHOGI = RULES | {"engine/shogi"}
# The files of the search at which the techniques of papers hang: hooks, ports, what joins all parts.
HOOKS = {"engine/search/bench_inl", "engine/search/move_picker", "engine/search/search",
         "engine/search/search_inl", "engine/search/tree"}
SEARCH = RULES | HOOKS | {"engine/search", "engine/search/papers"}
USI = SEARCH | {"engine/usi"}
ENGINE = SHOGI | USI | {"engine/search/shogi", "engine/shogi/eval", "engine/shogi/mate"}
XIANGQI = RULES | {"engine/xiangqi"}
XIANGQI_ENGINE = XIANGQI | USI | {
    "engine/search/xiangqi", "engine/xiangqi/eval", "engine/xiangqi/mate"}
# The commands of joseki-engine that know every game.
COMMAND = ENGINE | XIANGQI_ENGINE | {"engine/by_game"}
# Rooms on which a run in a coordinator stands.
STORE = {"book/database", "coordinator/model", "coordinator/scheduling", "coordinator/store"}
COORDINATOR = STORE | {
    "coordinator", "coordinator/core", "coordinator/runs", "coordinator/offline", "coordinator/page",
    "coordinator/services"}
MAY_INCLUDE = {
    "base": set(),
    "engine/core": {"base"},
    "engine/shogi": RULES,
    "engine/xiangqi": RULES,
    "engine/xiangqi/eval": XIANGQI,
    "engine/xiangqi/mate": XIANGQI,
    # Makes weights of its evaluation from games and searches.
    "engine/xiangqi/learn": XIANGQI_ENGINE - {"engine/usi"},
    # The search that plays: it knows the techniques that are off by their hooks alone.
    "engine/search": RULES | HOOKS,
    "engine/search/papers": SEARCH,
    **{hook: SEARCH for hook in HOOKS},
    # The games that there are: their rules by name.
    "engine/games": SHOGI | XIANGQI,
    # Rooms where search, rules, evaluation and mates meet, one for each game.
    "engine/search/shogi": ENGINE - {"engine/usi"},
    "engine/search/xiangqi": XIANGQI_ENGINE - {"engine/usi"},
    "engine/shogi/eval": SHOGI,
    "engine/shogi/mate": SHOGI,
    # Makes weights, by games of the engine against itself.
    "engine/shogi/learn": ENGINE - {"engine/usi"},
    # Protocols of user interfaces, for the engine of any game; then the engine of each game.
    "engine/usi": SEARCH,
    "engine/usi/shogi": ENGINE,
    "engine/usi/xiangqi": XIANGQI_ENGINE,
    "engine/main": COMMAND
    | {"engine/usi/shogi", "engine/usi/xiangqi", "engine/bench_command", "engine/eval_command",
       "engine/perft_command", "engine/mate_command", "engine/suite_command",
       "engine/edge_attacks_command", "engine/transitions_command", "engine/learn_command",
       "engine/learn_moves_command",
       "engine/book_port"},
    # The engine's own book: the one place where the engine's program meets a book.
    "engine/book_port": ENGINE | {"engine/usi/shogi", "book", "book/formats"},
    "engine/by_game": {"base"},
    "engine/bench_command": COMMAND,
    "engine/eval_command": COMMAND,
    "engine/learn_command": ENGINE | {"engine/shogi/learn", "engine/learn_lines", "engine/learn_state"},
    "engine/learn_moves_command": ENGINE | {"engine/shogi/learn", "engine/learn_lines", "engine/learn_state"},
    # Games of a file as lists of moves.
    "engine/learn_lines": SHOGI | {"engine/usi"},
    # States of trainings on disk.
    "engine/learn_state": {"base"},
    "engine/mate_command": COMMAND,
    # Perft files of any game; the game is not named.
    "engine/perft_file": RULES,
    "engine/perft_command": COMMAND | {"engine/perft_file"},
    "engine/suite_command": COMMAND,
    "engine/transitions_command": ENGINE | {"engine/game_lines"},
    "engine/edge_attacks_command": ENGINE | {"engine/book_port", "engine/game_lines"},
    # Games of a file, replayed by the rules of shogi.
    "engine/game_lines": SHOGI | {"engine/usi"},
    # Includes the bounds of the fields of its specifications.
    "book": RULES | {"proto/limits"},
    # Readers and writers that belong to a game.
    "book/records": BOOK | SHOGI | XIANGQI,
    "book/formats": BOOK | SHOGI | XIANGQI,
    # Names of openings, by game.
    "book/openings": BOOK | SHOGI | XIANGQI,
    # The book in SQLite, and what fills and reads it: no run, lease or worker.
    "book/database": BOOK | {"book/records", "book/formats"},
    # Certificates and join tokens.
    "base/certificates": {"base", "proto/limits"},
    "proto": {"base", "base/certificates", "proto/limits"},
    # The bounds of the protocol: numbers and names, for both ends and what stands behind them.
    "proto/limits": set(),
    # From below: plain values, pure state machines, rows in SQLite, a run in memory, what needs no
    # running coordinator, the facade (the folder itself), gRPC.
    "coordinator/model": BOOK | {"book/database", "proto/limits"},
    "coordinator/scheduling": BOOK | {"coordinator/model"},
    "coordinator/store": BOOK | {"book/database", "coordinator/model", "coordinator/scheduling"},
    "coordinator/runs": BOOK | STORE | {"proto/limits"},
    "coordinator/offline": BOOK | STORE
    | {"coordinator/runs", "book/records", "book/formats", "book/openings"},
    # Meaning of the facade's tables, without thread, lock, SQL or clock.
    "coordinator/core": BOOK | STORE | {"coordinator/runs", "proto/limits"},
    "coordinator": BOOK | STORE
    | {"coordinator/core", "coordinator/runs", "base/certificates", "proto/limits"},
    # HTTP, for browsers.
    "coordinator/page": BOOK | STORE
    | {"coordinator", "coordinator/runs", "coordinator/offline", "book/openings", "base/certificates"},
    "coordinator/services": BOOK | STORE
    | {"coordinator/runs", "coordinator/offline", "coordinator", "proto", "proto/limits",
       "base/certificates"},
    # The mains choose the game.
    "coordinator/main": BOOK | STORE
    | {"engine/games", "coordinator/page", "coordinator/services", "proto", "base/certificates"},
    # Games between two players: they know no lease and no wire.
    "worker/play": BOOK | ENGINE | XIANGQI_ENGINE | {"engine/games", "proto/limits"},
    "worker": BOOK | ENGINE | {"engine/games", "worker/play", "proto", "proto/limits", "base/certificates"},
    "cli": BOOK | ENGINE | XIANGQI | COORDINATOR
    | {"engine/games", "book/records", "book/formats", "book/openings", "proto", "proto/limits", "base/certificates", "worker",
       "worker/play"},
    "tests": None,  # everything
}
TOP = sorted({room.split("/")[0] for room in MAY_INCLUDE})

# Third-party headers, by the start of the include, and where they may be.
CONFINED = [
    (r"grpcpp/|grpc/|joseki/v1/",
     r"proto/(grpc_status|grpc_log|credentials|server_tls)\.|coordinator/services/|"
     r"worker/(\w+_client|wire)\.|cli/cluster/rpc|(coordinator|worker|cli)/main\.cc|tests/"),
    (r"prometheus/", r"coordinator/services/metrics\.|tests/"),
    (r"SQLiteCpp/|sqlite3\.h",
     r"(book/database|coordinator/store)/|book/formats/obk\.cc|tests/"),
    (r"CLI/", r"cli/|base/(option_choice|option_range|settings)\.|(coordinator|worker|engine)/main\.cc|"
     r"tests/(base|cli|e2e|kill|load|simulation)/"),
    (r"boost/math/", r"book/stats/\w+\.cc|tests/"),
    (r"spdlog/", r"(coordinator|worker|cli|tests)/"),
    (r"nlohmann/",
     r"base/json\.h|(book/database|coordinator|worker|cli|engine/usi)/|engine/(main|learn_state|\w+_command)\.|"
     r"book/(records/jkf|formats/json_book)\.cc|tests/"),
    (r"boost/(asio|beast)", r"coordinator/page/http_server\.cc|tests/support/http_client\.cc"),
    (r"openssl/", r"base/(hash|certificates/certificate)\.cc|proto/tls_buffers\.cc|tests/"),
    (r"iconv\.h", r"book/records/"),
    (r"archive(_entry)?\.h", r"book/database/(bundle|zstd)\.cc|tests/"),
    (r"gtest/|gmock/", r"tests/"),
    # Ours are std::mutex: others give false alarms under the thread sanitizer.
    (r"absl/synchronization/", r"proto/mutexes\.h"),
]

# Rooms that know no thread, lock, clock, log or SQL: time is an argument, and what the world should see
# is a result. Their values may lie in a header of the store.
PURE = ("coordinator/core", "coordinator/scheduling")
PURE_BY_REACH = "coordinator/core"
IMPURE = re.compile(
    r"(atomic|condition_variable|future|mutex|shared_mutex|thread|chrono)$|spdlog/spdlog\.h|absl/time/clock\.h|"
    r"base/(clock|mutex|pause|steady_clock)\.h|book/database/store\.h|coordinator/store/(writer|write_queue|archive_file)\.h")

INCLUDE = re.compile(r'^\s*#\s*include\s+[<"]([^>"]+)[>"]', re.MULTILINE)


def room_of(path):
    """The longest key of MAY_INCLUDE that is the path without its suffix or a folder above it."""
    parts = path.rsplit(".", 1)[0].split("/")
    for length in range(len(parts), 0, -1):
        room = "/".join(parts[:length])
        if room in MAY_INCLUDE:
            return room
    return None


def line_of(text, match):
    return text.count("\n", 0, match.start(1)) + 1


def sources(root):
    for top in TOP:
        for path in sorted((root / top).rglob("*")):
            if path.suffix in (".h", ".cc"):
                yield path.relative_to(root).as_posix(), path.read_text(encoding="utf-8")


def check_arrows(path, text):
    room = room_of(path)
    for match in INCLUDE.finditer(text):
        include = match.group(1)
        target = room_of(include) if include.split("/")[0] in TOP else None
        place = f"{path}:{line_of(text, match)}"
        if target is not None and target != room and MAY_INCLUDE[room] is not None:
            # An exception file belongs to its folder all the same.
            own_folder = path.startswith(room + ".") and room.startswith(target + "/")
            if not own_folder and target not in MAY_INCLUDE[room]:
                yield f"{place}: {room} may not include {include}"
        if room in PURE and IMPURE.match(include):
            yield f"{place}: {room} is pure and may not include {include}"
        for header, allowed in CONFINED:
            if re.match(header, include) and not re.match(allowed, path):
                yield f"{place}: {include} does not belong here, only in {allowed}"


def check_reach(root, path):
    """What headers of the project bring along to a file of the core counts as its own includes."""
    seen = set()
    chains = [[path]]
    while chains:
        chain = chains.pop()
        for include in INCLUDE.findall((root / chain[-1]).read_text(encoding="utf-8")):
            if len(chain) > 1 and IMPURE.match(include):
                yield f"{path}: is pure and reaches {include} by {' > '.join(chain[1:])}"
            if include not in seen and (root / include).is_file():
                seen.add(include)
                chains.append(chain + [include])


def check_sources(root, path):
    if not path.endswith(".cc"):
        return
    folder = (root / path).parent
    while True:
        lists = folder / "CMakeLists.txt"
        if lists.exists():
            name = (root / path).relative_to(folder).as_posix()
            if re.search(rf"(?<![\w/.]){re.escape(name)}(?![\w.])", lists.read_text()):
                return
        if folder == root:
            yield f"{path}:1: no CMakeLists.txt builds this file"
            return
        folder = folder.parent


# A function's head that begins a line outside an unnamed namespace, up to its body or semicolon.
HEAD = re.compile(r"^(?!using|namespace|return|else|static_assert|template|friend|typedef|class|struct|enum|#|//)"
                  r"[A-Za-z_][\w:<>,&* \n]*?[ &*>\n]((?:\w+::)*[~\w]+)(\([^;{}]*?\))[^;{}()]*?([;{:])", re.MULTILINE)
CLASS = re.compile(r"^(?:class|struct) (?:\[\[\w+\]\] )?(\w+)[^;{]*\{", re.MULTILINE)
UNNAMED = re.compile(r"^namespace \{\n.*?^\}  // namespace\n", re.MULTILINE | re.DOTALL)


def arity(parameters):
    """How many parameters stand between the brackets."""
    depth, count = 0, 1
    for letter in parameters[1:-1]:
        depth += (letter in "<({[") - (letter in ">)}]")
        count += letter == "," and depth == 0
    return count if parameters[1:-1].strip() else 0


def check_definitions(files):
    """files: (path, text) of all. A function or class that a header of another room alone declares."""
    declared = {}  # a function's name and arity, or a class's name: the rooms and headers that declare it
    for path, text in files:
        if not path.endswith(".h"):
            continue
        for match in CLASS.finditer(text):
            declared.setdefault(match[1], {})[room_of(path)] = path
        for match in HEAD.finditer(text):
            if match[3] == ";":
                declared.setdefault((match[1], arity(match[2])), {})[room_of(path)] = path
    for path, text in files:
        room = room_of(path)
        if not path.endswith(".cc") or MAY_INCLUDE[room] is None:
            continue
        text = UNNAMED.sub(lambda unnamed: "\n" * unnamed[0].count("\n"), text)
        own = set(CLASS.findall(text))
        for match in HEAD.finditer(text):
            if match[3] == ";":
                continue
            names = match[1].split("::")
            what = names[-2] if len(names) > 1 else (names[-1], arity(match[2]))
            rooms = declared.get(what, {})
            folder = path.rsplit("/", 1)[0]
            if rooms and what not in own and room not in rooms and not any(
                    header.rsplit("/", 1)[0] == folder for header in rooms.values()):
                yield (f"{path}:{line_of(text, match)}: defines {match[1]}, which "
                       f"{sorted(rooms.values())[0]} of another room declares")


def expand(name):
    """a/b.{h,cc} -> a/b.h, a/b.cc"""
    match = re.match(r"^(.*)\{([^{}]*)\}(.*)$", name)
    if not match:
        return [name]
    return [n for part in match.group(2).split(",")
            for n in expand(match.group(1) + part + match.group(3))]


def check_document(root, document):
    text = document.read_text(encoding="utf-8")
    where = document.relative_to(root).as_posix()
    entries = {path.name for path in root.iterdir()} - {"build"}
    # In backticks: what begins with something that stands in the root and has a slash or a suffix.
    for match in re.finditer(r"`([^`\n]+)`", text):
        for word in match.group(1).split():
            word = word.rstrip(",;:.")
            if word.startswith("./"):
                word = word[2:]
            top = word.split("/")[0]
            if not re.fullmatch(r"[\w.{},/*+-]+", word) or ("/" in word and top not in entries):
                continue
            named = "/" in word or re.fullmatch(r"[\w-]+\.(md|yml|json|txt|py|proto|h|cc)", word)
            if not named:
                continue
            for name in expand(word):
                # A file may be named relative to the document or to the root.
                if not any(list(base.glob(name.rstrip("/") or "."))
                           for base in (root, document.parent)):
                    yield f"{where}:{line_of(text, match)}: names {name}, which does not exist"
    for match in re.finditer(r"\]\(([^)#\s]*)(?:#([^)\s]*))?(?:\s+\"[^\"]*\")?\)", text):
        link, anchor = match.groups()
        if "://" in link:
            continue
        target = document.parent / link if link else document
        if not target.exists():
            yield f"{where}:{line_of(text, match)}: links to {link}, which does not exist"
        elif anchor and anchor not in anchors(target.read_text(encoding="utf-8")):
            yield f"{where}:{line_of(text, match)}: links to {link}#{anchor}, which is no heading there"


def check_tables(root, document):
    where = document.relative_to(root).as_posix()
    code = False
    for number, line in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        code = code != line.startswith("```")
        row = line.strip()
        if row.startswith("|") and not row.endswith("|") and not code:
            yield f"{where}:{number}: a row of a table goes on in the next line, which no table has"


def anchors(text):
    """What a link may name behind a #, as GitHub makes it of a heading; code blocks have none."""
    headings = re.findall(r"^#+ +(.+?) *$", re.sub(r"^```.*?^```", "", text, flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


LONGEST_GUIDE_PAGE = 250  # lines


def check_guide(root):
    for page in sorted((root / "docs/guide").glob("*.md")):
        lines = len(page.read_text(encoding="utf-8").splitlines())
        if lines > LONGEST_GUIDE_PAGE:
            yield (f"{page.relative_to(root).as_posix()}:{lines}: a page of the guide has at most "
                   f"{LONGEST_GUIDE_PAGE} lines")


GLOSSARY = "docs/reference/glossary.md"
ROW = re.compile(r"^\| *([^|\n]+?) *\|.*$", re.MULTILINE)


def rows(text):
    """Tables by their rows: (first cell of the heading row, match of a row, its group 1 the first cell)."""
    head, end = None, -1
    for match in ROW.finditer(text):
        if match.start() != end:
            head = match[1]
        elif not re.fullmatch(r":?-+:?", match[1]):
            yield head, match
        end = match.end() + 1


def check_glossary(root, documents):
    """Words common to all games, then each game's own. Two games may share a word."""
    if not (root / GLOSSARY).exists():
        return
    text = (root / GLOSSARY).read_text(encoding="utf-8")
    first_game = text.find("Words of ")
    common, words = set(), set()
    game, own = 0, set()
    for _, match in rows(text):
        if match.start() > first_game >= 0:
            of_game = text.count("Words of ", 0, match.start())
            own = own if of_game == game else set()
            game = of_game
        seen = own if game else common
        for word in match[1].split(", "):
            if word in common or word in seen:
                yield f"{GLOSSARY}:{line_of(text, match)}: defines {word} a second time"
            seen.add(word)
            words.add(word)
    for document in documents:
        where = document.relative_to(root).as_posix()
        if where != GLOSSARY:
            yield from check_redefinitions(where, document.read_text(encoding="utf-8"), words)


def check_redefinitions(where, text, words):
    """A row of a table of words, or a sentence that emphasises a word and says what it is."""
    found = [match for head, match in rows(text) if head.lower() in ("word", "term")]
    found += re.finditer(r"(?<![*\w])\*{1,2}(?:An? |The )?([^*\n]+?)\*{1,2}:? (?:is|are|means?)\b", text)
    for match in found:
        named = match[1].lower()
        for word in words:
            if named in (word.lower(), word.lower() + "s"):
                yield f"{where}:{line_of(text, match)}: defines {match[1]}, which {GLOSSARY} does"


NINE_FILES = "## Nine files"
LONGEST_NINE_FILES = 1500  # lines


def check_nine_files(root):
    readme = root / "README.md"
    text = readme.read_text(encoding="utf-8") if readme.exists() else ""
    section = text.partition(f"{NINE_FILES}\n")[2].partition("\n## ")[0]
    files = re.findall(r"^\d\. \[`[^`]+`\]\(([^)]+)\)", section, re.MULTILINE)
    line = text.count("\n", 0, max(text.find(NINE_FILES), 0)) + 1
    if len(files) != 9:
        yield f"README.md:{line}: lists {len(files)} files under {NINE_FILES!r}"
    # A missing one is a dead link.
    lines = sum(len((root / file).read_text(encoding="utf-8").splitlines())
                for file in files if (root / file).is_file())
    if lines > LONGEST_NINE_FILES:
        yield f"README.md:{line}: the nine files have {lines} lines; at most {LONGEST_NINE_FILES}"


def check_named_documents(root):
    """Comments, help texts and scripts that name a page of docs/."""
    rooms = (path for top in TOP for path in (root / top).rglob("*")
             if path.suffix in (".h", ".cc", ".proto", ".sql", ".txt"))
    others = (path for path in [*root.iterdir(), *(root / "deploy").rglob("*")] if path.suffix != ".md")
    for path in sorted([*rooms, *others]):
        if not path.is_file():
            continue
        text = path.read_text(encoding="utf-8", errors="replace")
        for match in re.finditer(r"(?<![\w/.-])(docs/[\w/.-]+\.md)", text):
            if not (root / match[1]).exists():
                yield (f"{path.relative_to(root).as_posix()}:{line_of(text, match)}: names {match[1]}, "
                       "which does not exist")


def check(root):
    violations = []
    files = list(sources(root))
    for path, text in files:
        violations += check_arrows(path, text)
        violations += check_sources(root, path)
        if room_of(path) == PURE_BY_REACH:
            violations += check_reach(root, path)
    violations += check_definitions(files)
    documents = sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md"),
                        *(root / "deploy").rglob("*.md")])
    for document in documents:
        violations += check_document(root, document)
        violations += check_tables(root, document)
    violations += check_guide(root)
    violations += check_glossary(root, documents)
    violations += check_nine_files(root)
    violations += check_named_documents(root)
    return violations


def main():
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parent.parent)
    violations = check(root.resolve())
    for violation in violations:
        print(violation, file=sys.stderr)
    print(f"layers: {len(violations)} violations")
    return 1 if violations else 0


if __name__ == "__main__":
    sys.exit(main())
