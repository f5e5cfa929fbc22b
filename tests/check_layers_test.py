#!/usr/bin/env python3
"""Shows that check_layers.py finds what it is there to find: a small tree, one mistake at a time."""

import pathlib
import tempfile
import unittest

import check_layers


class CheckLayersTest(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.root = pathlib.Path(self._folder.name)
        for top in check_layers.TOP:
            (self.root / top).mkdir()
        (self.root / "docs").mkdir()
        self.write("base/CMakeLists.txt", "joseki_library(base clock.cc)")
        self.write("base/clock.h", "#pragma once\n")
        self.write("base/clock.cc", '#include "base/clock.h"\n')
        self.write("docs/nine.md", "a line\n")
        self.write("README.md", self.readme(9))

    def tearDown(self):
        self._folder.cleanup()

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    @staticmethod
    def readme(files):
        """A README whose list has so many files, all of them the same page."""
        listed = "".join(f"{i}. [`nine`](docs/nine.md): it\n" for i in range(1, files + 1))
        return f"# Joseki\n\n## Nine files\n\n{listed}\n## Next\n"

    def violations(self):
        return check_layers.check(self.root)

    def assert_one(self, start, word):
        found = self.violations()
        self.assertEqual(len(found), 1, found)
        self.assertTrue(found[0].startswith(start), found)
        self.assertIn(word, found[0])

    def test_a_right_tree_has_none(self):
        self.write("coordinator/runs/game_replay.h", '#include "book/graph.h"\n#include "base/clock.h"\n')
        self.write("docs/a.md", "See `base/clock.{h,cc}`, [b](b.md) and `cmake --preset dev`.")
        self.write("docs/b.md", "")
        self.assertEqual(self.violations(), [])

    def test_an_arrow_up(self):
        self.write("base/file.h", '#pragma once\n#include "engine/core/types.h"\n')
        self.assert_one("base/file.h:2:", "engine/core/types.h")

    def test_a_declaration_whose_definition_stands_in_another_room(self):
        self.write("coordinator/CMakeLists.txt", "runs/load.cc store/rows.cc")
        self.write("coordinator/store/rows.h", "class Run;\nabsl::StatusOr<Run> Load(int run);\n"
                                               "class Rows {\n  int Count();\n};\n")
        self.write("coordinator/store/rows.cc", "int Rows::Count() {\n  return 0;\n}\n")
        self.write("coordinator/runs/load.cc", "namespace {\nint Other(int run) {\n  return run;\n}\n}  // namespace\n"
                                               "\nabsl::StatusOr<Run> Load(int run) {\n  return Run(run);\n}\n")
        self.assert_one("coordinator/runs/load.cc:7:", "coordinator/store/rows.h")
        # One of the room's own, with as many parameters or not, is what the source defines.
        self.write("coordinator/runs/load.h", "absl::StatusOr<Run> Load(int run);\n")
        self.assertEqual(self.violations(), [])

    def test_a_class_whose_functions_stand_in_another_room(self):
        self.write("book/CMakeLists.txt", "graph.cc")
        self.write("engine/core/tree.h", "class Tree {\n  int Size();\n};\n")
        self.write("book/graph.cc", '#include "engine/core/tree.h"\n\nint Tree::Size() {\n  return 0;\n}\n')
        self.assert_one("book/graph.cc:3:", "engine/core/tree.h")

    def test_neighbours(self):
        self.write("engine/search/search.h", '#include "engine/shogi/position.h"\n')
        self.assert_one("engine/search/search.h:1:", "engine/shogi/position.h")

    def test_a_step_of_the_search_knows_the_papers_by_their_hooks(self):
        self.write("engine/search/tree.h", '#include "engine/search/papers/papers.h"\n')
        self.assertEqual(self.violations(), [])
        self.write("engine/search/node_inl.h", '#include "engine/search/papers/papers.h"\n')
        self.assert_one("engine/search/node_inl.h:1:", "engine/search/papers/papers.h")

    def test_the_room_of_the_instantiation_may(self):
        self.write("engine/CMakeLists.txt", "search/shogi/search.cc")
        self.write("engine/search/shogi/search.cc",
                   '#include "engine/search/search.h"\n#include "engine/shogi/position.h"\n')
        self.assertEqual(self.violations(), [])

    def test_the_two_ends_of_the_wire(self):
        self.write("worker/hand.h", '#include "coordinator/model/messages.h"\n')
        self.assert_one("worker/hand.h:1:", "coordinator/model/messages.h")

    def test_the_book_knows_no_game(self):
        self.write("book/graph.h", '#include "engine/shogi/position.h"\n')
        self.assert_one("book/graph.h:1:", "engine/shogi/position.h")

    def test_only_a_main_chooses_the_game(self):
        self.write("coordinator/runs/game_replay.h", '#include "engine/shogi/shogi_rules.h"\n')
        self.assert_one("coordinator/runs/game_replay.h:1:", "shogi_rules.h")

    def test_the_rooms_of_the_coordinator(self):
        self.write("coordinator/coordinator.h", '#include "coordinator/runs/game_replay.h"\n')
        self.write("coordinator/runs/game_replay.h", '#include "coordinator/store/store.h"\n')
        self.write("coordinator/main.cc", '#include "coordinator/coordinator.h"\n')
        self.write("coordinator/CMakeLists.txt", "main.cc")
        self.assertEqual(self.violations(), [])
        self.write("coordinator/scheduling/pace.h", '#include "coordinator/store/store.h"\n')
        self.assert_one("coordinator/scheduling/pace.h:1:", "store.h")
        self.write("coordinator/scheduling/pace.h", '#include "coordinator/coordinator.h"\n')
        self.assert_one("coordinator/scheduling/pace.h:1:", "coordinator.h")

    def test_a_pure_room_knows_no_lock(self):
        self.write("coordinator/core/grant.h", '#include <map>\n#include "coordinator/store/run_store.h"\n')
        self.assertEqual(self.violations(), [])
        self.write("coordinator/core/grant.h", '#include <map>\n#include <mutex>\n')
        self.assert_one("coordinator/core/grant.h:2:", "pure")
        self.write("coordinator/core/grant.h", '#include "base/clock.h"\n')
        self.assert_one("coordinator/core/grant.h:1:", "pure")

    def test_nobody_includes_tests(self):
        self.write("cli/import.h", '#include "tests/support/data.h"\n')
        self.assert_one("cli/import.h:1:", "tests/support/data.h")

    def test_a_confined_header(self):
        self.write("worker/work_loop.h", "#include <grpcpp/grpcpp.h>\n")
        self.assert_one("worker/work_loop.h:1:", "grpcpp")
        self.write("worker/work_loop.h", "")
        self.write("worker/coordinator_client.h", "#include <grpcpp/grpcpp.h>\n")
        self.assertEqual(self.violations(), [])

    def test_a_source_that_nothing_builds(self):
        self.write("base/spare.cc", "")
        self.assert_one("base/spare.cc:1:", "CMakeLists.txt")
        self.write("base/CMakeLists.txt", "joseki_library(base clock.cc spare.cc)")
        self.assertEqual(self.violations(), [])

    def test_a_document_that_names_a_missing_file(self):
        self.write("CONTRIBUTING.md", "first\nsee `base/watch.h`")
        self.assert_one("CONTRIBUTING.md:2:", "base/watch.h")

    def test_a_document_that_links_to_a_missing_file(self):
        self.write("docs/a.md", "see [b](b.md)")
        self.assert_one("docs/a.md:1:", "b.md")
        self.write("docs/a.md", "![a picture](b.png)")
        self.assert_one("docs/a.md:1:", "b.png")
        self.write("docs/a.md", 'see [b](c.md "with a title")')
        self.assert_one("docs/a.md:1:", "c.md")

    def test_a_document_that_links_to_a_missing_heading(self):
        self.write("docs/reference/a.md", "see [b](b.md#a-line) and [here](#the-end-of-it)\n## The end, of it\n")
        self.write("docs/reference/b.md", "```\n# a line\n```\n")
        self.assert_one("docs/reference/a.md:1:", "b.md#a-line")
        self.write("docs/reference/b.md", "### A line\n")
        self.assertEqual(self.violations(), [])

    def test_a_row_of_a_table_that_is_wrapped(self):
        self.write("docs/a.md", "| a | b |\n|---|---|\n| c | d |\n\n```\n| no table\n```\n")
        self.assertEqual(self.violations(), [])
        self.write("docs/a.md", "| a | b |\n|---|---|\n| c | a row\nthat is wrapped |\n")
        self.assert_one("docs/a.md:3:", "row")

    def test_a_page_of_the_guide_that_is_too_long(self):
        self.write("docs/guide/a.md", "a line\n" * 250)
        self.write("docs/reference/b.md", "a line\n" * 251)
        self.assertEqual(self.violations(), [])
        self.write("docs/guide/a.md", "a line\n" * 251)
        self.assert_one("docs/guide/a.md:251:", "250")

    GLOSSARY = ("| word | meaning |\n|---|---|\n| book | positions and moves |\n| reply, trial | games |\n\n"
                "Words of shogi:\n\n| word | meaning |\n|---|---|\n| Black, White | the sides |\n\n"
                "Words of xiangqi:\n\n| word | meaning |\n|---|---|\n| Red, Black | the sides |\n")

    def test_a_word_that_the_glossary_defines_twice(self):
        self.write("docs/reference/glossary.md", self.GLOSSARY)
        self.assertEqual(self.violations(), [])
        # Two games may share a word.
        self.write("docs/reference/glossary.md", self.GLOSSARY.replace("| book |", "| trial |"))
        self.assert_one("docs/reference/glossary.md:4:", "trial")
        self.write("docs/reference/glossary.md", self.GLOSSARY.replace("| Red,", "| Red, book,"))
        self.assert_one("docs/reference/glossary.md:16:", "book")
        self.write("docs/reference/glossary.md", self.GLOSSARY.replace("| Red,", "| Red, Red,"))
        self.assert_one("docs/reference/glossary.md:16:", "Red")

    def test_a_word_of_the_glossary_that_another_document_defines(self):
        self.write("docs/reference/glossary.md", self.GLOSSARY)
        self.write("docs/guide/a.md", "**Books** by others, a *kind* is a file.\n\n"
                   "| name | what |\n|---|---|\n| book | b |\n")
        self.assertEqual(self.violations(), [])
        for text in ("A **book** is a graph.", "**Books** are graphs.", "*A reply*: is a game.",
                     "| word | what |\n|---|---|\n| trial | a game |"):
            self.write("docs/guide/a.md", text)
            self.assert_one("docs/guide/a.md:", "glossary.md")

    def test_nine_files_that_are_not_nine(self):
        self.write("README.md", self.readme(8))
        self.assert_one("README.md:3:", "8 files")
        self.write("README.md", "# Joseki\n")
        self.assert_one("README.md:1:", "0 files")

    def test_nine_files_that_are_too_long(self):
        lines = check_layers.LONGEST_NINE_FILES // 9
        self.write("docs/nine.md", "a line\n" * lines)
        self.assertEqual(self.violations(), [])
        self.write("docs/nine.md", "a line\n" * (lines + 1))
        self.assert_one("README.md:3:", f"{9 * (lines + 1)} lines")

    def test_a_comment_that_names_a_document_which_is_gone(self):
        self.write("base/clock.h", "#pragma once\n// The time (docs/reference/time.md).\n")
        self.assert_one("base/clock.h:2:", "docs/reference/time.md")
        self.write("docs/reference/time.md", "")
        self.assertEqual(self.violations(), [])
        self.write("deploy/start", "# see docs/time.md\n")
        self.assert_one("deploy/start:1:", "docs/time.md")


if __name__ == "__main__":
    unittest.main()
