"""The command robotrules-lint, which the hook for pre-commit runs."""
import contextlib
import io
import pathlib
import tempfile
import unittest

from robotrules.lint_command import main


class LintCommand(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_on(self, text, *options):
        file = self.folder / "robots.txt"
        file.write_text(text)
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            status = main([*options, str(file)])
        return status, out.getvalue().replace(str(file), "robots.txt")

    def test_a_good_file_prints_nothing_and_returns_0(self):
        self.assertEqual(self.run_on("User-agent: *\nDisallow: /private/\n"), (0, ""))

    def test_an_error_has_its_place_and_returns_1(self):
        status, printed = self.run_on("User-agent: *\nDisallow: private/\n")
        self.assertEqual(status, 1)
        self.assertTrue(printed.startswith("robots.txt:2:11: error: "), printed)
        self.assertIn("[path-without-slash]\n    ", printed)

    def test_a_warning_returns_1_only_if_it_is_asked_for(self):
        text = "User-agent: *\nDisalow: /private/\n"
        status, printed = self.run_on(text)
        self.assertEqual(status, 0)
        self.assertIn(": warning: ", printed)
        self.assertEqual(self.run_on(text, "--fail-on", "warning")[0], 1)

    def test_ignored_codes_are_neither_printed_nor_counted(self):
        text = "User-agent: *\nDisallow: private/\n"
        self.assertEqual(self.run_on(text, "--ignore", "path-without-slash"), (0, ""))

    def test_an_unknown_code_is_refused(self):
        with self.assertRaises(SystemExit) as exit, contextlib.redirect_stderr(io.StringIO()):
            self.run_on("", "--only", "no-such-code")
        self.assertEqual(exit.exception.code, 2)

    def test_a_missing_file_returns_2_and_is_named(self):
        err = io.StringIO()
        with contextlib.redirect_stderr(err):
            self.assertEqual(main([str(self.folder / "missing.txt")]), 2)
        self.assertIn("missing.txt cannot be read", err.getvalue())

    def test_no_name_is_printed_as_it_is(self):
        for name in ("a\n::stop-commands::x", "\x1b[2J", "##[stop-commands]x", "\u202e", "b\r::error::x", "c\udc80"):
            file = self.folder / name
            file.write_text("User-agent: *\nDisallow: private/\n")
            out = io.StringIO()
            with contextlib.redirect_stdout(out):
                self.assertEqual(main([str(file)]), 1)
            printed = out.getvalue()
            printed.encode("utf-8")
            self.assertEqual(len(printed.splitlines()), 2, printed)
            self.assertNotIn("##[", printed)
            self.assertTrue(all(char.isprintable() or char == "\n" for char in printed), printed)


if __name__ == "__main__":
    unittest.main()
