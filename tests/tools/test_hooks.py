# SPDX-License-Identifier: GPL-2.0
"""The hooks in .githooks, in a repository of their own."""

import os
import pathlib
import subprocess
import tempfile
import unittest

HOOKS = pathlib.Path(__file__).resolve().parents[2] / ".githooks"
MANY_LINES = "int line;\n" * 20
BODY = "\n\nIt is needed for a reason that is told here.\n"


class Hooks(unittest.TestCase):
    def setUp(self):
        self.directory = tempfile.TemporaryDirectory()
        self.addCleanup(self.directory.cleanup)
        self.git("init", "-q")
        self.git("config", "core.hooksPath", str(HOOKS))
        pathlib.Path(self.directory.name, ".clang-format").write_text((HOOKS.parent / ".clang-format").read_text())

    def git(self, *command):
        """Runs git without anything of the caller's repository, such as of a hook. Returns its status and stderr."""
        environment = {key: value for key, value in os.environ.items() if not key.startswith("GIT_")}
        names = {"GIT_AUTHOR_NAME": "a", "GIT_AUTHOR_EMAIL": "a@b", "GIT_COMMITTER_NAME": "a", "GIT_COMMITTER_EMAIL": "a@b",
                 "GIT_CONFIG_GLOBAL": "/dev/null", "LC_ALL": "C.UTF-8"}
        done = subprocess.run(["git", *command], cwd=self.directory.name, env={**environment, **names},
                              stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
        return done.returncode, done.stderr

    def commit(self, message, content="int line;\n"):
        pathlib.Path(self.directory.name, "file.c").write_text(content)
        self.git("add", "file.c")
        return self.git("commit", "-q", "--allow-empty", "-m", message)

    def refused(self, why, message, content="int line;\n"):
        status, said = self.commit(message, content)
        self.assertEqual(status, 1, message)
        self.assertIn(why, said)

    def test_good_messages_pass(self):
        for message in ("model: add a rule", "model: process names", "bpf, strace: key paths by directory",
                        "model: " + "a" * 65, "tests: count é as one column " + "é" * 43):
            self.assertEqual(self.commit(message), (0, ""), message)

    def test_a_change_that_is_not_trivial_has_a_body(self):
        self.refused("no body says why", "model: add many lines", MANY_LINES)
        self.refused("no body says why", "model: add many lines\n\nSigned-off-by: a <a@b>\n", MANY_LINES)
        self.assertEqual(self.commit("model: add many lines" + BODY, MANY_LINES), (0, ""))

    def test_a_subject_is_short_and_of_one_change(self):
        self.refused("has 73 columns: at most 72", "model: " + "a" * 66)
        self.refused("one change a commit", "model: add a; remove b")
        self.refused("ends in a '.'", "model: add a rule.")

    def test_a_subject_names_the_module_and_what_to_do(self):
        self.refused("not 'module: what it does'", "add a rule")
        self.refused("not 'module: what it does'", "model: Add a rule")
        for verb in ("adds", "added", "adding", "captures"):
            self.refused(f"'{verb}' is not an imperative", f"model: {verb} a rule")

    def test_the_second_line_is_empty(self):
        self.refused("the line after the subject is not empty", "model: add a rule\nfor a reason\n")

    def test_what_git_writes_itself_passes(self):
        for message in ("fixup! model: adds", "Revert \"model: adds\"", "Merge branch 'a'"):
            self.assertEqual(self.commit(message), (0, ""), message)

    def test_sources_are_formatted(self):
        status, said = self.commit("model: add a line", "int   line;\n")
        self.assertEqual(status, 1)
        self.assertIn("pre-commit: file.c is not formatted: make format", said)


if __name__ == "__main__":
    unittest.main()
